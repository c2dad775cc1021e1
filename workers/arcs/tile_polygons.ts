/** Draws laid-out polygons into a tile. Those that share vertices on the ground share them in the tile. */

import { BORDER } from './sea_borders.ts';
import type { MarkedPolygons } from './sea_outlines.ts';
import { HALF_TURN, type TilePlace, TileRing } from './tile_ring.ts';

/** A tile to which polygons are added one area after another. */
export class PolygonTile extends TileRing {
  /** The box of the current ring, in 1e-7 degrees. */
  private readonly box = new Int32Array(4);

  /** `cell`: the grid step of vertices, 1, 2 or 4. */
  constructor(place: TilePlace, cell: number) {
    super(place, cell, 1);
  }

  /** Adds an area. */
  area({ coords, ringEnd, polygonEnd, flags }: MarkedPolygons): void {
    this.beginArea(false);
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
        if (jumps || !this.isBeside(west, south, east, north)) this.addRing(coords, from, to, jumps, flags);
        else if (ring === shell) shellGone = true;
      }
    }
  }

  /** Adds the vertices from … to - 1 of a ring, without those that make no difference to the tile. */
  private addRing(coords: ArrayLike<number>, from: number, to: number, jumps: boolean, flags?: Uint8Array): void {
    this.begin();
    /** The sides (bits) that the last added vertex and all vertices since have in common. */
    let beside = 0;
    let here = this.sidesOf(coords, from);
    for (let v = from; v < to; v++) {
      const next = this.sidesOf(coords, v + 1);
      if (!jumps && beside & here & next) beside &= here;
      else {
        this.add(this.column(coords[2 * v]), this.row(coords[2 * v + 1]), jumps, flags ? flags[v] : BORDER);
        beside = here;
      }
      here = next;
    }
    this.close(jumps);
  }

  /**
   * The polygons without the vertices that make no difference to this tile and the tiles within it: the same object
   * when every vertex does, null when no part of the polygons is in the tile.
   */
  crop(polygons: MarkedPolygons): MarkedPolygons | null {
    const { coords, ringEnd, polygonEnd, flags } = polygons;
    const kept = new Int32Array(coords.length);
    const keptFlags = flags && new Uint8Array(flags.length);
    const into = { coords: kept, flags: keptFlags };
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
        at = this.cropRing({ coords, flags }, [from, to], jumps, into, at);
        rings.push(at / 2);
      }
      if (!shellGone && ring > shell) ends.push(rings.length);
    }
    if (rings.length === 0) return null;
    if (at === coords.length) return polygons;
    return {
      coords: kept.slice(0, at),
      ringEnd: Uint32Array.from(rings),
      polygonEnd: Uint32Array.from(ends),
      ...(keptFlags && { flags: keptFlags.slice(0, at / 2) }),
    };
  }

  /**
   * Copies the vertices from … to - 1 of a closed ring, except those outside the tile that do not affect it. Returns
   * the next write position.
   */
  private cropRing(
    { coords, flags }: Pick<MarkedPolygons, 'coords' | 'flags'>,
    [from, to]: readonly [number, number],
    jumps: boolean,
    into: { readonly coords: Int32Array; readonly flags: Uint8Array | undefined },
    start: number,
  ): number {
    let at = start;
    let beside = 0;
    let here = this.sidesOf(coords, from);
    for (let v = from; v < to; v++) {
      const next = v + 1 < to ? this.sidesOf(coords, v + 1) : 0;
      if (!jumps && beside & here & next) beside &= here;
      else {
        if (flags && into.flags) into.flags[at / 2] = flags[v];
        into.coords[at++] = coords[2 * v];
        into.coords[at++] = coords[2 * v + 1];
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
