import { defined } from '../../common/elements.ts';
import type { Gathered, Part } from './gathered.ts';
import { isDescribed } from './tags.ts';
import { outerWaysOf } from './water.ts';

/** Bounds of the memory that an import takes. */
export interface PartSize {
  /** The most bytes of a part while it is stored, estimated by BOUNDARY_BYTES and VERTEX_BYTES. */
  readonly bytes: number;
  /** The most nodes to look up in one pass. */
  readonly nodes: number;
}

/** Bytes per boundary, measured in an import of 61,709: its description, its ways as objects, and database queries. */
const BOUNDARY_BYTES = 17_000;
/** Bytes per vertex: node id and place, twice while it is read. */
const VERTEX_BYTES = 32;

export const PART_SIZE: PartSize = { bytes: 2 ** 30, nodes: 32 * 2 ** 20 };

/** Cells along a side of the square map, a power of two. */
const SIDE = 65_536;
const BITS = 16;

/**
 * Divides the boundaries of a file into parts of at most `size.bytes` (a single boundary may take more); [null] if one
 * part is enough. A region (the boundaries connected by common ways) stays in one part if it fits, because a second
 * part would read again what is stored along the cut. A larger region is cut in the order of a space-filling curve,
 * each boundary after the smaller ones around its center, so that most common ways are within one part.
 */
export async function planParts(gathered: Gathered, size: PartSize): Promise<(Part | null)[]> {
  const { relations, ways } = gathered;
  if (relations.order.length * BOUNDARY_BYTES + gathered.countVertices() * VERTEX_BYTES <= size.bytes) return [null];
  const alone = await aloneWays(gathered);
  const boxes = await boxesOf(gathered);
  // Items: the relations, then the ways that are boundaries themselves.
  const count = relations.order.length;
  const used = (item: number) =>
    item < count ? waysOf(gathered, defined(relations.order[item])) : [defined(alone[item - count])];
  const items = Uint32Array.from({ length: count + alone.length }, (_, item) => item);
  const place = Float64Array.from(items, (item) => placeOf(used(item), boxes));
  const region = regionsOf(ways.id.length, items, used);
  const first = new Map<number, number>();
  for (const item of items)
    first.set(defined(region[item]), Math.min(first.get(defined(region[item])) ?? Infinity, defined(place[item])));
  const start = Float64Array.from(items, (item) => first.get(defined(region[item])) as number);
  items.sort(
    (a, b) =>
      defined(start[a]) - defined(start[b]) ||
      defined(region[a]) - defined(region[b]) ||
      defined(place[a]) - defined(place[b]) ||
      a - b,
  );

  const parts: Part[] = [];
  /** Per way, the number of the last part that it was counted for. */
  const seen = new Uint32Array(ways.id.length);
  let [number, bytes] = [1, 0];
  const costOf = (some: readonly number[]) => {
    let vertices = 0;
    for (const way of some) {
      if (seen[way] !== number) vertices += gathered.countVertices(way);
      seen[way] = number;
    }
    return BOUNDARY_BYTES + VERTEX_BYTES * vertices;
  };
  let from = 0;
  const end = (to: number) => {
    if (to === from) return;
    const own = Array.from(items.subarray(from, to));
    parts.push({
      relations: Uint32Array.from(own.filter((item) => item < count).map((item) => relations.order[item])),
      alone: Uint32Array.from(own.filter((item) => item >= count).map((item) => alone[item - count])),
    });
    [from, bytes] = [to, 0];
    number++;
  };
  for (let at = 0; at < items.length; ) {
    let next = at;
    let whole = 0;
    for (; next < items.length && region[defined(items[next])] === region[defined(items[at])]; next++)
      whole += costOf(used(defined(items[next])));
    if (bytes + whole > size.bytes) end(at);
    if (whole <= size.bytes) {
      bytes += whole;
    } else {
      for (number++; at < next; at++) {
        let cost = costOf(used(defined(items[at])));
        if (bytes > 0 && bytes + cost > size.bytes) {
          end(at);
          cost = costOf(used(defined(items[at])));
        }
        bytes += cost;
      }
      end(next);
    }
    at = next;
  }
  end(items.length);
  return parts;
}

/** Per item, the number of its region: items connected by common ways (union-find with path halving). */
function regionsOf(ways: number, items: Uint32Array, used: (item: number) => readonly number[]): Uint32Array {
  // One extra, for items without a way.
  const parent = Uint32Array.from({ length: ways + 1 }, (_, way) => way);
  const find = (way: number) => {
    let at = way;
    while (parent[at] !== at) {
      parent[at] = defined(parent[defined(parent[at])]);
      at = defined(parent[at]);
    }
    return at;
  };
  for (const item of items) {
    const [first, ...others] = used(item);
    if (first !== undefined) for (const way of others) parent[find(way)] = find(first);
  }
  return Uint32Array.from(items, (item) => find(used(item)[0] ?? ways));
}

/** The records of a relation's ways that the file has. */
function waysOf({ memberWays, ways }: Gathered, relation: number): number[] {
  return Array.from(memberWays.list(relation), (id) => ways.find(id)).filter((way) => way >= 0);
}

/** The closed ways with the tags of an area that are not ring members of a relation; of water: not outer ones. */
async function aloneWays(gathered: Gathered): Promise<number[]> {
  const { relations, ways, candidate } = gathered;
  const open = new Set(ways.order.filter((way) => candidate.at(way) === 1));
  // Only relations that contain such a way are read back; they are few.
  const doubtful = relations.order.filter((relation) => waysOf(gathered, relation).some((way) => open.has(way)));
  const described = await gathered.relationsAt(doubtful);
  described.forEach((relation, k) => {
    if (gathered.kept === 'water') {
      for (const id of outerWaysOf(relation)) open.delete(ways.find(id));
    } else if (isDescribed(relation)) for (const way of waysOf(gathered, defined(doubtful[k]))) open.delete(way);
  });
  return [...open];
}

/** West, south, east and north of each way, in 1e-7 degrees; NO_BOX if none of its vertices is known. */
async function boxesOf(gathered: Gathered): Promise<Int32Array> {
  const boxes = new Int32Array(4 * gathered.ways.id.length);
  await gathered.eachWay((coords, way) => {
    let [west, south, east, north] = NO_BOX;
    for (let k = 0; k < coords.length; k += 2) {
      const [x, y] = [defined(coords[k]), defined(coords[k + 1])];
      if (x < -1_800_000_000) continue;
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
    boxes.set([west, south, east, north], 4 * way);
  });
  return boxes;
}

const NO_BOX: readonly [number, number, number, number] = [1_800_000_000, 900_000_000, -1_800_000_000, -900_000_000];

/**
 * The sort key of a boundary: the end of the quadtree cell of its size that holds its center, on the Morton curve, and
 * after the smaller boundaries in that cell.
 */
function placeOf(used: readonly number[], boxes: Int32Array): number {
  let [west, south, east, north] = NO_BOX;
  for (const way of used) {
    west = Math.min(west, defined(boxes[4 * way]));
    south = Math.min(south, defined(boxes[4 * way + 1]));
    east = Math.max(east, defined(boxes[4 * way + 2]));
    north = Math.max(north, defined(boxes[4 * way + 3]));
  }
  if (west > east) return 0;
  const [left, right] = [cell(west), cell(east)];
  const [bottom, top] = [cell(south), cell(north)];
  const level = Math.min(BITS, Math.ceil(Math.log2(Math.max(right - left, top - bottom) + 1)));
  const last = 4 ** level;
  const code = interleave((left + right) >> 1, (bottom + top) >> 1);
  return (Math.floor(code / last) * last + last - 1) * (BITS + 1) + level;
}

/** A longitude or latitude as a column or row of the square of 360 by 360 degrees with the map in its middle. */
const cell = (place: number) => Math.min(SIDE - 1, Math.floor(((place + 1_800_000_000) / 3_600_000_000) * SIDE));

/** Interleaves the bits of two numbers below 65,536: the position on a Morton curve. */
function interleave(x: number, y: number): number {
  let code = 0;
  for (let bit = BITS - 1; bit >= 0; bit--) code = 4 * code + 2 * ((y >> bit) & 1) + ((x >> bit) & 1);
  return code;
}
