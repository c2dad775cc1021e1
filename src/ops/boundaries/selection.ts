import { z } from 'zod';
import { defined, four } from '../../common/elements.ts';
import { type Issue, invalidInput, problem } from '../../core/errors.ts';
import { lengthOf } from '../../core/input.ts';
import type { Context } from '../../core/op.ts';
import { adminLevel, boundaryId, commaList, kind, opaqueId } from '../../core/schemas.ts';
import { idsOf } from '../../domain/boundaries/children.ts';
import type { Snapshot } from '../../domain/boundaries/model.ts';
import {
  type BoundaryList,
  listPlace,
  MAX_SELECTED,
  type ResolvedSelection,
  requireSelectable,
  resolveSelection,
} from '../../domain/boundaries/selection.ts';
import { acting } from '../orgs/org.ts';
import { outlineFor } from './children.ts';
import { onSnapshot, parentFor, shapesFor, withCandidates } from './fetched.ts';

/** Limit of the listed ids up to which missing boundaries are fetched; with more, only stored ones are used. */
const MOST_FETCHED = 50;

/** The fields of a selection, for any operation over many boundaries; exactly one of its bases must be given. */
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
  kind: kind.optional().describe('With country or within.'),
  admin_level: adminLevel.optional().describe('With children_of, country or within.'),
} as const;

/** A selection of boundaries as an object. */
export const selection = z.strictObject(selectionFields);
export type Selection = z.output<typeof selection>;

const BASES = ['ids', 'children_of', 'country', 'within', 'file_id'] as const;

/** Errors of resolving a selection, besides those of any call. */
export const SELECTION_ERRORS = ['invalid_input', 'invalid_id', 'not_found', 'no_children', 'too_large'] as const;

/**
 * Checks the ids of a selection before they are validated. Only the first invalid one is reported: listing what is
 * wrong with thousands is not worth the work.
 * @throws too_large for more ids than a selection may have; invalid_input for the first that cannot be an id
 */
export function countSelection({ ids }: Readonly<Record<string, unknown>>, most?: number): void {
  requireSelectable(lengthOf(ids), most);
  if (!Array.isArray(ids)) return;
  const at = ids.findIndex((id) => !boundaryId.safeParse(id).success);
  if (at < 0) return;
  throw invalidInput([{ path: `ids.${at}`, code: 'invalid_value', message: 'must be the id of a boundary' }]);
}

/** Checks that there is exactly one base, with filters that go with it. @throws invalid_input when there is not */
export function requireOneBase(given: Selection): void {
  const issues: Issue[] = [];
  const bases = BASES.filter((name) => given[name] !== undefined);
  const refuse = (path: string, code: string, message: string) => void issues.push({ path, code, message });
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

/**
 * The boundaries of a selection, each once: listed ones in the given order, all others by local name. Boundaries
 * without a polygon are in leftOut.
 * @throws what resolving ids throws; no_children; not_found for an empty selection; too_large, with the count, for more
 * than `most`
 */
export async function selectBoundaries(ctx: Context, given: Selection, most?: number): Promise<ResolvedSelection> {
  requireOneBase(given);
  const { db, files } = ctx.services;
  const ids = given.file_id === undefined ? given.ids : [await boundaryOfFile(ctx, files, given.file_id)];
  // Fetch from an upstream source first, because that may change the data.
  if (ids && ids.length <= MOST_FETCHED) await shapesFor(ctx, ids);
  const which = {
    adminLevel: given.admin_level,
    levels: given.admin_level === undefined ? (given.levels ?? 'direct') : undefined,
  };
  const parent = given.children_of === undefined ? null : await parentFor(ctx, given.children_of, which);
  const list = async (reading: Snapshot): Promise<BoundaryList> => {
    const { revision } = reading;
    if (ids) {
      const found = await withCandidates(ctx, ids, () => reading.shapes(ids));
      return { revision, ids: found.map(({ id }) => id) };
    }
    if (parent) {
      const outline = await outlineFor(ctx, reading, await reading.get(parent.id), which);
      requireSelectable(outline.total, most);
      return { revision, ids: idsOf(outline, 0, outline.total) };
    }
    const filters = { kind: given.kind, adminLevel: given.admin_level };
    const place =
      given.country === undefined
        ? { ...filters, box: four(given.within ?? []) }
        : { ...filters, country: given.country.toUpperCase() };
    return listPlace(db, place, ctx.signal, most);
  };
  const selected = await onSnapshot(ctx, async (reading) =>
    resolveSelection(db, await list(reading), ctx.signal, most),
  );
  if (selected.members.length + selected.leftOut.length > 0) return selected;
  throw problem('not_found', 'The selection is empty: no boundary fits it.');
}

/** The boundary that a library file is made of. @throws not_found when the caller cannot see the file */
async function boundaryOfFile(ctx: Context, files: Context['services']['files'], id: string): Promise<string> {
  const { entry } = await files.get(acting(ctx), id);
  if (entry.boundary_id === null) {
    throw invalidInput([{ path: 'file_id', code: 'conflict', message: 'must be a file of a single boundary' }]);
  }
  return entry.boundary_id;
}
