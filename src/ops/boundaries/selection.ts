import { z } from 'zod';
import { defined, four } from '../../common/elements.ts';
import { searchedServices } from '../../core/dated.ts';
import { type Issue, invalidInput, problem } from '../../core/errors.ts';
import { lengthOf } from '../../core/input.ts';
import type { Context } from '../../core/op.ts';
import { adminLevel, boundaryId, commaList, kind, opaqueId, setName } from '../../core/schemas.ts';
import { idsOf, requireSubdivided, type SubdivisionFilter } from '../../domain/boundaries/children.ts';
import { type PartAsked, partAsked } from '../../domain/boundaries/land.ts';
import { selectionOfParts } from '../../domain/boundaries/parts.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/reads.ts';
import {
  type BoundaryList,
  listPlace,
  listSet,
  MAX_SELECTED,
  type Member,
  type OmittedBoundary,
  type ResolvedSelection,
  requireSelectable,
  resolveSelection,
  type SelectionLimit,
} from '../../domain/boundaries/selection.ts';
import { acting } from '../orgs/org.ts';
import { outlineFor } from './children.ts';
import { onSnapshot, parentFor, shapesFor, withCandidates } from './fetched.ts';
import { requireOfficial } from './official.ts';
import { canonicalId } from './schema.ts';

/** Limit of the listed ids up to which missing boundaries are fetched; with more, only stored ones are used. */
const MOST_FETCHED = 50;

/** The fields of a selection, for any operation over many boundaries: those of one of the forms of selectionForms(). */
export const selectionFields = {
  ids: z.array(boundaryId).min(1).max(MAX_SELECTED).optional().describe('These boundaries.'),
  children_of: boundaryId
    .optional()
    .describe('The subdivisions of this boundary: those that tile it, unless admin_level or levels is given.'),
  levels: z.enum(['direct', 'all']).optional().describe('With children_of. Default: direct.'),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code')
    .optional()
    .describe('ISO 3166-1 alpha-2: the boundaries in it of a kind, an admin_level or both.'),
  within: commaList(z.number())
    .length(4)
    .optional()
    .describe(
      '[west, south, east, north] in degrees: boundaries completely inside. West > east across the antimeridian.',
    ),
  file_id: opaqueId.optional().describe('The boundaries that this file of the library is made of.'),
  set: setName.optional().describe('The areas of this area set.'),
  kind: kind.optional().describe('With country or within.'),
  admin_level: adminLevel.optional().describe('With children_of, country or within.'),
} as const;

/** A selection of boundaries as an object. */
export type Selection = z.output<z.ZodObject<typeof selectionFields>>;

/** The forms of a selection within an input, with up to `most` listed ids. */
export function selectionForms(most: number) {
  const { levels, kind, admin_level, country, within, file_id, set } = selectionFields;
  const ids = z.array(boundaryId).min(1).max(most);
  return z
    .union([
      ids,
      z.strictObject({ ids }),
      z.strictObject({ children_of: boundaryId, admin_level, levels }),
      z.strictObject({ country: country.unwrap(), kind, admin_level }),
      z.strictObject({ within: within.unwrap(), kind, admin_level }),
      z.strictObject({ file_id: file_id.unwrap() }),
      z.strictObject({ set: set.unwrap() }),
    ])
    .describe(
      'Boundary ids, or a selection as export_collection takes it: {"children_of": id} for what tiles a boundary, with ' +
        '"admin_level" for a level; "country", or "within" a box, with "kind" or "admin_level"; "file_id"; "set".',
    );
}
/** A selection within an input. */
export type SelectionForm = z.output<ReturnType<typeof selectionForms>>;

/** A selection in any form as an object. */
export const asSelection = (given: SelectionForm): Selection => (Array.isArray(given) ? { ids: given } : given);

/** The ids that a selection names, those of its parent included. */
export function idsNamedIn(given: SelectionForm): readonly string[] {
  const { ids, children_of } = asSelection(given);
  return ids ?? (children_of === undefined ? [] : [children_of]);
}

/** Number of the ids that a selection lists, before it is validated. */
export function countListed(given: unknown): number {
  const { ids } = (given ?? {}) as { readonly ids?: unknown };
  return Math.max(lengthOf(given), lengthOf(ids));
}

const BASES = ['ids', 'children_of', 'country', 'within', 'file_id', 'set'] as const;

/** Limit of the boundaries listed as left out; all of them are counted. */
const MAX_LISTED = 100;

export const leftOutSchema = z
  .object({
    count: z.int(),
    items: z.array(z.object({ id: canonicalId, name: z.string(), reason: z.string() })).describe('The first 100.'),
  })
  .describe('Selected boundaries that are not in the result because they have no polygon.');

/** What an answer says of the boundaries that are left out. */
export const leftOutOf = (all: readonly OmittedBoundary[]): z.input<typeof leftOutSchema> => ({
  count: all.length,
  items: all.slice(0, MAX_LISTED),
});

/** Errors of resolving a selection, besides those of any call. */
export const SELECTION_ERRORS = ['invalid_input', 'invalid_id', 'not_found', 'no_children', 'too_large'] as const;

/**
 * Checks the ids of a selection before they are validated. Only the first invalid one is reported: listing what is
 * wrong with thousands is not worth the work.
 * @throws too_large for more ids than a selection may have; invalid_input for the first that cannot be an id
 */
export function countSelection({ ids }: Readonly<Record<string, unknown>>): void {
  requireSelectable(lengthOf(ids));
  if (!Array.isArray(ids)) return;
  const at = ids.findIndex((id) => !boundaryId.safeParse(id).success);
  if (at < 0) return;
  throw invalidInput([{ path: `ids.${at}`, code: 'invalid_value', message: 'must be the id of a boundary' }]);
}

/**
 * Checks that there is exactly one base, with filters that go with it. `path`: where the selection is in the input.
 * @throws invalid_input when there is not
 */
export function requireOneBase(given: Selection, path = ''): void {
  const issues: Issue[] = [];
  const bases = BASES.filter((name) => given[name] !== undefined);
  const refuse = (name: string, code: string, message: string) =>
    void issues.push({ path: [path, name].filter(Boolean).join('.'), code, message });
  const list = BASES.join(', ');
  if (bases.length === 0) refuse('', 'missing', `select boundaries by one of ${list}`);
  if (bases.length > 1) refuse(defined(bases[1]), 'conflict', `give one of ${list}; ${bases.join(' and ')} are given`);
  const [base] = bases;
  const takes = (...names: readonly (typeof BASES)[number][]) => base === undefined || names.includes(base);
  if (given.levels !== undefined && !takes('children_of'))
    refuse('levels', 'conflict', 'can only be used with children_of');
  if (given.kind !== undefined && !takes('country', 'within')) {
    refuse('kind', 'conflict', 'can only be used with country or within');
  }
  if (given.admin_level !== undefined) {
    if (!takes('children_of', 'country', 'within')) {
      refuse('admin_level', 'conflict', 'can only be used with children_of, country or within');
    }
    if (given.levels !== undefined) refuse('levels', 'conflict', 'give admin_level or levels, not both');
  }
  if (base === 'country' && given.kind === undefined && given.admin_level === undefined) {
    refuse('country', 'missing', 'needs kind, admin_level or both');
  }
  if (given.within !== undefined) {
    const [west, south, east, north] = four(given.within);
    if (![west, east].every((x) => Math.abs(x) <= 180) || ![south, north].every((y) => Math.abs(y) <= 90)) {
      refuse('within', 'out_of_range', 'must be degrees: longitudes from -180 to 180, latitudes from -90 to 90');
    } else if (south > north) refuse('within', 'out_of_range', 'must have south at most north');
  }
  if (issues.length > 0) throw invalidInput(issues);
}

/** The members of a selection that have a polygon. @throws no_geometry when none has a polygon */
export function membersOf({ members, leftOut }: ResolvedSelection): readonly Member[] {
  if (members.length > 0) return members;
  const { id, name, reason } = defined(leftOut[0]);
  const more = leftOut.length > 1 ? `, nor has any other of the ${leftOut.length} selected` : '';
  throw problem('no_geometry', `${id} (${name}) has no polygon: ${reason}${more}.`);
}

const whichOf = ({ admin_level, levels }: Selection): SubdivisionFilter =>
  admin_level === undefined ? { levels: levels ?? 'direct' } : { adminLevel: admin_level };

/**
 * The boundaries of a selection, each once: listed ones in the given order, all others by local name. Boundaries
 * without a polygon, or without the part that is asked for, are in leftOut.
 * @throws what idsSelected() throws; not_found for an empty selection
 */
export async function selectBoundaries(
  ctx: Context,
  given: Selection & PartAsked,
  limit?: SelectionLimit,
): Promise<ResolvedSelection> {
  requireOneBase(given);
  const part = partAsked(given);
  const ids = given.file_id === undefined ? given.ids : [await boundaryOfFile(ctx, given.file_id)];
  // Fetch from an upstream source first, because that may change the data.
  if (ids && ids.length <= MOST_FETCHED) await shapesFor(ctx, ids);
  if (given.children_of !== undefined) await parentFor(ctx, given.children_of, whichOf(given));
  return onSnapshot(ctx, async (reading) => {
    const named = requireSome(await idsSelected(ctx, reading, ids ? { ids } : given, limit));
    const found = ids && (await withCandidates(ctx, ids, () => reading.shapes(ids))).map(({ id }) => id);
    const list = { revision: reading.revision, ids: found ?? named };
    const selected = await resolveSelection(ctx.services.db, list, ctx.signal);
    return selectionOfParts(reading, selected, part);
  });
}

/**
 * The ids of a selection as a reading has them: listed ones as they are given, all others canonical, by local name.
 * Only what is stored counts.
 * @throws invalid_input; no_children; not_found for an unknown parent; the error of `limit`, with the count
 */
export async function idsSelected(
  ctx: Context,
  reading: Snapshot,
  given: Selection,
  limit?: SelectionLimit,
): Promise<readonly string[]> {
  const found = await listOf(ctx, reading, given, limit);
  if (found.revision !== reading.revision) throw new DataMoved();
  requireSelectable(found.ids.length, limit);
  return found.ids;
}

/** The ids of a selection that must have some. @throws not_found */
export function requireSome(ids: readonly string[]): readonly string[] {
  if (ids.length > 0) return ids;
  throw problem('not_found', 'The selection is empty: no boundary fits it.');
}

async function listOf(
  ctx: Context,
  reading: Snapshot,
  given: Selection,
  limit: SelectionLimit | undefined,
): Promise<BoundaryList> {
  const { ids, file_id, set, children_of, country, within, kind, admin_level: adminLevel } = given;
  const { revision } = reading;
  if (ids) return { revision, ids };
  if (file_id !== undefined) return { revision, ids: [await boundaryOfFile(ctx, file_id)] };
  if (set !== undefined) return listSet(ctx.services.db, set, ctx.signal, limit);
  if (children_of !== undefined) {
    requireOfficial('children_of', children_of, 'children');
    const which = whichOf(given);
    const parent = await reading.get(children_of);
    requireSubdivided(parent, which);
    const outline = await outlineFor(ctx, reading, parent, which);
    requireSelectable(outline.total, limit);
    return { revision, ids: idsOf(outline, 0, outline.total) };
  }
  const filters = { kind, adminLevel };
  const place =
    country === undefined ? { ...filters, box: four(within ?? []) } : { ...filters, country: country.toUpperCase() };
  return listPlace(searchedServices(ctx.services).db, place, { signal: ctx.signal, limit });
}

/** The boundary that a library file is made of. @throws not_found when the caller cannot see the file */
async function boundaryOfFile(ctx: Context, id: string): Promise<string> {
  const { entry } = await ctx.services.files.get(acting(ctx), id);
  if (entry.boundary_id === null) {
    throw invalidInput([{ path: 'file_id', code: 'conflict', message: 'must be a file of a single boundary' }]);
  }
  return entry.boundary_id;
}
