import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import { bytes, type Context, defineOp } from '../../core/op.ts';
import { safeCsv } from '../../core/schemas.ts';
import type { ResolvedSelection } from '../../domain/boundaries/selection.ts';
import { CELL_FORMATS, cellsOf, GRID_SIZES, type GridName } from '../../geometry/cells.ts';
import { CROSSWALK_TYPES } from './crosswalk_table.ts';
import { onSnapshot, UPSTREAM_ERRORS } from './fetched.ts';
import { canonicalId } from './schema.ts';
import {
  countSelection,
  leftOutOf,
  leftOutSchema,
  membersOf,
  SELECTION_ERRORS,
  selectBoundaries,
  selectionFields,
} from './selection.ts';

/** Limit of the cells in an answer, and how many there are when neither a resolution nor a number is given. */
const MOST = { cells: 1_000_000, default: 10_000 };
/** Cells per unit, besides a unit for each boundary. */
const FOR_A_UNIT = 10_000;
const BODY_BYTES = 256 * 1024;
/**
 * How much larger than the average a cell of a grid may be: H3 and S2 by their distortion. Of geohashes and quadkeys the
 * average stands for the equator, where they are largest.
 */
const LARGEST = 2;

const GRID_NAMES = Object.keys(GRID_SIZES) as [GridName, ...GridName[]];
const ranges = GRID_NAMES.map((name) => `${name} ${GRID_SIZES[name].coarsest} to ${GRID_SIZES[name].finest}`).join(
  ', ',
);

const input = z.strictObject({
  ...selectionFields,
  grid: z.enum(GRID_NAMES),
  resolution: z.int().min(0).max(24).optional().describe(`Resolution of all cells: ${ranges}.`),
  max_cells: z
    .int()
    .min(1)
    .max(MOST.cells)
    .optional()
    .describe(
      `In place of resolution: the finest with at most that many cells for all boundaries. Default: ${MOST.default}.`,
    ),
  format: z.enum(CELL_FORMATS).default('json'),
  safe_csv: safeCsv,
});
type Input = z.output<typeof input>;

const cells = z.array(z.string());

export const coverBoundaries = defineOp({
  name: 'cover_boundaries',
  summary: 'The cells of H3, S2, geohashes or quadkeys that boundaries have, for joining points by equality.',
  description:
    'Select boundaries as export_collection does. A full cell is completely inside its boundary, so a point in it needs no ' +
    'geometry; an edge cell is on the border, or passes it within a few centimeters or a few parts of a thousand of its size. ' +
    'All cells have one resolution. CSV and Parquet have a row for each cell: id, cell, cell_id (H3 and S2, as a signed 64-bit ' +
    'number) and full. A coarse max_cells may be too few for any resolution: that is too_large.',
  route: { method: 'POST', path: '/cells' },
  access: RULES.cover_boundaries,
  effect: 'read',
  cost: {
    units: 1,
    per: 'boundary',
    note: `and 1 for every ${FOR_A_UNIT} cells, by max_cells, or by the area at resolution`,
  },
  bodyBytes: BODY_BYTES,
  mostValues: 5_100,
  readsSets: true,
  input,
  output: z.object({
    grid: z.enum(GRID_NAMES),
    attribution: z.string(),
    left_out: leftOutSchema,
    resolution: z.int(),
    full: z.int().describe('Number of full cells, each boundary counted.'),
    edge: z.int(),
    items: z.array(
      z.object({
        id: canonicalId,
        full: cells.describe('Cells that are completely inside.'),
        edge: cells.describe('Cells on the border: ask geometry for their points.'),
      }),
    ),
  }),
  success: { documents: CELL_FORMATS.map((name) => CROSSWALK_TYPES[name]), headers: ['Boundary-Collection'] },
  errors: [...SELECTION_ERRORS, 'unauthorized', 'quota_exceeded', 'no_geometry', ...UPSTREAM_ERRORS, 'rate_limited'],
  examples: [
    { input: { ids: ['iso:ES-SE'], grid: 'h3', resolution: 5 } },
    {
      input: { children_of: 'iso:ES-AN', grid: 'quadkey', max_cells: 2_000, format: 'csv' },
      note: 'A budget of cells',
    },
  ],
  count: countSelection,
  async prepare(ctx, given) {
    checkFineness(given);
    const selected = await selectBoundaries(ctx, given);
    const ids = membersOf(selected).map(({ id }) => id);
    const areaKm2 = await onSnapshot(ctx, async (reading) => {
      const found = await reading.byIds(ids);
      return found.reduce((sum, { area_km2 }) => sum + (area_km2 ?? 0), 0);
    });
    const estimate = given.resolution === undefined ? null : areaKm2 / GRID_SIZES[given.grid].areaKm2(given.resolution);
    if (estimate !== null && estimate > LARGEST * MOST.cells) {
      throw problem(
        'too_large',
        `The boundaries have about ${Math.round(estimate)} cells of resolution ${given.resolution}; ` +
          `one call gives at most ${MOST.cells}. Ask for a coarser resolution, for max_cells, or for fewer boundaries.`,
      );
    }
    const expected = Math.min(estimate ?? given.max_cells ?? MOST.default, MOST.cells);
    ctx.progress?.(`${ids.length} boundaries to cover`);
    return { selected, units: ids.length + Math.ceil(expected / FOR_A_UNIT) };
  },
  price: (_ctx, _input, { units }) => units,
  async run(ctx, given, { selected }) {
    const { made, stored } = await onSnapshot(ctx, async (reading) => {
      const stored = reading.revision === selected.revision ? selected : await selectBoundaries(ctx, given);
      return { stored, made: await coverOf(ctx, given, stored) };
    });
    const { length } = stored.leftOut;
    return bytes(made.bytes, CROSSWALK_TYPES[given.format], {
      headers: {
        'Boundary-Collection': `resolution=${made.resolution}, full=${made.full}, edge=${made.edge}, left_out=${length}`,
      },
    });
  },
});

/** Refuses a resolution that the grid does not have, and two answers to how many cells. @throws invalid_input */
function checkFineness({ grid, resolution, max_cells }: Input): void {
  if (resolution === undefined) return;
  const { coarsest, finest } = GRID_SIZES[grid];
  if (resolution < coarsest || resolution > finest) {
    const message = `must be ${coarsest} to ${finest} for ${grid}`;
    throw invalidInput([{ path: 'resolution', code: 'out_of_range', message }]);
  }
  if (max_cells === undefined) return;
  throw invalidInput([{ path: 'max_cells', code: 'conflict', message: 'give resolution or max_cells, not both' }]);
}

function coverOf(ctx: Context, { grid, resolution, max_cells, format }: Input, stored: ResolvedSelection) {
  const members = membersOf(stored);
  const wanted = {
    grid,
    format,
    fineness: resolution === undefined ? { mostCells: max_cells ?? MOST.default } : { resolution },
    head: {
      grid,
      attribution: [...new Set(members.map(({ attribution }) => attribution))].join('; '),
      left_out: leftOutOf(stored.leftOut),
    },
    mostCells: MOST.cells,
  };
  const refs = members.map(({ id, ringHash }) => ({ id, ringHash, adminLevel: null }));
  return cellsOf(ctx.services.engine, refs, wanted, ctx.signal);
}
