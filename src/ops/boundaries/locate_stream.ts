import { setTimeout } from 'node:timers/promises';
import { defined } from '../../common/elements.ts';
import { invalidInput } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import type { LocateFilter, LocateMember } from '../../domain/points/locate_set.ts';
import { PointMeter } from '../../domain/points/meter.ts';
import type { AddedCells, PointFormat, PointRow } from '../../domain/points/point_rows.ts';
import { pointRows } from '../../domain/points/rows.ts';
import { type PlacingQuality, type PointSource, qualityIn } from '../../domain/points/text.ts';
import { type Located, pointsIn } from './locate.ts';
import { PointBatch } from './point_batch.ts';

/** The input of a stream of points. */
export interface LocateStream {
  readonly format: PointFormat;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly filter: LocateFilter;
  readonly fields: readonly Exclude<keyof LocateMember, 'ringHash'>[];
  /** The columns with the coordinates, and their reference system. */
  readonly source: PointSource;
}

/** Rows that are looked up together: few at first, so that the first answers come soon. */
const FIRST_ROWS = 1_024;
export const MOST_ROWS = 32_768;
/** Limit in bytes of the rows that are looked up together: a single row may have 64 Ki characters. */
export const MOST_BYTES = 4 * 1_024 * 1_024;
/** Characters that are written at once. */
const PIECE = 64 * 1_024;
/** Limit of the batches being processed; with the one being read, they bound the memory of a stream. */
const MOST_AT_ONCE = 2;
/** Milliseconds that rows wait to be looked up with others. */
const PATIENCE_MS = 50;
/** Separates several values of one column. */
const AND = ';';

/** The columns of one level or kind, or of all boundaries. */
export interface Group {
  readonly prefix: string;
  readonly has: (member: LocateMember) => boolean;
}

/** The groups of a filter: a level or kind each; one of all boundaries if it names none. */
export function groupsOf({ levels, kinds }: LocateFilter): Group[] {
  if (levels.length + kinds.length === 0) return [{ prefix: 'boundary', has: () => true }];
  return [
    ...levels.map((level) => ({ prefix: `admin_${level}`, has: (one: LocateMember) => one.admin_level === level })),
    ...kinds.map((kind) => ({ prefix: kind, has: (one: LocateMember) => one.kind === kind })),
  ];
}

/** Columns about the reference system that was named; none for WGS 84. */
const QUALITY_COLUMNS = ['crs_accuracy_m', 'crs_outside'] as const;

/** Limit of the cached lists of cells. */
const MOST_KEPT = 50_000;

/** The cells added to the rows of points, cached by the boundaries that contain the points. */
class CellsOf {
  private readonly groups: readonly Group[];
  private readonly fields: LocateStream['fields'];
  private readonly quality: PlacingQuality | null;
  private members: Located['members'] = [];
  private readonly kept = new Map<number | string, AddedCells>();

  constructor(groups: readonly Group[], fields: LocateStream['fields'], quality: PlacingQuality | null) {
    this.groups = groups;
    this.fields = fields;
    this.quality = quality;
  }

  /** The cells of point `i`, without an error: the same list object as for other points in the same boundaries. */
  point({ members, end, items }: Located, i: number, { x, y }: Pick<PointRow, 'x' | 'y'>): AddedCells {
    // The boundaries may have changed between two batches.
    if (members !== this.members || this.kept.size > MOST_KEPT) this.kept.clear();
    this.members = members;
    const from = i === 0 ? 0 : defined(end[i - 1]);
    const to = defined(end[i]);
    const isOutside = this.quality?.isOutside(x, y) === true;
    const found = to - from === 1 ? defined(items[from]) : items.subarray(from, to).join();
    const key = isOutside ? `${found} outside` : found;
    let cells = this.kept.get(key);
    if (cells === undefined) {
      const inside = Array.from(items.subarray(from, to), (item) => defined(members[item]));
      const own = this.groups.flatMap((group) => this.cellsIn(group, inside));
      cells = [...own, ...this.cellsOfQuality(isOutside), ['error', null]];
      this.kept.set(key, cells);
    }
    return cells;
  }

  /** How true the point is; outside of the area of its reference system no accuracy is known. */
  private cellsOfQuality(isOutside: boolean): [string, string | null][] {
    if (this.quality === null) return [];
    const { accuracyM } = this.quality;
    const values = [isOutside || accuracyM === null ? null : String(accuracyM), isOutside ? 'yes' : null];
    return QUALITY_COLUMNS.map((column, k) => [column, values[k] ?? null]);
  }

  private cellsIn({ prefix, has }: Group, inside: readonly LocateMember[]): [string, string | null][] {
    const own = inside.filter(has);
    return this.fields.map((field) => {
      const values = own.map((member) => member[field] ?? '');
      return [`${prefix}_${field}`, own.length === 0 ? null : values.join(AND)];
    });
  }
}

/** The decoded text of a chunk, or the remainder at the end; null when it is not UTF-8. */
export function decoded(
  decoder: InstanceType<typeof TextDecoder>,
  { value, done }: IteratorResult<Uint8Array, unknown>,
): string | null {
  try {
    return decoder.decode(done ? undefined : value, { stream: !done });
  } catch {
    return null;
  }
}

/**
 * The rows of a stream, in order, with the boundaries that contain each point; parts are made as they are consumed.
 * Units are reserved for 100,000 points at a time; when none are left, the last row has the error quota_exceeded. Rows
 * that were handed on are charged, whatever ends the stream.
 */
export async function* locateStream(
  ctx: Context,
  { format, chunks, filter, fields, source }: LocateStream,
): AsyncGenerator<Uint8Array, void, undefined> {
  const rows = pointRows(format, source);
  const groups = groupsOf(filter);
  const quality = qualityIn(source.crs);
  const found = groups.flatMap(({ prefix }) => fields.map((field) => `${prefix}_${field}`));
  const columns = [...found, ...(quality === null ? [] : QUALITY_COLUMNS), 'error'];
  const nothing: AddedCells = columns.slice(0, -1).map((column) => [column, null] as const);
  const meter = new PointMeter(ctx.services.billing, ctx.caller, 'locate_points');
  const chunk = chunks[Symbol.asyncIterator]();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const making: { readonly pieces: Promise<Buffer[]>; readonly points: number }[] = [];
  let waiting = new PointBatch();
  /** Processed batches, whose memory is reused. */
  const free: PointBatch[] = [];
  let size = FIRST_ROWS;
  let begun = false;
  let first = true;

  /** Cells by the boundaries that contain a point: neighboring points are in the same ones. */
  const cellsOf = new CellsOf(groups, fields, quality);

  /** The output for rows. `ends`: an error that ends the stream after them; `before`: no row was written yet. */
  async function piecesOf(batch: PointBatch, ends: string | null, before: boolean): Promise<Buffer[]> {
    const found = batch.points === 0 ? null : await pointsIn(ctx, filter, batch.coordinates());
    const pieces: Buffer[] = [];
    let text = '';
    let point = 0;
    const isFirst = () => before && text === '' && pieces.length === 0;
    for (const row of batch.each()) {
      const cells: AddedCells =
        row.fault === null
          ? cellsOf.point(found as Located, point++, row)
          : [...nothing, ['error', `line ${row.line}: ${row.fault}`]];
      text += rows.row(row, cells, isFirst());
      if (text.length < PIECE) continue;
      pieces.push(Buffer.from(text));
      text = '';
    }
    if (ends !== null) text += rows.errorRow(columns, ends, isFirst());
    if (text !== '') pieces.push(Buffer.from(text));
    batch.clear();
    free.push(batch);
    return pieces;
  }

  /** Starts work on the waiting rows, as far as there are units for them. False when units or rows have run out. */
  async function begin(ends: string | null = null): Promise<boolean> {
    if (waiting.rows === 0 && ends === null) return true;
    const { points } = waiting;
    const granted = points === 0 ? 0 : await meter.take(points);
    if (granted < points) waiting.cut(granted);
    const last = granted < points ? 'quota_exceeded' : ends;
    const pieces = piecesOf(waiting, last, first);
    pieces.catch(() => undefined);
    making.push({ pieces, points: granted });
    first = false;
    waiting = free.pop() ?? new PointBatch();
    size = Math.min(MOST_ROWS, 2 * size);
    return last === null;
  }

  async function* made(): AsyncGenerator<Buffer> {
    const pieces = await defined(making[0]).pieces;
    making.shift();
    yield* pieces;
  }

  try {
    let next = chunk.next();
    next.catch(() => undefined);
    for (;;) {
      const idle = waiting.rows > 0 || making.length > 0;
      const stop = new AbortController();
      const got = idle
        ? await Promise.race([next, setTimeout(PATIENCE_MS, null, { signal: stop.signal }).catch(() => null)])
        : await next;
      stop.abort();
      ctx.signal.throwIfAborted();
      if (got === null) {
        const goesOn = await begin();
        while (making.length > 0) yield* made();
        if (!goesOn) break;
        continue;
      }
      const text = decoded(decoder, got);
      let ends: string | null = text === null ? 'the body is not UTF-8' : null;
      if (text !== null) {
        waiting.add(rows.push(text));
        if (got.done) waiting.add(rows.end());
        ends = rows.failure;
      }
      if (!begun) {
        const head = rows.head(columns);
        if (head === null && ends !== null) throw invalidInput([{ path: '', code: 'invalid_line', message: ends }]);
        begun = head !== null;
        if (head) yield Buffer.from(head);
      }
      if (!got.done && ends === null) {
        next = chunk.next();
        next.catch(() => undefined);
      }
      const isFull = waiting.rows >= size || waiting.bytes >= MOST_BYTES;
      const goesOn = isFull || got.done || ends !== null ? await begin(ends) : true;
      while (making.length > (got.done || !goesOn ? 0 : MOST_AT_ONCE - 1)) yield* made();
      if (got.done || !goesOn) break;
    }
    if (rows.tail !== '') yield Buffer.from(rows.tail);
  } finally {
    meter.uncharge(making.reduce((sum, { points }) => sum + points, 0));
    await meter.end();
    // Input that is still to come is not awaited.
    chunk.return?.().catch(() => undefined);
  }
}
