import { defined } from '../../common/elements.ts';
import { Turns } from '../../common/turns.ts';
import { problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import type { NamedShape, ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { nestedAmong, readGroupTable, unassignedIn } from '../../domain/boundaries/groups.ts';
import { type PartAsked, partAsked, partsOf } from '../../domain/boundaries/land.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/reads.ts';
import {
  type OmittedBoundary,
  omitted,
  requireSelectable,
  type SelectionLimit,
} from '../../domain/boundaries/selection.ts';
import { requireGeometry } from './fetched.ts';
import { asSelection, idsNamedIn, idsSelected, requireOneBase, requireSome, type SelectionForm } from './selection.ts';

/** Limits of one call: members of all groups, and groups. */
export const MOST = { members: 100_000, groups: 10_000 };
/** Ids that are resolved together. */
const CHUNK = 2_000;
/** Limit of the boundaries that an answer lists as unassigned, and of the groups that it lists for one boundary. */
const LISTED = 1_000;
/** Limit of the boundaries that an answer lists as assigned twice. */
const ITEMS = 100;

/** The groups in the input. */
interface GroupsInput {
  readonly groups?: Readonly<Record<string, SelectionForm>>;
  readonly csv?: string;
  readonly within?: string;
}

/** What to merge: each distinct boundary once, and the groups as indexes into that list. */
export interface ResolvedGroups {
  readonly revision: number;
  readonly boundaries: readonly NamedShape[];
  readonly groups: readonly { readonly name: string; readonly members: readonly number[] }[];
  readonly within: ResolvedBoundary | null;
  /** Selected boundaries without a polygon, each once. */
  readonly leftOut: readonly OmittedBoundary[];
}

/** What the groups are made of, by name. */
export type GivenGroups = ReadonlyMap<string, SelectionForm>;

/** The groups by name. @throws invalid_input for a table that cannot be read */
export async function groupsOf({ groups, csv }: GroupsInput, signal: AbortSignal): Promise<GivenGroups> {
  if (csv !== undefined) return readGroupTable(csv, MOST, signal);
  // The input was counted and checked in the turn that ends here.
  const turns = new Turns(signal);
  await turns.next();
  const given = Object.entries(groups ?? {});
  for (const [name, form] of given) {
    if (turns.spend()) await turns.next();
    if (!Array.isArray(form)) requireOneBase(asSelection(form), `groups.${name}`);
  }
  return new Map(given);
}

/** The first id of each group, and the parents of selections: one of these is a name where ids are wrong. */
export function idsToExplain(groups: GivenGroups): string[] {
  return [...groups.values()].flatMap((form) => idsNamedIn(form).slice(0, 1));
}

/** Limit of the members that a selection may have in a call. */
const GROUP: SelectionLimit = { most: MOST.members, code: 'too_many_boundaries', of: 'one call' };

/**
 * Resolves every member, some thousands at a time, so that other calls get a turn in between. A listed boundary without
 * a polygon is refused; one that only fits a selection is left out.
 */
export async function resolveGroups(
  ctx: Context,
  reading: Snapshot,
  given: GivenGroups,
  { within, area, water }: { readonly within?: string } & PartAsked = {},
): Promise<ResolvedGroups> {
  const part = partAsked({ area, water });
  const groups = new Map<string, readonly string[]>();
  const listed = new Set<string>();
  /** What selections select, by their text: several groups may be made of the same one. */
  const selected = new Map<string, readonly string[]>();
  const turns = new Turns(ctx.signal);
  let members = 0;
  for (const [name, form] of given) {
    const side = asSelection(form);
    const key = side.ids ? '' : JSON.stringify(side);
    const ids = side.ids ?? selected.get(key) ?? requireSome(await idsSelected(ctx, reading, side, GROUP));
    if (!side.ids) selected.set(key, ids);
    if (side.ids) for (const id of ids) listed.add(id);
    if (turns.spend(ids.length)) await turns.next();
    members += ids.length;
    requireSelectable(members, GROUP);
    groups.set(name, ids);
  }
  const leftOut = new Map<string, OmittedBoundary>();
  const texts = [...new Set([...groups.values()].flat())];
  const boundaries: NamedShape[] = [];
  const placeOf = new Map<string, number>();
  const places = new Map<string, number>();
  for (let from = 0; from < texts.length; from += CHUNK) {
    const some = texts.slice(from, from + CHUNK);
    const shapes = await reading.shapes(some);
    const used = shapes.filter(({ has_geometry }, i) => has_geometry || listed.has(defined(some[i])));
    await requireGeometry(ctx, used);
    (await partsOf(reading, shapes, part)).forEach((boundary, i) => {
      if (!boundary.has_geometry) {
        leftOut.set(boundary.id, omitted(boundary));
        return;
      }
      const known = placeOf.get(boundary.id);
      const place = known ?? boundaries.push(boundary) - 1;
      placeOf.set(boundary.id, place);
      places.set(defined(some[i]), place);
    });
    await turns.next();
  }
  const resolved: { readonly name: string; readonly members: readonly number[] }[] = [];
  for (const [name, ids] of groups) {
    if (turns.spend(ids.length)) await turns.next();
    resolved.push({ name, members: membersIn(name, ids, places) });
  }
  return {
    revision: reading.revision,
    boundaries,
    groups: resolved,
    within: within === undefined ? null : await reading.get(within),
    leftOut: [...leftOut.values()],
  };
}

/** The distinct members of a group that have a polygon. @throws no_geometry when none has one */
function membersIn(name: string, ids: readonly string[], places: ReadonlyMap<string, number>): readonly number[] {
  const members = new Set(ids.map((id) => places.get(id)));
  members.delete(undefined);
  if (members.size > 0) return [...members] as number[];
  throw problem('no_geometry', `No boundary that the group ${name} selects has a polygon.`);
}

/** Members in more than one group, listed in several or inside a member of another: by id, with the groups. */
export async function assignedTwice(ctx: Context, { boundaries, groups, revision }: ResolvedGroups) {
  const place = new Map(boundaries.map(({ id }, i) => [id, i]));
  const nested = await nestedAmong(ctx.services.db, [...place.keys()], ctx.signal);
  if (nested.revision !== revision) throw new DataMoved();
  // Nearly every member has one group: a set for each of 100,000 would take longer than the merge.
  const first = new Int32Array(boundaries.length).fill(-1);
  const others = new Map<number, Set<number>>();
  const assign = (i: number, g: number): void => {
    if (first[i] === -1) first[i] = g;
    else if (first[i] !== g) others.set(i, (others.get(i) ?? new Set()).add(g));
  };
  const groupsOf = (i: number): number[] => [defined(first[i]), ...(others.get(i) ?? [])];
  const turns = new Turns(ctx.signal);
  for (const [g, { members }] of groups.entries()) {
    if (turns.spend(members.length)) await turns.next();
    for (const i of members) assign(i, g);
  }
  // Children inherit only the groups that list their parent: `pairs` has all pairs, however many levels apart.
  const inherited: (readonly [child: number, groups: readonly number[]])[] = [];
  for (const [child, parent] of nested.pairs) {
    const of = groupsOf(place.get(parent) as number);
    if (turns.spend(of.length)) await turns.next();
    inherited.push([place.get(child) as number, of]);
  }
  for (const [child, of] of inherited) {
    if (turns.spend(of.length)) await turns.next();
    for (const g of of) assign(child, g);
  }
  const items = [...others.keys()]
    .sort((a, b) => a - b)
    .slice(0, ITEMS)
    .map((i) => ({
      id: defined(boundaries[i]).id,
      groups: groupsOf(i)
        .map((g) => defined(groups[g]).name)
        .slice(0, LISTED),
    }));
  return { total: others.size, items };
}

/** The part of the enclosing boundary that is in no group; null when none is given. */
export async function unassigned(ctx: Context, { boundaries, within, revision }: ResolvedGroups) {
  if (within === null) return null;
  const levels = [...new Set(boundaries.flatMap(({ admin_level }) => admin_level ?? []))];
  const ids = boundaries.map(({ id }) => id);
  const found = await unassignedIn(ctx.services.db, within.id, levels, ids, LISTED, ctx.signal);
  if (found.revision !== revision) throw new DataMoved();
  return { total: found.total, ids: [...found.ids] };
}
