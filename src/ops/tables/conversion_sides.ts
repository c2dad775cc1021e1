/** What a conversion reads: the columns of its table, and the boundaries of all sides. */
import { defined } from '../../common/elements.ts';
import { Turns } from '../../common/turns.ts';
import { contextAsOf } from '../../core/dated.ts';
import { invalidInput } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import { type NamedShape, shownId } from '../../domain/boundaries/boundary.ts';
import type { Snapshot } from '../../domain/boundaries/reads.ts';
import { type OmittedBoundary, requireSelectable, type SelectionLimit } from '../../domain/boundaries/selection.ts';
import type { Column } from '../../domain/tables/conversion.ts';
import { numberInCell, placeOf } from '../../domain/tables/figures.ts';
import { FOR_A_UNIT, resolveSides } from '../boundaries/crosswalk.ts';
import { attributionOf } from '../boundaries/document.ts';
import { onSnapshot, requireGeometry, withCandidates } from '../boundaries/fetched.ts';
import { asSelection, idsNamedIn, idsSelected, type SelectionForm } from '../boundaries/selection.ts';
import { type JoinTable, readJoin } from './join_rows.ts';
import type { Given } from './pieces.ts';

export { FOR_A_UNIT };

/** Limits of the areas of one side, and of the finer boundaries with weights. */
export const AREAS: SelectionLimit = { most: 5_000, code: 'too_many_boundaries', of: 'one side' };
export const FINE: SelectionLimit = { most: 20_000, code: 'too_many_boundaries', of: 'weights' };

/** The input of a conversion. */
interface ConversionInput {
  readonly csv: string;
  readonly id_column?: string;
  readonly counts?: readonly string[];
  readonly rates?: readonly string[];
  readonly b: SelectionForm;
  readonly as_of_b?: string | undefined;
  readonly weights?: SelectionForm;
  readonly weights_csv?: string;
  readonly as_of_weights?: string | undefined;
}

/** A table to convert: the id of each row, and its columns. */
export interface ConversionTable {
  /** The ids as they are written, with their lines. */
  readonly table: readonly { readonly id: string; readonly line: number }[];
  readonly without: number;
  readonly counts: readonly Column[];
  readonly rates: readonly Column[];
  /** Finer boundaries by their ids, with weights. */
  readonly weights: readonly (readonly [id: string, weight: number])[] | null;
}

/** The boundaries of all sides, each distinct one once; a is in the order of the rows of the table. */
export interface Conversion extends Given {
  readonly revision: number;
  readonly leftOut: readonly OmittedBoundary[];
  readonly withoutWeight: number;
  readonly attribution: string;
}

const wrong = (path: string, code: 'invalid_line' | 'duplicate' | 'invalid_value', message: string) =>
  invalidInput([{ path, code, message }]);

/** Reads the tables of a conversion. @throws invalid_input with the line and the column */
export async function readConversion(given: ConversionInput, signal: AbortSignal): Promise<ConversionTable> {
  const { csv, id_column } = given;
  const read = await readJoin({ csv, ...(id_column === undefined ? {} : { id_column }) }, signal);
  const turns = new Turns(signal);
  const numbers = async (name: string, path: string): Promise<Column> => {
    const column = placeOf(read.table.columns, name, path);
    const values: (number | null)[] = [];
    for (const { cells, line } of read.rows) {
      if (turns.spend()) await turns.next();
      values.push(numberInCell(cells[column] ?? '', read.table.separator, line, name));
    }
    return { name: read.table.columns[column] ?? name, values, weights: null };
  };
  const counts: Column[] = [];
  for (const [i, name] of (given.counts ?? []).entries()) counts.push(await numbers(name, `counts.${i}`));
  const rates: Column[] = [];
  for (const [i, text] of (given.rates ?? []).entries()) {
    const [name = '', by, ...more] = text.split(':').map((part) => part.trim());
    if (more.length > 0) throw wrong(`rates.${i}`, 'invalid_value', 'must be column or column:weights');
    const rate = await numbers(name, `rates.${i}`);
    const weights = by === undefined ? null : (await numbers(by, `rates.${i}`)).values;
    if (weights?.some((weight) => weight !== null && weight < 0)) {
      throw wrong(`rates.${i}`, 'invalid_value', `a weight in ${by} is negative`);
    }
    rates.push({ ...rate, weights });
  }
  const names = [...counts, ...rates].map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw wrong('counts', 'duplicate', `${twice} is there twice`);
  requireSelectable(read.rows.length, AREAS);
  return {
    table: idsOf(read),
    ...{ without: read.without, counts, rates },
    weights: given.weights_csv === undefined ? null : await readWeights(given.weights_csv, signal),
  };
}

const idsOf = ({ rows, id }: JoinTable) => rows.map(({ cells, line }) => ({ id: (cells[id] ?? '').trim(), line }));

async function readWeights(csv: string, signal: AbortSignal): Promise<(readonly [string, number])[]> {
  const read = await readJoin({ csv }, signal);
  const column = placeOf(read.table.columns, 'weight', 'weights_csv');
  requireSelectable(read.rows.length, FINE);
  const ids = idsOf(read);
  return read.rows.flatMap(({ cells, line }, i): (readonly [string, number])[] => {
    const weight = numberInCell(cells[column] ?? '', read.table.separator, line, 'weight');
    if (weight !== null && weight < 0) throw wrong('weights_csv', 'invalid_line', `line ${line}: a negative weight`);
    return weight === null ? [] : [[defined(ids[i]).id, weight]];
  });
}

/** Resolves the boundaries of a conversion at a reading. @throws invalid_input for an area that is in the table twice */
export async function resolveConversion(
  ctx: Context,
  reading: Snapshot,
  { table, weights }: ConversionTable,
  given: ConversionInput,
): Promise<Conversion> {
  const ids = table.map(({ id }) => id);
  return withCandidates(ctx, [...ids, ...idsNamedIn(given.b)], async () => {
    const sides = await resolveSides(ctx, reading, [ids, given.b], { limit: AREAS, asOfB: given.as_of_b });
    const boundaries = [...sides.boundaries];
    const places = new Map(boundaries.map((one, place) => [shownId(one), place]));
    const lines = new Map<number, number>();
    const a = (await reading.shapes(ids)).map((one, row) => {
      const place = defined(places.get(shownId(one)));
      const line = defined(table[row]).line;
      const before = lines.get(place);
      if (before !== undefined) {
        throw wrong('csv', 'duplicate', `line ${line}: ${one.id} is in line ${before} already`);
      }
      lines.set(place, line);
      return place;
    });
    const finer = await resolveFiner(ctx, reading, weights, given);
    const fine = finer.boundaries.map((one) => {
      const place = places.get(shownId(one)) ?? boundaries.push(one) - 1;
      places.set(shownId(one), place);
      return place;
    });
    return {
      ...{ revision: reading.revision, boundaries, a, b: sides.b, fine, weights: finer.weights },
      ...{ leftOut: sides.leftOut, withoutWeight: finer.without, attribution: attributionOf(boundaries) },
    };
  });
}

interface Finer {
  readonly boundaries: readonly NamedShape[];
  readonly weights: readonly number[];
  readonly without: number;
}

/** The finer boundaries with their weights: those of a table, or the populations of a selection. */
async function resolveFiner(
  ctx: Context,
  reading: Snapshot,
  listed: ConversionTable['weights'],
  { weights: selection, as_of_weights: asOf }: ConversionInput,
): Promise<Finer> {
  const form = listed === null ? selection : listed.map(([id]) => id);
  if (form === undefined) return { boundaries: [], weights: [], without: 0 };
  const there = asOf === undefined ? ctx : await contextAsOf(ctx, asOf);
  const read = async (then: Snapshot) => {
    const ids = await idsSelected(there, then, asSelection(form), FINE);
    const shapes = (await then.shapes(ids)).filter(({ has_geometry }) => listed !== null || has_geometry);
    await requireGeometry(there, shapes);
    const dated = asOf === undefined ? {} : { dated: { date: asOf, db: there.services.db } };
    const found = shapes.map((one): NamedShape => ({ ...one, ...dated }));
    return { found, weightOf: await weightsOf(then, found, listed) };
  };
  const { found, weightOf } = asOf === undefined ? await read(reading) : await onSnapshot(there, read);
  const used = found.filter(({ id }) => weightOf.has(id));
  if (used.length === 0)
    throw wrong('weights', 'invalid_value', 'none of the boundaries has a population: give weights_csv');
  return {
    ...{ boundaries: used, weights: used.map(({ id }) => defined(weightOf.get(id))) },
    without: found.length - used.length,
  };
}

/** The weight of each finer boundary, by its canonical id. @throws invalid_input for one that is listed twice */
async function weightsOf(
  then: Snapshot,
  found: readonly NamedShape[],
  listed: ConversionTable['weights'],
): Promise<ReadonlyMap<string, number>> {
  const weights = new Map<string, number>();
  if (listed === null) {
    for (const { id, boundary } of await then.byIds(found.map(({ id }) => id))) {
      if (boundary.population !== null) weights.set(id, boundary.population);
    }
    return weights;
  }
  for (const [i, { id }] of found.entries()) {
    if (weights.has(id)) throw wrong('weights_csv', 'duplicate', `${id} is there twice`);
    weights.set(id, defined(listed[i])[1]);
  }
  return weights;
}
