import { z } from 'zod';
import { levelOfTolerance, toleranceMeters } from '../../../workers/arcs/levels.ts';
import { contentType } from '../../../workers/formats/registry.ts';
import type { Column } from '../../../workers/formats/types.ts';
import { defined } from '../../common/elements.ts';
import { Turns } from '../../common/turns.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { bytes, type Context, defineOp } from '../../core/op.ts';
import { asOf, boundaryId, collectionFormat, detail, format, recordedBefore } from '../../core/schemas.ts';
import type { NamedShape, ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { nestedAmong, readGroupTable, unassignedIn } from '../../domain/boundaries/groups.ts';
import { type PartAsked, partAsked, partsOf } from '../../domain/boundaries/land.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/model.ts';
import {
  type OmittedBoundary,
  omitted,
  requireSelectable,
  type SelectionLimit,
} from '../../domain/boundaries/selection.ts';
import { type AreaFile, writeAreas } from '../../geometry/collection_areas.ts';
import type { DissolvedAreas } from '../../geometry/documents.ts';
import type { BoundaryRef } from '../../geometry/engine_model.ts';
import { attributionOf, documentHeaders, geometryOf } from './document.ts';
import { onSnapshot, requireGeometry, withCandidates } from './fetched.ts';
import { keepFile } from './kept_file.ts';
import { canonicalId, checkResolution, featureSchema, part as partFields, tolerance } from './schema.ts';
import {
  asSelection,
  countListed,
  idsNamedIn,
  idsSelected,
  leftOutOf,
  leftOutSchema,
  requireOneBase,
  requireSome,
  SELECTION_ERRORS,
  type SelectionForm,
  selectionForms,
} from './selection.ts';

/** Limits of one call: members of all groups, and groups. */
const MOST = { members: 100_000, groups: 10_000 };
const BODY_BYTES = 8 * 1024 * 1024;
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
async function assignedTwice(ctx: Context, { boundaries, groups, revision }: ResolvedGroups) {
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
async function unassigned(ctx: Context, { boundaries, within, revision }: ResolvedGroups) {
  if (within === null) return null;
  const levels = [...new Set(boundaries.flatMap(({ admin_level }) => admin_level ?? []))];
  const ids = boundaries.map(({ id }) => id);
  const found = await unassignedIn(ctx.services.db, within.id, levels, ids, LISTED, ctx.signal);
  if (found.revision !== revision) throw new DataMoved();
  return { total: found.total, ids: [...found.ids] };
}

const refOf = (boundary: NamedShape): BoundaryRef => geometryOf(boundary);

const aboutSchema = {
  detail: detail.nullable(),
  tolerance_m: z.number().describe('Tolerance of all areas, in meters.'),
  groups: z.int(),
  members: z.int().describe('Distinct boundaries.'),
  assigned_twice: z.object({
    total: z.int(),
    items: z.array(z.object({ id: canonicalId, groups: z.array(z.string()) })).describe('The first 100.'),
  }),
  unassigned: z
    .object({ total: z.int(), ids: z.array(canonicalId).describe('The first 1,000, by id.') })
    .nullable()
    .describe('Null without within.'),
  left_out: leftOutSchema,
  attribution: z.string(),
};

/** Attributes of an area. */
export const AREA_COLUMNS = [
  { name: 'name', type: 'string' },
  { name: 'members', type: 'integer' },
  { name: 'area_km2', type: 'number' },
  { name: 'exact', type: 'integer' },
] as const satisfies readonly Column[];

/** The areas of groups as features with the attributes of AREA_COLUMNS. */
export function featuresOf(areas: DissolvedAreas['areas'], groups: ResolvedGroups['groups']) {
  return areas.map(({ polygons, box, areaKm2, exact }, g) => ({
    polygons,
    box,
    values: [defined(groups[g]).name, defined(groups[g]).members.length, areaKm2, exact ? 1 : 0],
  }));
}

/** Writes the areas of the groups in a format other than GeoJSON, and stores the file. */
async function keepAreas(
  ctx: Context,
  { level, areas }: DissolvedAreas,
  groups: ResolvedGroups['groups'],
  file: Pick<AreaFile, 'format' | 'zipOf' | 'attribution'>,
) {
  const features = featuresOf(areas, groups);
  const parts = writeAreas(
    ctx.services.engine,
    { ...file, level, name: `${groups.length} areas`, columns: AREA_COLUMNS, features },
    ctx.signal,
  );
  return {
    ...(await keepFile(ctx, parts, file.format, 'dissolve')),
    content_type: contentType(file.format),
    format: file.format,
    overlaid: groups.filter((_, g) => !defined(areas[g]).exact).map(({ name }) => name),
  };
}

export const dissolve = defineOp({
  name: 'dissolve',
  summary: 'Merges groups of boundaries into new areas that fit each other, such as sales districts of municipalities.',
  description:
    'Up to 100,000 members in up to 10,000 groups, as groups or as csv. All areas have one tolerance: neighbors share ' +
    'every vertex of their border. The answer is a GeoJSON FeatureCollection with a feature for each group, or in another format ' +
    'the url of a file. assigned_twice lists members of more than one group, unassigned the parts of within that are in no group. ' +
    'exact is false where borders of members cross: such an area may not fit its neighbors above tolerance 0. ' +
    'Members must be stored.',
  route: { method: 'POST', path: '/dissolve' },
  access: RULES.dissolve,
  effect: 'read',
  cost: { units: 1, per: 'boundary', note: 'each distinct member' },
  textBody: { contentType: 'text/csv', field: 'csv' },
  bodyBytes: BODY_BYTES,
  mostValues: MOST.members + MOST.groups + 10,
  mostMembers: MOST.groups + 10,
  input: z.strictObject({
    as_of: asOf,
    recorded_before: recordedBefore,
    groups: z
      .record(z.string().min(1).max(200), selectionForms(MOST.members))
      .optional()
      .describe('What each group is made of, by its name: ids, or a selection. Give groups or csv.'),
    csv: z
      .string()
      .max(BODY_BYTES)
      .optional()
      .describe('A line for each member: its id and its group, or columns named id and group among others.')
      .meta({ operand: true }),
    within: boundaryId
      .optional()
      .describe('Also list the subdivisions of this boundary, at the levels of the members, that are in no group.'),
    detail: detail.optional().describe('Relative to the largest area; the same tolerance for all. Default: medium.'),
    tolerance_m: tolerance.optional(),
    ...partFields,
    format: collectionFormat.default('geojson'),
    zip_of: format.optional().describe('With format zip: the format of its files.'),
  }),
  output: z.union([
    z.object({
      type: z.literal('FeatureCollection'),
      ...aboutSchema,
      features: z.array(
        featureSchema(
          z.object({
            group: z.string(),
            members: z.int().describe('Distinct boundaries in the group.'),
            area_km2: z.number(),
            exact: z.boolean().describe('False where borders of members cross.'),
          }),
        ),
      ),
    }),
    z.object({
      url: z.url(),
      sha256: z.string().length(64),
      bytes: z.int(),
      content_type: z.string(),
      format: collectionFormat,
      ...aboutSchema,
      overlaid: z.array(z.string()).describe('Groups whose members have borders that cross.'),
    }),
  ]),
  success: { documents: [contentType('geojson'), 'application/json'] },
  errors: [...SELECTION_ERRORS, 'unauthorized', 'quota_exceeded', 'too_many_boundaries', 'no_geometry', 'rate_limited'],
  examples: [
    { input: { groups: { west: ['iso:ES-SE'], east: ['iso:ES-CO'] }, within: 'iso:ES-AN' } },
    {
      input: { groups: { west: ['iso:ES-SE'], east: ['iso:ES-CO'] }, format: 'geopackage' },
      note: 'As a file for a GIS',
    },
    {
      input: { groups: { south: { children_of: 'iso:ES-AN' } } },
      note: 'A selection in place of ids',
    },
    { input: { csv: 'id,group\niso:ES-SE,west\niso:ES-CO,east\n', tolerance_m: 256 }, note: 'From a table' },
  ],
  count({ groups, csv }) {
    if (csv !== undefined && csv !== null && groups !== undefined && groups !== null) {
      throw invalidInput([{ path: 'csv', code: 'conflict', message: 'give groups or csv, not both' }]);
    }
    if (typeof groups !== 'object' || groups === null) return;
    let members = 0;
    let names = 0;
    for (const name in groups) {
      const list = (groups as Record<string, unknown>)[name];
      members += countListed(list);
      if (members > MOST.members) {
        throw problem('too_many_boundaries', `Too many members: at most ${MOST.members} per call.`);
      }
      if (++names > MOST.groups)
        throw problem('too_many_boundaries', `Too many groups: at most ${MOST.groups} per call.`);
      if (name === '__proto__') {
        throw invalidInput([{ path: 'groups', code: 'invalid_name', message: 'a group cannot be named __proto__' }]);
      }
    }
  },
  async prepare(ctx, input) {
    checkResolution(input);
    if (input.zip_of !== undefined && input.format !== 'zip') {
      throw invalidInput([{ path: 'zip_of', code: 'conflict', message: 'is for zip only' }]);
    }
    const groups = await groupsOf(input, ctx.signal);
    if (groups.size === 0) {
      throw invalidInput([{ path: 'groups', code: 'missing', message: 'give groups, or csv' }]);
    }
    const first = [...(input.within === undefined ? [] : [input.within]), ...idsToExplain(groups)];
    const division = await withCandidates(ctx, first, () =>
      onSnapshot(ctx, (reading) => resolveGroups(ctx, reading, groups, input)),
    );
    ctx.progress?.(`${division.boundaries.length} boundaries to merge into ${groups.size} areas`);
    return { groups, division };
  },
  price: (_ctx, _input, { division }) => division.boundaries.length,
  async run(ctx, input, { groups, division: found }) {
    const made = await onSnapshot(ctx, async (reading) => {
      const division = found.revision === reading.revision ? found : await resolveGroups(ctx, reading, groups, input);
      const { boundaries } = division;
      const attribution = attributionOf(boundaries);
      const members = {
        groups: groups.size,
        members: boundaries.length,
        assigned_twice: await assignedTwice(ctx, division),
        unassigned: await unassigned(ctx, division),
        left_out: leftOutOf(division.leftOut),
        attribution,
      };
      const level = input.tolerance_m === undefined ? null : levelOfTolerance(input.tolerance_m);
      const wanted = { detail: level === null ? (input.detail ?? 'medium') : null, level };
      const refs = boundaries.map(refOf);
      const { engine } = ctx.services;
      if (input.format === 'geojson') {
        return engine.documents.dissolve(refs, division.groups, { ...wanted, members }, ctx.signal);
      }
      const areas = await engine.documents.dissolveAreas(refs, division.groups, wanted, ctx.signal);
      const file = { format: input.format, zipOf: input.zip_of ?? 'geojson', attribution } as const;
      const kept = await keepAreas(ctx, areas, division.groups, file);
      return { ...kept, detail: wanted.detail, tolerance_m: toleranceMeters(areas.level), ...members };
    });
    if ('url' in made) return made;
    const headers = documentHeaders(made, defined(found.boundaries[0]).source.url);
    return bytes(made.bytes, contentType('geojson'), { headers });
  },
});
