/**
 * The rings of areas in the coordinates of one tile. All vertices are rounded to steps of the grid of the whole world
 * before anything is clipped, so every tile rounds them alike.
 */
import { clipRing, Points } from './clip.ts';
import { columnAt, latitudeOf, longitudeOf, rowAt } from './mercator.ts';
import { BORDER } from './sea_borders.ts';
import { STEPS } from './snap_round.ts';
import { TileAreas } from './tile_areas.ts';
import type { TileSink } from './tile_drawing.ts';

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

/** The flag of an edge of a ring that is not a border. */
const JOINT = 0;

/** Shared by all tiles, because only one ring is drawn at a time. */
const shared = { ring: new Points(), moved: new Points() };

/** Areas in a tile, ring by ring. The ring at hand is valid until any tile begins another one. */
export class TileRing {
  readonly ring = shared.ring;
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
  private readonly steps: number;
  private readonly seamUnits: number;
  private readonly areas: TileAreas;
  private lastX = 0;
  private shift = 0;

  /**
   * `cell`: the grid step of vertices, 1, 2 or 4. `margin`: how far vertices may move before they are put on the grid, in
   * 1e-7 degrees.
   */
  constructor({ z, x, y }: TilePlace, cell: number, margin: number) {
    this.world = EXTENT * 2 ** z;
    this.originX = EXTENT * x;
    this.originY = EXTENT * y;
    this.west = longitudeOf(this.originX + LOW - cell, this.world) - margin;
    this.east = longitudeOf(this.originX + HIGH + cell, this.world) + margin;
    this.north = latitudeOf(this.originY + LOW - cell, this.world) + margin;
    this.south = latitudeOf(this.originY + HIGH + cell, this.world) - margin;
    this.atSeam = this.west < -HALF_TURN || this.east > HALF_TURN;
    this.steps = STEPS / cell;
    this.seamUnits = Math.max(1, Math.ceil((SEAM / (2 * HALF_TURN)) * this.world));
    this.areas = new TileAreas(LOW, HIGH, cell);
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

  private nearSeam(x: number): boolean {
    const around = (((x + this.originX) % this.world) + this.world) % this.world;
    return around <= this.seamUnits || around >= this.world - this.seamUnits;
  }

  /** Begins the next area. The borders of a marked one are marked, whichever area they are drawn for. */
  beginArea(marked: boolean): void {
    this.areas.begin(marked);
  }

  /** Begins a ring. */
  begin(): void {
    this.ring.count = 0;
    this.shift = 0;
  }

  /** Adds a vertex to the ring, with the flags of the edge that leaves it. With `jumps` the ring goes the short way round. */
  add(x: number, y: number, jumps: boolean, flags = BORDER): void {
    const { ring, world } = this;
    if (jumps && ring.count > 0) {
      const step = x - this.lastX;
      if (step > world / 2) this.shift -= world;
      else if (step < -world / 2) this.shift += world;
    }
    this.lastX = x;
    const placed = x + this.shift;
    const last = 2 * ring.count - 2;
    if (last >= 0 && ring.data[last] === placed && ring.data[last + 1] === y) ring.flags[ring.count - 1] = flags;
    else ring.push(placed, y, flags);
  }

  /**
   * Closes the ring: its first vertex follows its last. A ring that went once around the world encloses a pole, which
   * is on its left: the north pole for an eastward ring. Adds its part in the tile to the area at hand.
   */
  close(jumps: boolean): void {
    const { ring, world, originY } = this;
    if (ring.count < 2) return;
    const [x, y] = ring.data;
    if (jumps) {
      this.add(x, y, true);
      const last = ring.count - 1;
      const turned = ring.data[2 * last] - x;
      if (turned !== 0) {
        const pole = turned > 0 ? -world / 2 - originY : 1.5 * world - originY;
        ring.flags[last] = JOINT;
        ring.push(x + turned, pole, JOINT);
        ring.push(x, pole, JOINT);
      }
    }
    const last = 2 * ring.count - 2;
    if (ring.data[last] === x && ring.data[last + 1] === y) ring.count--;
    if (this.atSeam) this.openSeam();
    this.place();
  }

  /** Data is cut at ±180 degrees: an edge there is not a border. */
  private openSeam(): void {
    const { data, flags, count } = this.ring;
    for (let i = 0, j = count - 1; i < count; j = i++) {
      if (this.nearSeam(data[2 * j]) && this.nearSeam(data[2 * i])) flags[j] = JOINT;
    }
  }

  /** Adds the part of the ring in the tile to the area at hand, for every repetition of the world. */
  private place(): void {
    const { ring, world, areas } = this;
    let [west, east, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < ring.count; i++) {
      const x = ring.data[2 * i];
      const y = ring.data[2 * i + 1];
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    if (top > HIGH || bottom < LOW) return;
    const last = Math.floor((HIGH - west) / world);
    for (let turn = Math.ceil((LOW - east) / world); turn <= last; turn++) {
      const by = turn * world;
      let points = ring;
      if (by !== 0) {
        points = shared.moved;
        points.count = 0;
        for (let i = 0; i < ring.count; i++) points.push(ring.data[2 * i] + by, ring.data[2 * i + 1], ring.flags[i]);
      }
      const isInside = west + by >= LOW && east + by <= HIGH && top >= LOW && bottom <= HIGH;
      areas.ring(isInside ? points : clipRing(points, LOW, HIGH));
    }
  }

  /** Draws all areas; a border that several have belongs to the first. Returns how many are in the tile. */
  finish(sink: TileSink): number {
    return this.areas.draw(sink);
  }

  /** A column or row of the tile, rounded down to a step. */
  inSteps(value: number): number {
    return Math.floor(value * this.steps) / this.steps;
  }

  /** The column of a longitude (1e-7 degrees) in the tile, rounded down to a step. */
  column(longitude: number): number {
    return this.inSteps(columnAt(longitude, this.world) - this.originX);
  }

  /** The row of a latitude (1e-7 degrees) in the tile, rounded down to a step. */
  row(latitude: number): number {
    return this.inSteps(rowAt(latitude, this.world) - this.originY);
  }
}
