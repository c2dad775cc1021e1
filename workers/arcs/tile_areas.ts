/**
 * The areas of a tile as valid polygons: their rings are put on the grid together (snap rounding), so they meet only at
 * shared vertices; each area is then traced along the edges that bound it. Areas that share a border on the ground
 * share every vertex of it. What is narrower than the grid vanishes for all of them alike.
 */
import { Ints } from './clean_lines.ts';
import type { Points } from './clip.ts';
import { followed, type Noded } from './noded.ts';
import { Segments } from './segments.ts';
import { STEPS, snapRound } from './snap_round.ts';
import { Drawing, type Edges, type TileSink } from './tile_drawing.ts';
import { Tracing } from './tile_tracing.ts';

/** Rings of areas, in the given order, until they are drawn. */
export class TileAreas {
  private readonly cell: number;
  private readonly low: number;
  private readonly high: number;
  private readonly segments = new Segments();
  /** Per segment, its flags as a border (sea_borders.ts); 0: it is none. */
  private readonly flags = new Ints();
  private readonly refs = new Ints();
  /** Per area, the end of its part of `refs`, and whether it is marked. */
  private readonly areas: { end: number; readonly marked: boolean }[] = [];

  /** A square from `low` to `high`, in which vertices are on every `cell`-th grid line: 1, 2 or 4. */
  constructor(low: number, high: number, cell: number) {
    this.cell = cell;
    this.low = low;
    this.high = high;
  }

  /** Begins the next area. */
  begin(marked: boolean): void {
    this.areas.push({ end: this.refs.length, marked });
  }

  /**
   * Adds a ring (its first point not repeated) within the square to the current area. Shells are counterclockwise on the
   * screen, holes clockwise. A flag of 0 says that the edge that leaves the point is not a border.
   */
  ring({ data, flags, count }: Points): void {
    const area = this.areas[this.areas.length - 1];
    const { cell, segments, flags: known, refs } = this;
    // Rounded down, so that a point is in the pixel in which it was.
    const step = (value: number): number => Math.floor((value * STEPS) / cell);
    const line = (value: number): number => Math.floor(value / STEPS + 0.5);
    if (count < 2) return;
    let [x, y] = [step(data[2 * count - 2]), step(data[2 * count - 1])];
    let flag = flags[count - 1];
    for (let i = 0; i < count; i++) {
      const [toX, toY] = [step(data[2 * i]), step(data[2 * i + 1])];
      if (line(x) !== line(toX) || line(y) !== line(toY)) {
        const ref = segments.add(x, y, toX, toY);
        refs.push(ref);
        const segment = ref < 0 ? ~ref : ref;
        if (segment === known.length) known.push(flag);
        else known.data[segment] |= flag;
      }
      [x, y, flag] = [toX, toY, flags[i]];
    }
    area.end = refs.length;
  }

  /** Draws all areas; a shared border belongs to the first that has it. Returns how many have a part in the tile. */
  draw(sink: TileSink): number {
    const { cell, low, high } = this;
    if (this.refs.length === 0) return 0;
    const noded = snapRound(this.segments, low / cell, high / cell);
    const edges = this.edges(noded);
    const tracing = new Tracing(noded, edges.alive);
    const drawing = new Drawing(noded, edges, { cell, low, high }, sink);
    let drawn = 0;
    this.areas.forEach((_, b) => {
      const from = b === 0 ? 0 : edges.end[b - 1];
      if (from === edges.end[b]) return;
      const halves = edges.halves.data.subarray(from, edges.end[b]);
      const turns = edges.turns.data.subarray(from, edges.end[b]);
      const polygons = tracing.polygons(halves, turns);
      for (const rings of polygons) for (const ring of rings) drawing.ring(b, ring);
      for (const rings of polygons) for (const ring of rings) drawing.lines(b, ring);
      if (polygons.length > 0) drawn++;
    });
    return drawn;
  }

  /** Which edges bound each area: those that its rings walk more often in one direction than in the other. */
  private edges(noded: Noded): Edges {
    const count = noded.a.length;
    const edges = {
      halves: new Ints(),
      turns: new Ints(),
      end: new Int32Array(this.areas.length),
      alive: new Uint8Array(count),
      flags: new Uint8Array(count),
      isMarked: new Uint8Array(count),
    };
    const path = new Ints();
    for (let s = 0; s < this.segments.count; s++) {
      const flags = this.flags.data[s];
      if (flags === 0) continue;
      path.length = 0;
      followed(noded, s, path);
      for (let i = 0; i < path.length; i++) edges.flags[path.data[i] < 0 ? ~path.data[i] : path.data[i]] |= flags;
    }
    const sums = new Int32Array(count);
    let at = 0;
    this.areas.forEach(({ end, marked }, b) => {
      path.length = 0;
      for (; at < end; at++) followed(noded, this.refs.data[at], path);
      for (let i = 0; i < path.length; i++) {
        const edge = path.data[i];
        if (edge < 0) sums[~edge]++;
        else sums[edge]--;
      }
      for (let i = 0; i < path.length; i++) {
        const edge = path.data[i] < 0 ? ~path.data[i] : path.data[i];
        const sum = sums[edge];
        if (sum === 0) continue;
        sums[edge] = 0;
        edges.halves.push(sum > 0 ? 2 * edge : 2 * edge + 1);
        edges.turns.push(Math.abs(sum));
        edges.alive[edge] = 1;
        if (marked) edges.isMarked[edge] = 1;
      }
      edges.end[b] = edges.halves.length;
    });
    return edges;
  }
}
