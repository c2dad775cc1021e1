/**
 * Draws boundaries into one tile, from their arcs. All vertices come from the same tier of the same arcs, so adjacent
 * boundaries and adjacent tiles share every vertex.
 */

import { type IsCancelled, throwIfCancelled } from '../cancel.ts';
import { type ArcTable, MASKS_PER_END, type Rings } from '../contract.ts';
import { fillRing, wordsOf } from './layout.ts';
import { roundTo, unitOf } from './levels.ts';
import type { TileSink } from './tile_areas.ts';
import { HALF_TURN, type TilePlace, TileRing } from './tile_ring.ts';

/** A tile, and the level at which it is drawn. */
export interface TileFrame extends TilePlace {
  /** FULL or 0 … 15. */
  readonly level: number;
  readonly endClass: number;
}

/** Inner vertices of an arc in the tile: a part of Drawing.store. */
interface Stretch {
  readonly from: number;
  readonly count: number;
}

/**
 * Tiers from this level on (128 m: zooms up to 8) are drawn on every second line of the grid, a quarter of a pixel. In
 * them, one vertex in five is kept only because of rivers narrower than the tolerance; at later zooms, one in a hundred.
 */
const COARSE_LEVEL = 7;

/** The state of one tile while it is drawn. */
class Drawing extends TileRing {
  /** x, y of the vertices of all stretches. */
  private store = new Float64Array(16_384);
  private stored = 0;
  private readonly whole = new Map<number, Stretch>();
  private readonly short = new Map<number, Stretch>();
  private readonly words: Int32Array;
  private readonly table: ArcTable;
  private readonly frame: TileFrame;
  /** Rounding unit of the level, for vertices at arc ends. */
  private readonly unit: number;
  private readonly one = new Int32Array(1);
  private room = new Int32Array(4096);

  constructor(table: ArcTable, frame: TileFrame) {
    super(frame, frame.level >= COARSE_LEVEL ? 2 : 1, unitOf(frame.level) + 1);
    this.table = table;
    this.frame = frame;
    this.unit = unitOf(frame.level);
    this.words = wordsOf(table.weights);
  }

  /** Adds the vertices of an arc in walking order, except the last. */
  walk(ref: number, jumps: boolean): void {
    const { table, frame } = this;
    const arc = ref < 0 ? ~ref : ref;
    const masks = (2 * arc + (ref < 0 ? 1 : 0)) * MASKS_PER_END;
    const { level } = frame;
    if (this.isKept(2 * arc + (ref < 0 ? 1 : 0))) {
      const fine = level < 0 || ((table.ends[masks + MASKS_PER_END - 1] >> level) & 1) === 1;
      const unit = fine ? 1 : this.unit;
      const v = 2 * (ref < 0 ? table.first[arc] + table.length[arc] - 1 : table.first[arc]);
      this.add(this.column(roundTo(table.coords[v], unit)), this.row(roundTo(table.coords[v + 1], unit)), jumps);
    }
    const { from, count } = this.inner(arc, jumps);
    const { store } = this;
    if (ref < 0) for (let i = from + count - 1; i >= from; i--) this.add(store[2 * i], store[2 * i + 1], jumps);
    else for (let i = from; i < from + count; i++) this.add(store[2 * i], store[2 * i + 1], jumps);
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
    const from = this.stored;
    let low = first[arc] + 1;
    let high = first[arc] + length[arc] - 2;
    if (!this.isKept(2 * arc)) {
      while (low <= high && weights[low] <= level) low++;
      if (low <= high) this.keep(low++);
    }
    if (!this.isKept(2 * arc + 1)) {
      while (high >= low && weights[high] <= level) high--;
      if (high >= low) this.keep(high);
    }
    return { from, count: this.stored - from };
  }

  /** Whether the vertex at an arc end remains at the level: 2 * arc is its first, 2 * arc + 1 its last. */
  private isKept(end: number): boolean {
    const { level, endClass } = this.frame;
    return level < 0 || ((this.table.ends[end * MASKS_PER_END + endClass] >> level) & 1) === 0;
  }

  /** Stores a vertex, in 1e-7 degrees. */
  private put(longitude: number, latitude: number): void {
    if (2 * this.stored + 2 > this.store.length) {
      const grown = new Float64Array(2 * this.store.length);
      grown.set(this.store);
      this.store = grown;
    }
    this.store[2 * this.stored] = this.column(longitude);
    this.store[2 * this.stored + 1] = this.row(latitude);
    this.stored++;
  }

  private keep(v: number): void {
    this.put(this.table.coords[2 * v], this.table.coords[2 * v + 1]);
  }

  private all(arc: number): Stretch {
    const { table, words, frame, one } = this;
    const needed = 2 * table.length[arc] + 2;
    if (this.room.length < needed) this.room = new Int32Array(2 * needed);
    one[0] = arc;
    const { level, endClass } = frame;
    const to = fillRing(table, words, one, 0, 1, level, endClass, this.room, 0, undefined);
    const from = this.stored;
    for (let i = this.isKept(2 * arc) ? 2 : 0; i < to; i += 2) this.put(this.room[i], this.room[i + 1]);
    return { from, count: this.stored - from };
  }
}

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
  boundaries.forEach((rings, b) => {
    throwIfCancelled(isCancelled);
    drawing.beginArea(marked[b]);
    addBoundary(drawing, table, rings, frame.level);
  });
  drawing.finish(sink);
}

function addBoundary(drawing: Drawing, table: ArcTable, { refs, ringEnd, polygonEnd }: Rings, level: number): void {
  const { weights, first, box } = table;
  let ring = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    const shell = ring;
    /** The shell is removed at the level, or outside the tile; its holes are then skipped too. */
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
      for (let i = from; i < to; i++) drawing.walk(refs[i], jumps);
      drawing.close(jumps);
    }
  }
}
