/**
 * Draws boundaries on the grid of one tile, from their arcs: the rings of each, and every border once. All vertices
 * come from the same tier of the same arcs, so adjacent boundaries and adjacent tiles share every vertex.
 */

import { type IsCancelled, throwIfCancelled } from '../cancel.ts';
import { type ArcTable, MASKS_PER_END, type Rings } from '../contract.ts';
import { Points } from './clip.ts';
import { fillRing, wordsOf } from './layout.ts';
import { roundTo, unitOf } from './levels.ts';
import { FIXED, THIN_REACH } from './thin.ts';
import { emit, HALF_TURN, NEW, NEW_MARKED, type RingSink, SEEN, type TilePlace, TileRing } from './tile_ring.ts';

/** A tile, and the level at which it is drawn. */
export interface TileFrame extends TilePlace {
  /** FULL or 0 … 15. */
  readonly level: number;
  readonly endClass: number;
}

/** Receives what is in the tile. Coordinates are on its grid; `points` is valid only during the call. */
export interface TileSink {
  /** A ring of boundary `b`. Shells are clockwise on the screen; holes follow their shell and are counterclockwise. */
  ring(b: number, points: Int32Array, count: number): void;
  /** A border that no boundary before `b` has. `marked`: a marked boundary has it too. */
  line(b: number, marked: boolean, points: Int32Array, count: number): void;
}

/** Inner vertices of an arc on the grid: a part of Drawing.store. */
interface Stretch {
  readonly from: number;
  readonly count: number;
}

/**
 * Tiers from this level on (128 m: zooms up to 8) are thinned. In them, one vertex in five is kept only because of
 * rivers narrower than the tolerance; at later zooms, one in a hundred.
 */
const THINNED_LEVEL = 7;

/** The state of one tile while it is drawn. */
class Drawing extends TileRing {
  private readonly store = new Points();
  private readonly whole = new Map<number, Stretch>();
  private readonly short = new Map<number, Stretch>();
  private readonly words: Int32Array;
  private readonly table: ArcTable;
  private readonly frame: TileFrame;
  private readonly thins: boolean;
  /** Rounding unit of the level, for vertices at arc ends. */
  private readonly unit: number;
  private readonly one = new Int32Array(1);
  private room = new Int32Array(4096);

  constructor(table: ArcTable, frame: TileFrame) {
    super(frame, unitOf(frame.level) + 1);
    this.table = table;
    this.frame = frame;
    this.unit = unitOf(frame.level);
    this.thins = frame.level >= THINNED_LEVEL;
    this.words = wordsOf(table.weights);
  }

  /** Adds the vertices of an arc in walking order, except the last. */
  walk(ref: number, flag: number, jumps: boolean): void {
    const { table, frame } = this;
    const arc = ref < 0 ? ~ref : ref;
    const masks = (2 * arc + (ref < 0 ? 1 : 0)) * MASKS_PER_END;
    const { level } = frame;
    if (this.isKept(2 * arc + (ref < 0 ? 1 : 0))) {
      const fine = level < 0 || ((table.ends[masks + MASKS_PER_END - 1] >> level) & 1) === 1;
      const unit = fine ? 1 : this.unit;
      const v = 2 * (ref < 0 ? table.first[arc] + table.length[arc] - 1 : table.first[arc]);
      const [x, y] = [this.column(roundTo(table.coords[v], unit)), this.row(roundTo(table.coords[v + 1], unit))];
      this.add(x, y, flag | FIXED, jumps);
    }
    const { from, count } = this.inner(arc, jumps);
    const { data } = this.store;
    if (ref < 0) for (let i = from + count - 1; i >= from; i--) this.add(data[2 * i], data[2 * i + 1], flag, jumps);
    else for (let i = from; i < from + count; i++) this.add(data[2 * i], data[2 * i + 1], flag, jumps);
  }

  /** The inner vertices of an arc in forward order. */
  private inner(arc: number, jumps: boolean): Stretch {
    const { table } = this;
    const b = 4 * arc;
    const { box } = table;
    const beside = !jumps && this.isBeside(box[b], box[b + 1], box[b + 2], box[b + 3]);
    const known = beside ? this.short : this.whole;
    const found = known.get(arc);
    if (found) return found;
    const made = beside ? this.ends(arc) : this.all(arc);
    known.set(arc, made);
    return made;
  }

  /**
   * For an arc outside the tile, the vertices that decide where the edges of the arcs before and after it run: where
   * the vertex between two arcs is removed, the vertices next to it.
   */
  private ends(arc: number): Stretch {
    const { weights, first, length } = this.table;
    const { level } = this.frame;
    const from = this.store.count;
    const end = first[arc] + length[arc] - 2;
    const reach = this.thins ? THIN_REACH : 1;
    let low = first[arc] + 1;
    if (!this.isKept(2 * arc)) for (let left = reach; low <= end && left > 0; low++) left -= this.keep(low);
    let high = end;
    if (!this.isKept(2 * arc + 1))
      for (let left = reach; high >= low && left > 0; high--) if (weights[high] > level) left--;
    for (let v = high + 1; v <= end; v++) this.keep(v);
    return { from, count: this.store.count - from };
  }

  /** Whether the vertex at an arc end remains at the level: 2 * arc is its first, 2 * arc + 1 its last. */
  private isKept(end: number): boolean {
    const { level, endClass } = this.frame;
    return level < 0 || ((this.table.ends[end * MASKS_PER_END + endClass] >> level) & 1) === 0;
  }

  /** Finishes the current ring after it is closed. */
  finish(): void {
    if (this.thins) this.thin();
    else this.unfix();
  }

  /** Stores a vertex if it remains at the level; returns 1 if it does, else 0. */
  private keep(v: number): 0 | 1 {
    const { weights, coords } = this.table;
    if (weights[v] <= this.frame.level) return 0;
    this.store.push(this.column(coords[2 * v]), this.row(coords[2 * v + 1]));
    return 1;
  }

  private all(arc: number): Stretch {
    const { table, words, frame, one, store } = this;
    const needed = 2 * table.length[arc] + 2;
    if (this.room.length < needed) this.room = new Int32Array(2 * needed);
    one[0] = arc;
    const { level, endClass } = frame;
    const to = fillRing(table, words, one, 0, 1, level, endClass, this.room, 0, undefined);
    const from = store.count;
    let [lastX, lastY] = [Number.NaN, Number.NaN];
    for (let i = this.isKept(2 * arc) ? 2 : 0; i < to; i += 2) {
      const x = this.column(this.room[i]);
      const y = this.row(this.room[i + 1]);
      if (x === lastX && y === lastY) continue;
      store.push(x, y);
      lastX = x;
      lastY = y;
    }
    return { from, count: store.count - from };
  }
}

/**
 * Per arc of the table, while a tile is drawn: bit 1 once it is drawn, bit 2 when a marked boundary has it. All 0
 * otherwise.
 */
let states = new Uint8Array(0);

/**
 * Draws boundaries into a tile, in the given order; a shared border belongs to the first boundary that has it.
 * `marked[b]`: borders of boundary b are marked, whichever boundary draws them.
 * @throws DOMException named AbortError when canceled
 */
export function drawTile(
  table: ArcTable,
  boundaries: readonly Rings[],
  marked: readonly boolean[],
  frame: TileFrame,
  sink: TileSink,
  isCancelled: IsCancelled,
): void {
  const drawing = new Drawing(table, frame);
  if (states.length < table.first.length) states = new Uint8Array(table.first.length);
  const arcs = states;
  try {
    boundaries.forEach(({ refs }, b) => {
      if (marked[b]) for (const ref of refs) arcs[ref < 0 ? ~ref : ref] = 2;
    });
    boundaries.forEach((rings, b) => {
      throwIfCancelled(isCancelled);
      drawBoundary(drawing, table, rings, frame.level, arcs, {
        ring: (points, count) => sink.ring(b, points, count),
        line: (isMarked, points, count) => sink.line(b, isMarked, points, count),
      });
    });
  } finally {
    for (const { refs } of boundaries) for (const ref of refs) arcs[ref < 0 ? ~ref : ref] = 0;
  }
}

function drawBoundary(
  drawing: Drawing,
  table: ArcTable,
  { refs, ringEnd, polygonEnd }: Rings,
  level: number,
  arcs: Uint8Array,
  sink: RingSink,
): void {
  const { weights, first, box } = table;
  let ring = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    const shell = ring;
    /** The shell is removed at the level, outside the tile, or without area in it; its holes are then skipped too. */
    let shellGone = false;
    for (; ring < polygonEnd[polygon]; ring++) {
      const from = ring === 0 ? 0 : ringEnd[ring - 1];
      const to = ringEnd[ring];
      const gone = level >= 0 && weights[first[refs[from] < 0 ? ~refs[from] : refs[from]]] <= level;
      if (gone || shellGone) {
        if (ring === shell) shellGone = true;
        continue;
      }
      let [west, south, east, north] = [2 ** 31, 2 ** 31, -(2 ** 31), -(2 ** 31)];
      let jumps = false;
      for (let i = from; i < to; i++) {
        const at = 4 * (refs[i] < 0 ? ~refs[i] : refs[i]);
        if (box[at] < west) west = box[at];
        if (box[at + 1] < south) south = box[at + 1];
        if (box[at + 2] > east) east = box[at + 2];
        if (box[at + 3] > north) north = box[at + 3];
        if (box[at + 2] - box[at] > HALF_TURN) jumps = true;
      }
      if (!jumps && drawing.isBeside(west, south, east, north)) {
        if (ring === shell) shellGone = true;
        continue;
      }
      drawing.begin();
      for (let i = from; i < to; i++) {
        const arc = refs[i] < 0 ? ~refs[i] : refs[i];
        const state = arcs[arc];
        drawing.walk(refs[i], state & 1 ? SEEN : state & 2 ? NEW_MARKED : NEW, jumps);
        arcs[arc] = state | 1;
      }
      drawing.close(jumps);
      drawing.finish();
      const drawn = emit(drawing, sink, ring === shell);
      if (ring === shell && !drawn) shellGone = true;
    }
  }
}
