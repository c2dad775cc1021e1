import { csvCell } from '../../common/csv_cell.ts';
import { defined } from '../../common/elements.ts';
import { Turns } from '../../common/turns.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import type { LocateMember } from '../../domain/points/locate_set.ts';
import { PointMeter } from '../../domain/points/meter.ts';
import { pointRows } from '../../domain/points/rows.ts';
import { FigureTable, type FigureValue, readFigures } from '../../domain/tables/figures.ts';
import { type Located, pointsIn } from './locate.ts';
import { decoded, type Group, groupsOf, type LocateStream, MOST_BYTES, MOST_ROWS } from './locate_stream.ts';
import { PointBatch } from './point_batch.ts';

/** What names the number of points in figures, and its column. */
const POINTS = 'points';
/** The keys of what lies in no boundary of a group, and of all rows. */
const OUTSIDE = '';
const ALL = '*';
/** Limit of the boundaries of an answer times its columns of figures: each of these takes some 300 bytes of memory. */
const MOST_FIGURES = 200_000;
/** Limit of the boundaries of an answer, which are sorted in one turn. */
const MOST_AREAS = 50_000;

/** A row of the answer: its group, the boundary if there is one, and its figures. */
interface Line {
  readonly layer: string;
  readonly member: LocateMember | null;
  readonly points: number;
  readonly values: readonly FigureValue[];
  readonly error: string | null;
}

/** Figures of the points in each boundary of one group. */
class Layer {
  readonly group: Group;
  readonly table: FigureTable;
  readonly points = new Map<string, number>();
  readonly members = new Map<string, LocateMember>();

  constructor(group: Group, table: FigureTable) {
    this.group = group;
    this.table = table;
  }

  add(inside: readonly LocateMember[], cells: readonly string[], line: number): void {
    const own = inside.filter(this.group.has);
    for (const member of own) this.members.set(member.id, member);
    for (const id of own.length === 0 ? [OUTSIDE] : own.map((member) => member.id)) {
      this.points.set(id, (this.points.get(id) ?? 0) + 1);
      if (this.table.figures.length > 0) this.table.add(id, cells, line);
    }
    // A point may be in several areas, and counts once in what shares are parts of.
    if (this.table.figures.some(({ how }) => how === 'share')) this.table.add(ALL, cells, line);
  }

  *lines(): Generator<Line> {
    const layer = this.group.prefix;
    const numberOf = (id: string): number => this.points.get(id) ?? 0;
    const ordered = [...this.members].sort(([a], [b]) => numberOf(b) - numberOf(a) || (a < b ? -1 : 1));
    for (const [id, member] of ordered) {
      yield { layer, member, points: numberOf(id), values: this.table.valuesOf(id, ALL), error: null };
    }
    if (numberOf(OUTSIDE) === 0) return;
    const values = this.table.valuesOf(OUTSIDE, ALL);
    yield { layer, member: null, points: numberOf(OUTSIDE), values, error: 'in no boundary' };
  }
}

/**
 * One row for each boundary that contains points of a stream, those with the most points first: their number, and figures of
 * their columns. What lies in no boundary has a row, and rows without a valid point are counted in the last one. Nothing is
 * sent before all is read, so that a failure is an error, never a part of the figures, and is not charged.
 * @param asked figures as join takes them, `points` for the number of points alone
 * @throws invalid_input with the line and the column; quota_exceeded; rate_limited when the data changed meanwhile
 */
export async function* locateFigures(
  ctx: Context,
  { format, chunks, filter, fields, source, asked }: LocateStream & { readonly asked: readonly string[] },
): AsyncGenerator<Uint8Array, void, undefined> {
  const rows = pointRows(format, source);
  const meter = new PointMeter(ctx.services.billing, ctx.caller, 'locate_points', true);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const turns = new Turns(ctx.signal);
  const named = [...new Set(asked)].filter((text) => text !== POINTS);
  const seen = new Set<number>();
  let columns: readonly string[] = [];
  let layers: readonly Layer[] | null = null;
  let revision: number | null = null;
  let faults = 0;
  let fault = '';
  let taken = 0;
  let isSent = false;

  const begin = (): readonly Layer[] => {
    columns = rows.table?.columns ?? [...new Set(named.flatMap((text) => columnsIn(text)))];
    const figures = readFigures(named, columns);
    const twice = figures.find(({ name }) => ['layer', ...fields, POINTS, 'error'].includes(name));
    if (twice !== undefined) {
      throw invalidInput([{ path: 'figures', code: 'conflict', message: `${twice.name} is a column of the answer` }]);
    }
    return groupsOf(filter).map(
      (group) => new Layer(group, new FigureTable(figures, columns, rows.table?.separator ?? ',')),
    );
  };

  const note = (cells: readonly string[]): void => {
    if (rows.table !== null || seen.size === columns.length) return;
    for (const [i, cell] of cells.entries()) if (cell !== '') seen.add(i);
  };

  const work = async (batch: PointBatch, lines: readonly number[], all: readonly Layer[]): Promise<void> => {
    if (batch.points > 0 && (await meter.take(batch.points)) < batch.points) {
      throw meter.refusal ?? problem('quota_exceeded', 'The units do not cover these points.');
    }
    taken += batch.points;
    const found: Located | null = batch.points === 0 ? null : await pointsIn(ctx, filter, batch.coordinates());
    revision ??= found?.revision ?? null;
    if (found !== null && found.revision !== revision) {
      throw problem('rate_limited', 'The boundaries changed while the points were counted. Send them again.', {
        retry_after: 1,
      });
    }
    let row = 0;
    let point = 0;
    for (const { text, fault: reason, line } of batch.each()) {
      if (turns.spend(1 + named.length)) await turns.next();
      if (reason !== null) {
        fault ||= `line ${line}: ${reason}`;
        faults++;
      } else {
        const { members, end, items } = found as Located;
        const inside = items.subarray(point === 0 ? 0 : defined(end[point - 1]), defined(end[point]));
        const cells = named.length === 0 ? [] : rows.values(text, columns);
        note(cells);
        const own = Array.from(inside, (item) => defined(members[item]));
        for (const layer of all) layer.add(own, cells, defined(lines[row]));
        point++;
        const areas = all.reduce((sum, layer) => sum + layer.members.size, 0);
        if (areas > MOST_AREAS || areas * named.length > MOST_FIGURES) {
          throw problem('too_large', `The points are in ${areas} boundaries or more: ask for fewer levels or figures.`);
        }
      }
      row++;
    }
  };

  try {
    let batch = new PointBatch();
    let lines: number[] = [];
    const add = (some: ReturnType<typeof rows.push>): void => {
      batch.add(some);
      for (const { line } of some) lines.push(line);
    };
    const chunk = chunks[Symbol.asyncIterator]();
    for (let ended = false; !ended; ) {
      const got = await chunk.next();
      ctx.signal.throwIfAborted();
      const text = decoded(decoder, got);
      if (text === null) throw invalidInput([{ path: '', code: 'invalid_line', message: 'the body is not UTF-8' }]);
      add(rows.push(text));
      ended = got.done === true;
      if (ended) add(rows.end());
      if (rows.failure !== null) throw invalidInput([{ path: '', code: 'invalid_line', message: rows.failure }]);
      if (batch.rows === 0 || (!ended && batch.rows < MOST_ROWS && batch.bytes < MOST_BYTES)) continue;
      layers ??= begin();
      await work(batch, lines, layers);
      batch = new PointBatch();
      lines = [];
    }
    layers ??= begin();
    if (rows.table === null && taken > 0) {
      const missing = columns.filter((_, i) => !seen.has(i));
      if (missing.length > 0) {
        const message = `no row has a value of ${missing.join(', ')}`;
        throw invalidInput([{ path: 'figures', code: 'not_found', message }]);
      }
    }
    const said = faults === 0 ? null : `${faults === 1 ? 'a row' : `${faults} rows`} without a valid point; ${fault}`;
    const answered = answer(format === 'text/csv', fields, layers, said);
    isSent = true;
    for (const piece of answered) {
      yield piece;
      if (turns.spend()) await turns.next();
    }
  } finally {
    // From its first line on the answer is paid for, whoever stops to read it.
    await (isSent ? meter.end() : meter.refund());
  }
}

/** The columns that a figure names: `rate:mean:people` names two. */
function columnsIn(figure: string): string[] {
  const [column = '', , weight] = figure.split(':').map((part) => part.trim());
  return weight === undefined ? [column] : [column, weight];
}

/** The text of all lines, as CSV or as a JSON object in each line. */
function* answer(
  isCsv: boolean,
  fields: LocateStream['fields'],
  layers: readonly Layer[],
  said: string | null,
): Generator<Uint8Array> {
  const names = defined(layers[0]).table.figures.map(({ name }) => name);
  const columns = ['layer', ...fields, POINTS, ...names, 'error'];
  const text = (values: readonly unknown[]): string => {
    if (isCsv) return `${values.map(csvCell).join(',')}\n`;
    return `${JSON.stringify(Object.fromEntries(columns.map((column, i) => [column, values[i] ?? null])))}\n`;
  };
  if (isCsv) yield Buffer.from(`${columns.map(csvCell).join(',')}\n`);
  for (const layer of layers) {
    for (const { member, points, values, error } of layer.lines()) {
      yield Buffer.from(
        text([layer.group.prefix, ...fields.map((field) => member?.[field]), points, ...values, error]),
      );
    }
  }
  if (said !== null) yield Buffer.from(text([null, ...fields.map(() => null), null, ...names.map(() => null), said]));
}
