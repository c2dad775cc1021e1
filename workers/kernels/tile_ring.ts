/**
 * A ring on the grid of one tile, and its part inside the tile: its area, and the edges that are borders. All vertices
 * are put on the grid of the whole world before anything is clipped.
 */
import { clipEdge, clipRing, Points } from './clip.ts';
import { columnOf, latitudeOf, longitudeOf, rowOf } from './mercator.ts';
import { FIXED, joinEnds, thin, unfix } from './thin.ts';

/** Grid units per side of a tile. */
export const EXTENT = 4096;
/** Grid units around a tile that are drawn too, so that wide lines and points at its sides are complete. */
export const BUFFER = 64;

export const LOW = -BUFFER;
export const HIGH = EXTENT + BUFFER;
/** Longitudes within this distance of ±180 degrees count as on it (1e-7 degrees). */
const SEAM = 200;
/** An arc wider than this has an edge across ±180 degrees (1e-7 degrees). */
export const HALF_TURN = 1_800_000_000;

/** A tile: its zoom, and its column and row counted from the northwest corner of the world. */
export interface TilePlace {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Receives the part of one area in the tile. Coordinates are on its grid; `points` is valid only during the call. */
export interface RingSink {
  /** A ring. Shells are clockwise on the screen, holes counterclockwise. */
  ring(points: Int32Array, count: number): void;
  /** A border that was not drawn before. `marked`: its flag is NEW_MARKED. */
  line(marked: boolean, points: Int32Array, count: number): void;
}

/** Flags of the edges of a ring: drawn before, new, or new and also part of a marked boundary. */
export const SEEN = 0;
export const NEW = 1;
export const NEW_MARKED = 2;

/** Shared by all tiles, because only one ring is drawn at a time. */
const scratch = { ring: new Points(), flags: new Uint8Array(4096) };

/** The ring that is being drawn, on the grid of a tile. Valid until any tile begins another ring. */
export class TileRing {
  readonly ring = scratch.ring;
  /** Grid units around the world. */
  readonly world: number;
  readonly originX: number;
  readonly originY: number;
  /** The tile with its buffer in 1e-7 degrees, slightly enlarged. */
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** True when the buffer extends past ±180 degrees. */
  readonly atSeam: boolean;
  private readonly seamUnits: number;
  private lastX = 0;
  private shift = 0;

  /** `margin`: how far vertices may move when they are put on the grid, in 1e-7 degrees. */
  constructor({ z, x, y }: TilePlace, margin: number) {
    this.world = EXTENT * 2 ** z;
    this.originX = EXTENT * x;
    this.originY = EXTENT * y;
    this.west = longitudeOf(this.originX + LOW - 1, this.world) - margin;
    this.east = longitudeOf(this.originX + HIGH + 1, this.world) + margin;
    this.north = latitudeOf(this.originY + LOW - 1, this.world) + margin;
    this.south = latitudeOf(this.originY + HIGH + 1, this.world) - margin;
    this.atSeam = this.west < -HALF_TURN || this.east > HALF_TURN;
    this.seamUnits = Math.max(1, Math.ceil((SEAM / (2 * HALF_TURN)) * this.world));
  }

  /**
   * Whether a box (1e-7 degrees, west <= east) is entirely on one side of the tile and its buffer, in every repetition
   * of the world.
   */
  isBeside(west: number, south: number, east: number, north: number): boolean {
    if (north < this.south || south > this.north) return true;
    const beside = east < this.west || west > this.east;
    if (!beside || !this.atSeam) return beside;
    const turn = 2 * HALF_TURN;
    return (east + turn < this.west || west + turn > this.east) && (east - turn < this.west || west - turn > this.east);
  }

  /** Whether an edge (local columns) is on ±180 degrees: data is cut there, so it is not a border. */
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

  /**
   * Adds a vertex of the grid. `flag` describes the edge that leaves it. With `jumps` the ring goes the short way
   * round.
   */
  add(x: number, y: number, flag: number, jumps: boolean): void {
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
      scratch.flags[last] = flag | (scratch.flags[last] & FIXED);
      return;
    }
    this.place(placed, y, this.atSeam && this.nearSeam(placed) ? flag | FIXED : flag);
  }

  private place(x: number, y: number, flag: number): void {
    const at = this.ring.count;
    this.ring.push(x, y);
    if (at >= scratch.flags.length) {
      const grown = new Uint8Array(2 * scratch.flags.length);
      grown.set(scratch.flags);
      scratch.flags = grown;
    }
    scratch.flags[at] = flag;
  }

  /** Per vertex of the ring: the flag of the edge that leaves it. */
  get flags(): Uint8Array {
    return scratch.flags;
  }

  /**
   * Closes the ring: its first vertex follows its last. A ring that went once around the world encloses a pole, which
   * is on its left: the north pole for an eastward ring.
   */
  close(jumps: boolean): void {
    const { ring, world, originY } = this;
    if (ring.count < 2) return;
    const [x, y] = ring.data;
    if (jumps) {
      const count = ring.count;
      this.add(x, y, SEEN | FIXED, true);
      const turned = ring.count > count ? ring.data[2 * ring.count - 2] - x : 0;
      if (turned !== 0) {
        const pole = turned > 0 ? -world / 2 - originY : 1.5 * world - originY;
        this.place(x + turned, pole, SEEN | FIXED);
        this.place(x, pole, SEEN | FIXED);
        scratch.flags[0] |= FIXED;
        return;
      }
    }
    joinEnds(ring, scratch.flags);
  }

  /** Removes the vertices that thin() removes; clears FIXED in all flags. */
  thin(): void {
    thin(this.ring, scratch.flags);
  }

  /** Clears FIXED in all flags. */
  unfix(): void {
    unfix(this.ring, scratch.flags);
  }

  /** The column of a longitude (1e-7 degrees) in the grid of the tile. */
  column(longitude: number): number {
    return columnOf(longitude, this.world) - this.originX;
  }

  /** The row of a latitude (1e-7 degrees) in the grid of the tile. */
  row(latitude: number): number {
    return rowOf(latitude, this.world) - this.originY;
  }
}

const edge = new Int32Array(4);
const moved = new Points();
const line = new Points();
const final = new Points();

/** Emits the part of the ring in the tile, for every repetition of the world; returns whether any area was emitted. */
export function emit(drawing: TileRing, sink: RingSink, isShell: boolean): boolean {
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

/**
 * Writes a clipped ring to `final` in the form that a tile needs; false when it has no area, or the wrong orientation.
 */
function finish(ring: Points, isShell: boolean): boolean {
  final.count = 0;
  // Backward: counterclockwise on the ground must be clockwise where y points down.
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

/**
 * Adds a vertex to `final`, unless it repeats the previous one. Along a side of the clip box only the two ends are
 * kept.
 */
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

/** Emits the borders among the edges of a ring that are in the tile, as lines of maximal length. */
function emitLines(drawing: TileRing, ring: Points, sink: RingSink): void {
  const { flags } = drawing;
  const { data, count } = ring;
  // A partly drawn ring starts where one of its lines starts.
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
