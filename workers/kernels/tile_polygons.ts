/**
 * Draws laid-out polygons on the grid of a tile: the part of each inside the tile, and every border once. Polygons that
 * share vertices on the ground share them in the tile.
 */
import type { Polygons } from '../contract.ts';
import { EdgeSet } from './edge_set.ts';
import { emit, HALF_TURN, NEW, type RingSink, SEEN, type TilePlace, TileRing } from './tile_ring.ts';

/** A tile into which polygons are drawn one after another. A border is emitted with the first polygon that has it. */
export class PolygonTile extends TileRing {
  private readonly cell: number;
  private readonly edges = new EdgeSet();
  /** The box of the current ring, in 1e-7 degrees. */
  private readonly box = new Int32Array(4);

  /** `cell`: the grid step of vertices, 1, 2 or 4. */
  constructor(place: TilePlace, cell: number) {
    // A cell is at most 4 * 360 degrees / 4096 / 2^z wide, and a vertex moves by half of that; rows are never wider.
    super(place, Math.ceil((cell * HALF_TURN) / (4096 * 2 ** place.z)) + 1);
    this.cell = cell;
  }

  override column(longitude: number): number {
    return this.snapped(super.column(longitude));
  }

  override row(latitude: number): number {
    return this.snapped(super.row(latitude));
  }

  private snapped(value: number): number {
    return this.cell === 1 ? value : Math.floor(value / this.cell + 0.5) * this.cell;
  }

  /** Draws polygons; returns whether any of their area is in the tile. */
  draw({ coords, ringEnd, polygonEnd }: Polygons, sink: RingSink): boolean {
    let any = false;
    let ring = 0;
    for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
      const shell = ring;
      let shellGone = false;
      for (; ring < polygonEnd[polygon]; ring++) {
        if (shellGone) continue;
        const from = ring === 0 ? 0 : ringEnd[ring - 1];
        const to = ringEnd[ring] - 1;
        const jumps = this.measure(coords, from, to);
        const [west, south, east, north] = this.box;
        const drawn = (jumps || !this.isBeside(west, south, east, north)) && this.drawRing(coords, from, to, jumps);
        const emitted = drawn && emit(this, sink, ring === shell);
        if (emitted) any = true;
        else if (ring === shell) shellGone = true;
      }
    }
    return any;
  }

  /**
   * Puts the vertices from … to - 1 of a ring on the grid, and marks as SEEN its edges that were drawn before. Returns
   * false when no ring is left.
   */
  private drawRing(coords: ArrayLike<number>, from: number, to: number, jumps: boolean): boolean {
    this.begin();
    /** The sides (bits) that the last drawn vertex and all vertices since have in common. */
    let beside = 0;
    let here = this.sidesOf(coords, from);
    for (let v = from; v < to; v++) {
      const next = this.sidesOf(coords, v + 1);
      if (!jumps && beside & here & next) beside &= here;
      else {
        this.add(this.column(coords[2 * v]), this.row(coords[2 * v + 1]), NEW, jumps);
        beside = here;
      }
      here = next;
    }
    this.close(jumps);
    this.unfix();
    const { ring, flags, edges } = this;
    const { data, count } = ring;
    if (count < 3) return false;
    for (let i = 0; i < count; i++) {
      if (flags[i] === SEEN) continue;
      const j = i + 1 === count ? 0 : i + 1;
      if (!edges.add(data[2 * i], data[2 * i + 1], data[2 * j], data[2 * j + 1])) flags[i] = SEEN;
    }
    return true;
  }

  /**
   * The polygons without the vertices that make no difference to this tile and the tiles within it: the same object
   * when every vertex does, null when no part of the polygons is in the tile.
   */
  crop(polygons: Polygons): Polygons | null {
    const { coords, ringEnd, polygonEnd } = polygons;
    const kept = new Int32Array(coords.length);
    const rings: number[] = [];
    const ends: number[] = [];
    let at = 0;
    let ring = 0;
    for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
      const shell = ring;
      let shellGone = false;
      for (; ring < polygonEnd[polygon]; ring++) {
        const from = ring === 0 ? 0 : ringEnd[ring - 1];
        const to = ringEnd[ring];
        const jumps = this.measure(coords, from, to);
        const [west, south, east, north] = this.box;
        if (shellGone || (!jumps && this.isBeside(west, south, east, north))) {
          if (ring === shell) shellGone = true;
          continue;
        }
        at = this.cropRing(coords, from, to, jumps, kept, at);
        rings.push(at / 2);
      }
      if (!shellGone && ring > shell) ends.push(rings.length);
    }
    if (rings.length === 0) return null;
    if (at === coords.length) return polygons;
    return { coords: kept.slice(0, at), ringEnd: Uint32Array.from(rings), polygonEnd: Uint32Array.from(ends) };
  }

  /**
   * Copies the vertices from … to - 1 of a closed ring, except those outside the tile that do not affect it. Returns
   * the next write position.
   */
  private cropRing(
    coords: ArrayLike<number>,
    from: number,
    to: number,
    jumps: boolean,
    into: Int32Array,
    start: number,
  ): number {
    let at = start;
    let beside = 0;
    let here = this.sidesOf(coords, from);
    for (let v = from; v < to; v++) {
      const next = v + 1 < to ? this.sidesOf(coords, v + 1) : 0;
      if (!jumps && beside & here & next) beside &= here;
      else {
        into[at++] = coords[2 * v];
        into[at++] = coords[2 * v + 1];
        beside = here;
      }
      here = next;
    }
    return at;
  }

  /**
   * The sides of the tile (with its buffer) on which a vertex is, one bit each. Near ±180 degrees only north and south.
   */
  private sidesOf(coords: ArrayLike<number>, v: number): number {
    const x = coords[2 * v];
    const y = coords[2 * v + 1];
    const side = y > this.north ? 1 : y < this.south ? 2 : 0;
    if (this.atSeam) return side;
    return side | (x < this.west ? 4 : x > this.east ? 8 : 0);
  }

  /** Computes the box of the vertices from … to - 1; returns whether an edge between them crosses ±180 degrees. */
  private measure(coords: ArrayLike<number>, from: number, to: number): boolean {
    let [west, south, east, north] = [coords[2 * from], coords[2 * from + 1], coords[2 * from], coords[2 * from + 1]];
    let jumps = false;
    let before = west;
    for (let v = from + 1; v < to; v++) {
      const x = coords[2 * v];
      const y = coords[2 * v + 1];
      if (x < west) west = x;
      else if (x > east) east = x;
      if (y < south) south = y;
      else if (y > north) north = y;
      if (x - before > HALF_TURN || before - x > HALF_TURN) jumps = true;
      before = x;
    }
    const { box } = this;
    box[0] = west;
    box[1] = south;
    box[2] = east;
    box[3] = north;
    return jumps || before - coords[2 * from] > HALF_TURN || coords[2 * from] - before > HALF_TURN;
  }
}
