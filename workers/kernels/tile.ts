/**
 * Boundaries in the grid of one tile: the rings of each, and every border once. All vertices are put on the grid of the
 * whole world before anything is cut, from the same tier of the same arcs, so that boundaries beside each other, and
 * tiles beside each other, have every vertex in common.
 */
import { type ArcTable, MASKS_PER_END, type Rings } from '../contract.ts';
import { type IsCancelled, stopIf } from '../halt.ts';
import { clipEdge, clipRing, Points } from './clip.ts';
import { fillRing, wordsOf } from './layout.ts';
import { roundTo, unitOf } from './levels.ts';
import { columnOf, latitudeOf, longitudeOf, rowOf } from './mercator.ts';

/** Units of the grid along a side of a tile. */
export const EXTENT = 4096;
/** Units around a tile that are drawn too, so that wide lines and points at its sides are whole. */
export const BUFFER = 64;

const LOW = -BUFFER;
const HIGH = EXTENT + BUFFER;
/** Longitudes that close to ±180 degrees lie on it (1e-7 degrees). */
const SEAM = 200;
/** An arc wider than this has an edge across ±180 degrees (1e-7 degrees). */
const HALF_TURN = 1_800_000_000;

/** Which tile, and how finely it is drawn. */
export interface TileFrame {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** FULL or 0 … 15. */
  readonly level: number;
  readonly endClass: number;
}

/** Takes what lies in the tile. Coordinates are of its grid, and valid during the call only. */
export interface TileSink {
  /** A ring of boundary `b`, shells clockwise on the screen, holes the other way round, after their shell. */
  ring(b: number, points: Int32Array, count: number): void;
  /** A border that no boundary before `b` has. `marked`: one that is marked has it, too. */
  line(b: number, marked: boolean, points: Int32Array, count: number): void;
}

/** Inner vertices of an arc on the grid: a part of Drawing.store. */
interface Stretch {
  readonly from: number;
  readonly count: number;
}

/** The edges of a ring that are a border: not drawn before, drawn before, or drawn before by one that is marked. */
const SEEN = 0;
const NEW = 1;
const NEW_MARKED = 2;

/** A tile that is being drawn. */
class Drawing {
  readonly ring = new Points();
  flags = new Uint8Array(4096);
  /** Units around the world. */
  readonly world: number;
  readonly originX: number;
  readonly originY: number;
  /** The tile and its buffer in 1e-7 degrees, a little larger. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** The buffer reaches over ±180 degrees. */
  readonly atSeam: boolean;
  private readonly seamUnits: number;
  private readonly store = new Points();
  private readonly whole = new Map<number, Stretch>();
  private readonly short = new Map<number, Stretch>();
  private readonly words: Int32Array;
  private readonly table: ArcTable;
  private readonly frame: TileFrame;
  private readonly one = new Int32Array(1);
  private room = new Int32Array(4096);
  private lastX = 0;
  private shift = 0;

  constructor(table: ArcTable, frame: TileFrame) {
    this.table = table;
    this.frame = frame;
    this.words = wordsOf(table.weights);
    const { z, x, y } = frame;
    this.world = EXTENT * 2 ** z;
    this.originX = EXTENT * x;
    this.originY = EXTENT * y;
    const margin = unitOf(frame.level) + 1;
    this.west = longitudeOf(this.originX + LOW - 1, this.world) - margin;
    this.east = longitudeOf(this.originX + HIGH + 1, this.world) + margin;
    this.north = latitudeOf(this.originY + LOW - 1, this.world) + margin;
    this.south = latitudeOf(this.originY + HIGH + 1, this.world) - margin;
    this.atSeam = this.west < -HALF_TURN || this.east > HALF_TURN;
    this.seamUnits = Math.max(1, Math.ceil((SEAM / (2 * HALF_TURN)) * this.world));
  }

  /** Whether a box (1e-7 degrees) lies wholly on one side of the tile and its buffer. */
  isBeside(west: number, south: number, east: number, north: number): boolean {
    if (north < this.south || south > this.north) return true;
    return !this.atSeam && (east < this.west || west > this.east);
  }

  /** Whether an edge (local columns) runs along ±180 degrees: data is cut there, and no border is. */
  isOnSeam(ax: number, bx: number): boolean {
    return this.atSeam && this.nearSeam(ax) && this.nearSeam(bx);
  }

  private nearSeam(x: number): boolean {
    const around = (((x + this.originX) % this.world) + this.world) % this.world;
    return around <= this.seamUnits || around >= this.world - this.seamUnits;
  }

  /** Begins a ring. */
  begin(): void {
    this.ring.count = 0;
    this.shift = 0;
  }

  /** Adds a vertex of the grid; `flag` is of the edge that leaves it. A ring that jumps goes the short way round. */
  private add(x: number, y: number, flag: number, jumps: boolean): void {
    const { ring, world } = this;
    if (jumps && ring.count > 0) {
      const step = x - this.lastX;
      if (step > world / 2) this.shift -= world;
      else if (step < -world / 2) this.shift += world;
    }
    this.lastX = x;
    const placed = x + this.shift;
    const last = ring.count - 1;
    if (last >= 0 && ring.data[2 * last] === placed && ring.data[2 * last + 1] === y) {
      this.flags[last] = flag;
      return;
    }
    this.place(placed, y, flag);
  }

  private place(x: number, y: number, flag: number): void {
    const at = this.ring.count;
    this.ring.push(x, y);
    if (at >= this.flags.length) {
      const grown = new Uint8Array(2 * this.flags.length);
      grown.set(this.flags);
      this.flags = grown;
    }
    this.flags[at] = flag;
  }

  /** Adds the vertices of an arc but the one at the end of the walk over it. */
  walk(ref: number, flag: number, jumps: boolean): void {
    const { table, frame } = this;
    const arc = ref < 0 ? ~ref : ref;
    const masks = (2 * arc + (ref < 0 ? 1 : 0)) * MASKS_PER_END;
    const { level } = frame;
    if (level < 0 || ((table.ends[masks + frame.endClass] >> level) & 1) === 0) {
      const fine = level < 0 || ((table.ends[masks + MASKS_PER_END - 1] >> level) & 1) === 1;
      const unit = fine ? 1 : unitOf(level);
      const v = 2 * (ref < 0 ? table.first[arc] + table.length[arc] - 1 : table.first[arc]);
      this.add(this.column(roundTo(table.coords[v], unit)), this.row(roundTo(table.coords[v + 1], unit)), flag, jumps);
    }
    const { from, count } = this.inner(arc, jumps);
    const { data } = this.store;
    if (ref < 0) for (let i = from + count - 1; i >= from; i--) this.add(data[2 * i], data[2 * i + 1], flag, jumps);
    else for (let i = from; i < from + count; i++) this.add(data[2 * i], data[2 * i + 1], flag, jumps);
  }

  /**
   * Closes the ring, so that its first vertex follows its last. One that has gone once round the world encloses a pole,
   * which lies on its left: north of an eastward ring.
   */
  close(jumps: boolean): void {
    const { ring, world, originY } = this;
    if (ring.count < 2) return;
    const [x, y] = ring.data;
    if (jumps) {
      const count = ring.count;
      this.add(x, y, SEEN, true);
      const turned = ring.count > count ? ring.data[2 * ring.count - 2] - x : 0;
      if (turned !== 0) {
        const pole = turned > 0 ? -world / 2 - originY : 1.5 * world - originY;
        this.place(x + turned, pole, SEEN);
        this.place(x, pole, SEEN);
        return;
      }
    }
    const last = ring.count - 1;
    if (ring.data[2 * last] === x && ring.data[2 * last + 1] === y) ring.count--;
  }

  /** The inner vertices of an arc walked forward. Of one beside the tile the first and the last are enough. */
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

  private ends(arc: number): Stretch {
    const { weights, first, length, coords } = this.table;
    const { level } = this.frame;
    const from = this.store.count;
    let low = first[arc] + 1;
    let high = first[arc] + length[arc] - 2;
    while (low <= high && weights[low] <= level) low++;
    while (high > low && weights[high] <= level) high--;
    if (low <= high) this.store.push(this.column(coords[2 * low]), this.row(coords[2 * low + 1]));
    if (low < high) this.store.push(this.column(coords[2 * high]), this.row(coords[2 * high + 1]));
    return { from, count: this.store.count - from };
  }

  private all(arc: number): Stretch {
    const { table, words, frame, one, store } = this;
    const needed = 2 * table.length[arc] + 2;
    if (this.room.length < needed) this.room = new Int32Array(2 * needed);
    one[0] = arc;
    const { level, endClass } = frame;
    const to = fillRing(table, words, one, 0, 1, level, endClass, this.room, 0, undefined);
    const kept = level < 0 || ((table.ends[2 * arc * MASKS_PER_END + endClass] >> level) & 1) === 0;
    const from = store.count;
    let [lastX, lastY] = [Number.NaN, Number.NaN];
    for (let i = kept ? 2 : 0; i < to; i += 2) {
      const x = this.column(this.room[i]);
      const y = this.row(this.room[i + 1]);
      if (x === lastX && y === lastY) continue;
      store.push(x, y);
      lastX = x;
      lastY = y;
    }
    return { from, count: store.count - from };
  }

  private column(longitude: number): number {
    return columnOf(longitude, this.world) - this.originX;
  }

  private row(latitude: number): number {
    return rowOf(latitude, this.world) - this.originY;
  }
}

/**
 * Draws boundaries into a tile, one after the other: those whose borders are to be told by first. `marked[b]`: borders
 * of boundary b are marked, whoever draws them. Throws a DOMException named AbortError once `isCancelled` returns true.
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
  /** Per arc: 1 once it is drawn, 2 where a marked boundary has it. */
  const arcs = new Uint8Array(table.first.length);
  boundaries.forEach(({ refs }, b) => {
    if (marked[b]) for (const ref of refs) arcs[ref < 0 ? ~ref : ref] = 2;
  });
  boundaries.forEach((rings, b) => {
    stopIf(isCancelled);
    drawBoundary(drawing, table, rings, frame.level, arcs, {
      ring: (points, count) => sink.ring(b, points, count),
      line: (isMarked, points, count) => sink.line(b, isMarked, points, count),
    });
  });
}

interface BoundarySink {
  ring(points: Int32Array, count: number): void;
  line(marked: boolean, points: Int32Array, count: number): void;
}

function drawBoundary(
  drawing: Drawing,
  table: ArcTable,
  { refs, ringEnd, polygonEnd }: Rings,
  level: number,
  arcs: Uint8Array,
  sink: BoundarySink,
): void {
  const { weights, first, box } = table;
  let ring = 0;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    const shell = ring;
    /** The shell is gone at the level, lies beside the tile, or has no area in it: its holes are left out with it. */
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
      const drawn = emit(drawing, sink, ring === shell);
      if (ring === shell && !drawn) shellGone = true;
    }
  }
}

const edge = new Int32Array(4);
const moved = new Points();
const line = new Points();
const final = new Points();

/** Gives what of the ring lies in the tile, wherever the world repeats itself; whether any area does. */
function emit(drawing: Drawing, sink: BoundarySink, isShell: boolean): boolean {
  const { ring, world } = drawing;
  if (ring.count === 0) return false;
  let [west, east, top, bottom] = [ring.data[0], ring.data[0], ring.data[1], ring.data[1]];
  for (let i = 1; i < ring.count; i++) {
    const x = ring.data[2 * i];
    const y = ring.data[2 * i + 1];
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  if (top > HIGH || bottom < LOW) return false;
  let any = false;
  const last = Math.floor((HIGH - west) / world);
  for (let turn = Math.ceil((LOW - east) / world); turn <= last; turn++) {
    const by = turn * world;
    let points = ring;
    if (by !== 0) {
      moved.count = 0;
      for (let i = 0; i < ring.count; i++) moved.push(ring.data[2 * i] + by, ring.data[2 * i + 1]);
      points = moved;
    }
    emitLines(drawing, points, sink);
    const isInside = west + by >= LOW && east + by <= HIGH && top >= LOW && bottom <= HIGH;
    if (finish(isInside ? points : clipRing(points, LOW, HIGH), isShell)) {
      sink.ring(final.data, final.count);
      any = true;
    }
  }
  return any;
}

/** Puts a clipped ring into `final` as a tile has it; false when it has no area left, or the wrong way round. */
function finish(ring: Points, isShell: boolean): boolean {
  final.count = 0;
  // Backward: what runs counter-clockwise on the ground is to run clockwise where y points down.
  for (let i = ring.count - 1; i >= 0; i--) put(ring.data[2 * i], ring.data[2 * i + 1]);
  const { data } = final;
  while (final.count > 1 && data[0] === data[2 * final.count - 2] && data[1] === data[2 * final.count - 1]) {
    final.count--;
  }
  if (final.count < 3) return false;
  let area = 0;
  for (let i = 0, j = final.count - 1; i < final.count; j = i++) {
    area += data[2 * j] * data[2 * i + 1] - data[2 * i] * data[2 * j + 1];
  }
  return isShell ? area > 0 : area < 0;
}

/** Adds a vertex to `final`, unless it is the one before; of those along a side of the clip box the ends are enough. */
function put(x: number, y: number): void {
  const { data, count } = final;
  if (count > 0 && data[2 * count - 2] === x && data[2 * count - 1] === y) return;
  if (count > 1) {
    const ax = data[2 * count - 4];
    const ay = data[2 * count - 3];
    const bx = data[2 * count - 2];
    const by = data[2 * count - 1];
    const alongX = ax === bx && bx === x && (x === LOW || x === HIGH);
    const alongY = ay === by && by === y && (y === LOW || y === HIGH);
    if (alongX || alongY) {
      final.count--;
      if (ax !== x || ay !== y) final.push(x, y);
      return;
    }
  }
  final.push(x, y);
}

/** Gives the borders among the edges of a ring, as far as they lie in the tile, in lines as long as they get. */
function emitLines(drawing: Drawing, ring: Points, sink: BoundarySink): void {
  const { flags } = drawing;
  const { data, count } = ring;
  // A ring that is drawn in part begins where one of its lines does.
  let start = 0;
  while (start < count && flags[start] === flags[(start + count - 1) % count]) start++;
  if (start === count && flags[0] === SEEN) return;
  start %= count;
  line.count = 0;
  let open = SEEN;
  const end = (): void => {
    if (line.count > 1) sink.line(open === NEW_MARKED, line.data, line.count);
    line.count = 0;
  };
  for (let n = 0; n < count; n++) {
    const i = (start + n) % count;
    const j = i + 1 === count ? 0 : i + 1;
    const flag = flags[i];
    const [ax, ay, bx, by] = [data[2 * i], data[2 * i + 1], data[2 * j], data[2 * j + 1]];
    if (flag !== open) {
      end();
      open = flag;
    }
    if (flag === SEEN) continue;
    if (drawing.isOnSeam(ax, bx) || !clipEdge(ax, ay, bx, by, LOW, HIGH, edge)) {
      end();
      continue;
    }
    if (edge[0] === edge[2] && edge[1] === edge[3]) continue;
    const at = 2 * line.count;
    const goesOn = line.count > 0 && line.data[at - 2] === edge[0] && line.data[at - 1] === edge[1];
    if (!goesOn) {
      end();
      line.push(edge[0], edge[1]);
    }
    line.push(edge[2], edge[3]);
  }
  end();
}
