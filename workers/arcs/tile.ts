/**
 * Draws boundaries into one tile, from their arcs. All vertices come from the same tier of the same arcs, so adjacent
 * boundaries and adjacent tiles share every vertex.
 */

import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import { type ArcTable, MASKS_PER_END, type Rings } from '../contract.ts';
import { BorderFlags, type BorderParts, shareOf } from './border_flags.ts';
import { fillRing, wordsOf } from './layout.ts';
import { roundTo, unitOf } from './levels.ts';
import type { WaterOf } from './sea_borders.ts';
import { type Lines, NO_LINES, TaggedLines } from './tagged_lines.ts';
import type { TileSink } from './tile_drawing.ts';
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

const NOWHERE = [0, 0, 0, 0] as const;

/** The state of one tile while it is drawn. */
class Drawing extends TileRing {
  /** x, y of the vertices of all stretches. */
  private store = new Float64Array(16_384);
  /** The vertex of the table that each of them is. */
  private vertices = new Int32Array(8_192);
  private stored = 0;
  /** Borders that the map marks as ones at sea; null: there are none. */
  private readonly tagged: TaggedLines | null;
  /** The borders of the area at hand. */
  private borders: BorderFlags;
  private readonly whole = new Map<number, Stretch>();
  private readonly short = new Map<number, Stretch>();
  private readonly words: Int32Array;
  private readonly table: ArcTable;
  private readonly frame: TileFrame;
  /** Rounding unit of the level, for vertices at arc ends. */
  private readonly unit: number;
  private readonly one = new Int32Array(1);
  private room = new Int32Array(4096);

  constructor(table: ArcTable, frame: TileFrame, maritime: Lines) {
    super(frame, frame.level >= COARSE_LEVEL ? 2 : 1, unitOf(frame.level) + 1);
    this.table = table;
    this.frame = frame;
    this.unit = unitOf(frame.level);
    this.words = wordsOf(table.weights);
    this.tagged = maritime.end.length === 0 ? null : new TaggedLines(table, maritime);
    this.borders = new BorderFlags(table, 'unknown', null, () => NOWHERE);
  }

  /** Begins the next area, of which this is water. */
  beginWith(rings: Rings, marked: boolean, water: WaterOf): void {
    this.beginArea(marked);
    this.borders = new BorderFlags(this.table, water, this.tagged, () => this.boxOfArcs(rings));
  }

  /** The box of the arcs that are not beside the tile. */
  private boxOfArcs({ refs }: Rings): [number, number, number, number] {
    const { box } = this.table;
    const all: [number, number, number, number] = [2 ** 31, 2 ** 31, -(2 ** 31), -(2 ** 31)];
    for (const ref of refs) {
      const at = 4 * (ref < 0 ? ~ref : ref);
      if (this.isBeside(box[at], box[at + 1], box[at + 2], box[at + 3])) continue;
      all[0] = Math.min(all[0], box[at]);
      all[1] = Math.min(all[1], box[at + 1]);
      all[2] = Math.max(all[2], box[at + 2]);
      all[3] = Math.max(all[3], box[at + 3]);
    }
    return all;
  }

  /** Adds the vertices of an arc in walking order, except the last. */
  walk(ref: number, jumps: boolean): void {
    const { table, frame } = this;
    const arc = ref < 0 ? ~ref : ref;
    const masks = (2 * arc + (ref < 0 ? 1 : 0)) * MASKS_PER_END;
    const { level } = frame;
    const stretch = this.inner(arc, jumps);
    const begin = ref < 0 ? table.first[arc] + table.length[arc] - 1 : table.first[arc];
    const flags = this.isOutside(arc, jumps) ? this.borders.anywhere : this.borders.along(ref);
    const path: number[] = [];
    const put = (x: number, y: number, v: number): void => {
      if (typeof flags === 'number') this.add(x, y, jumps, flags);
      else path.push(x, y, Math.abs(v - begin));
    };
    if (this.isKept(2 * arc + (ref < 0 ? 1 : 0))) {
      const fine = level < 0 || ((table.ends[masks + MASKS_PER_END - 1] >> level) & 1) === 1;
      const unit = fine ? 1 : this.unit;
      put(
        this.column(roundTo(table.coords[2 * begin], unit)),
        this.row(roundTo(table.coords[2 * begin + 1], unit)),
        begin,
      );
    }
    const { store, vertices } = this;
    const { from, count } = stretch;
    if (ref < 0) for (let i = from + count - 1; i >= from; i--) put(store[2 * i], store[2 * i + 1], vertices[i]);
    else for (let i = from; i < from + count; i++) put(store[2 * i], store[2 * i + 1], vertices[i]);
    if (typeof flags !== 'number') this.walkAlong(ref, path, flags, jumps);
  }

  /**
   * Adds the vertices of a path along an arc (x, y and the place on the arc of each), with a vertex more on the edges
   * where another part of the arc begins: on the straight line, so that areas that lack it fit.
   */
  private walkAlong(ref: number, path: number[], { ends, flags }: BorderParts, jumps: boolean): void {
    const { table } = this;
    const arc = ref < 0 ? ~ref : ref;
    const last = table.length[arc] - 1;
    const isKept = this.isKept(2 * arc + (ref < 0 ? 0 : 1));
    const vertex = ref < 0 ? table.first[arc] : table.first[arc] + last;
    path.push(this.column(table.coords[2 * vertex]), this.row(table.coords[2 * vertex + 1]), last);
    let next = 0;
    for (let i = 0; i + 3 < path.length; i += 3) {
      const [x, y, place, toX, toY, to] = path.slice(i, i + 6);
      // Beyond its last vertex an edge leads on to the next arc, when the vertex between them is removed.
      const isWhole = jumps || (i + 6 === path.length && !isKept);
      while (next < ends.length && ends[next] <= (isWhole ? (place + to) / 2 : place)) next++;
      this.add(x, y, jumps, flags[next]);
      for (; !isWhole && next < ends.length && ends[next] < to; ) {
        const share = shareOf(table, ref, [place, to], ends[next++]);
        this.add(this.inSteps(x + share * (toX - x)), this.inSteps(y + share * (toY - y)), jumps, flags[next]);
      }
    }
  }

  private isOutside(arc: number, jumps: boolean): boolean {
    const { box } = this.table;
    return !jumps && this.isBeside(box[4 * arc], box[4 * arc + 1], box[4 * arc + 2], box[4 * arc + 3]);
  }

  /** The inner vertices of an arc in forward order. */
  private inner(arc: number, jumps: boolean): Stretch {
    const beside = this.isOutside(arc, jumps);
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

  /** Stores a vertex of the table at its place, in 1e-7 degrees. */
  private put(v: number, longitude: number, latitude: number): void {
    if (this.stored === this.vertices.length) {
      const grown = new Float64Array(2 * this.store.length);
      grown.set(this.store);
      this.store = grown;
      const vertices = new Int32Array(2 * this.vertices.length);
      vertices.set(this.vertices);
      this.vertices = vertices;
    }
    this.vertices[this.stored] = v;
    this.store[2 * this.stored] = this.column(longitude);
    this.store[2 * this.stored + 1] = this.row(latitude);
    this.stored++;
  }

  private keep(v: number): void {
    this.put(v, this.table.coords[2 * v], this.table.coords[2 * v + 1]);
  }

  private all(arc: number): Stretch {
    const { table, words, frame, one } = this;
    const needed = 2 * table.length[arc] + 2;
    if (this.room.length < needed) this.room = new Int32Array(2 * needed);
    one[0] = arc;
    const { level, endClass } = frame;
    const to = fillRing(table, words, one, 0, 1, level, endClass, this.room, 0, undefined);
    const from = this.stored;
    let v = table.first[arc];
    for (let i = this.isKept(2 * arc) ? 2 : 0; i < to; i += 2) {
      do v++;
      while (table.weights[v] <= level);
      this.put(v, this.room[i], this.room[i + 1]);
    }
    return { from, count: this.stored - from };
  }
}

/** What the lines of a boundary in a tile say. */
export interface BorderOf {
  /** Whether its borders are marked, whichever boundary draws them. */
  readonly marked: boolean;
  readonly water: WaterOf;
}

/**
 * Draws boundaries into a tile, in the given order; a shared border belongs to the first boundary that has it.
 * @throws DOMException named AbortError when canceled
 * @param table the arcs, with their tiers
 * @param boundaries the rings of each
 * @param borders what is said of each border
 * @param frame the part of the map, and the grid of the tile
 * @param sink receives what is drawn
 * @param isCanceled whether to stop
 * @param maritime borders that the map marks as ones at sea
 */
export function drawTile(
  table: ArcTable,
  boundaries: readonly Rings[],
  borders: readonly BorderOf[],
  frame: TileFrame,
  sink: TileSink,
  isCanceled: IsCanceled,
  maritime: Lines = NO_LINES,
): void {
  const drawing = new Drawing(table, frame, maritime);
  boundaries.forEach((rings, b) => {
    throwIfCanceled(isCanceled);
    drawing.beginWith(rings, borders[b].marked, borders[b].water);
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
