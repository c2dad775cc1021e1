import { chainBox } from '../../../workers/arcs/box.ts';
import { defined } from '../../common/elements.ts';
import { waysOf } from './candidates.ts';
import type { BatchSize, Candidate } from './source_rows.ts';
import type { WayRow } from './topology_writes.ts';

/** Boundaries that are cut, assembled and written together, in one transaction. */
export interface Batch {
  readonly candidates: readonly Candidate[];
  /** Whether it may touch the batch before it, which must then be stored first. */
  readonly follows: boolean;
}

/** Side of a grid cell in 1e-7 degrees (half a degree). Boundaries that share a cell may touch. */
const CELL = 5_000_000;
const COLUMNS = 720;
const ROWS = 360;

/**
 * Vertices (each way counted once) at which a batch of small regions is full, and above which a region is divided. A batch
 * takes about 600 bytes of this process's memory per vertex (docs/planet.md).
 */
const TARGET_VERTICES = 60_000;
const MAX_REGION_VERTICES = 2_000_000;

/**
 * Divides boundaries into batches, each stored in its own transaction, so that memory does not grow with the number of
 * boundaries. A region is a set of boundaries connected by shared cells; arcs of different regions cannot meet, so
 * batches of whole regions are independent. A region of more than `most` vertices is divided in the order of a
 * space-filling curve, boundaries that span many cells last; each part `follows` the one before it.
 */
export function batchesOf(
  candidates: readonly Candidate[],
  ways: ReadonlyMap<number, WayRow>,
  { aim, most }: BatchSize = { aim: TARGET_VERTICES, most: MAX_REGION_VERTICES },
): Batch[] {
  const cells = new Cells();
  const counted = new Set<number>();
  const placed = candidates.map((candidate) =>
    cells.place(candidate, chainsOf(candidate, ways), fresh(candidate, ways, counted)),
  );
  const regions = new Map<number, Placed[]>();
  for (const one of placed) {
    const root = one.cell < 0 ? -1 : cells.find(one.cell);
    const region = regions.get(root);
    if (region) region.push(one);
    else regions.set(root, [one]);
  }
  const batches: Batch[] = [];
  let small: Candidate[] = [];
  let collected = 0;
  for (const region of regions.values()) {
    const size = region.reduce((sum, { vertices }) => sum + vertices, 0);
    if (size > most) batches.push(...divide(region, most));
    else {
      for (const { candidate } of region) small.push(candidate);
      collected += size;
      if (collected < aim) continue;
      batches.push({ candidates: small, follows: false });
      small = [];
      collected = 0;
    }
  }
  if (small.length > 0) batches.push({ candidates: small, follows: false });
  return batches;
}

/** Per batch, the changed ways to store with it. Among batches that follow one another, the last user stores a way. */
export function waysOfBatches(batches: readonly Batch[], changed: ReadonlySet<number>): Set<number>[] {
  const later = new Set<number>();
  const stored: Set<number>[] = [];
  for (let n = batches.length - 1; n >= 0; n--) {
    const used = new Set<number>();
    for (const candidate of defined(batches[n]).candidates) {
      for (const way of waysOf(candidate)) if (changed.has(way) && !later.has(way)) used.add(way);
    }
    stored[n] = used;
    if (defined(batches[n]).follows) for (const way of used) later.add(way);
    else later.clear();
  }
  return stored;
}

interface Placed {
  readonly candidate: Candidate;
  readonly vertices: number;
  /** The first cell it touches; -1 when it has no vertex. */
  readonly cell: number;
  /** Sort key: by size (binary logarithm of the span in cells), then along a space-filling curve. */
  readonly order: number;
}

function chainsOf(candidate: Candidate, ways: ReadonlyMap<number, WayRow>): Int32Array[] {
  const border = candidate.input?.border;
  const chains = border && 'rings' in border ? border.rings : waysOf(candidate).map((id) => ways.get(id)?.coords);
  return chains.filter((chain): chain is Int32Array => chain !== undefined && chain !== null && chain.length > 0);
}

/** The number of vertices of its border in ways not counted yet; adds these ways to `counted`. */
function fresh(candidate: Candidate, ways: ReadonlyMap<number, WayRow>, counted: Set<number>): number {
  const border = candidate.input?.border;
  if (border && 'rings' in border) return border.rings.reduce((sum, ring) => sum + ring.length / 2, 0);
  let vertices = 0;
  for (const id of waysOf(candidate)) {
    if (counted.has(id)) continue;
    counted.add(id);
    vertices += (ways.get(id)?.coords?.length ?? 0) / 2;
  }
  return vertices;
}

function divide(region: readonly Placed[], most: number): Batch[] {
  const batches: Batch[] = [];
  let part: Candidate[] = [];
  let size = 0;
  for (const { candidate, vertices } of region.toSorted((a, b) => a.order - b.order)) {
    if (part.length > 0 && size + vertices > most) {
      batches.push({ candidates: part, follows: batches.length > 0 });
      part = [];
      size = 0;
    }
    part.push(candidate);
    size += vertices;
  }
  batches.push({ candidates: part, follows: batches.length > 0 });
  return batches;
}

/** A union-find (with path halving) over the cells of the globe; the cells that one boundary touches are joined. */
class Cells {
  private readonly parent = new Int32Array(COLUMNS * ROWS);

  constructor() {
    // Int32Array.from() with a function takes six times as long.
    for (let cell = 0; cell < this.parent.length; cell++) this.parent[cell] = cell;
  }

  find(cell: number): number {
    const { parent } = this;
    let at = cell;
    while (parent[at] !== at) {
      parent[at] = defined(parent[defined(parent[at])]);
      at = defined(parent[at]);
    }
    return at;
  }

  /** Joins all cells that the boxes of a boundary's chains touch. */
  place(candidate: Candidate, chains: readonly Int32Array[], vertices: number): Placed {
    let first = -1;
    let [left, bottom, right, top] = [COLUMNS, ROWS, -1, -1];
    for (const chain of chains) {
      const [west, south, east, north] = chainBox(chain);
      const [from, to, low, high] = [column(west), column(east), row(south), row(north)];
      for (let y = low; y <= high; y++) {
        for (let x = from; x <= to; x++) {
          // The first and the last cell of a row meet at the antimeridian.
          const cell = COLUMNS * y + x;
          if (first < 0) first = cell;
          this.parent[this.find(cell)] = this.find(first);
          if (x === 0) this.parent[this.find(cell + COLUMNS - 1)] = this.find(first);
        }
      }
      [left, bottom] = [Math.min(left, from), Math.min(bottom, low)];
      [right, top] = [Math.max(right, to), Math.max(top, high)];
    }
    const span = Math.ceil(Math.log2(Math.max(right - left, top - bottom, 8)));
    return {
      candidate,
      vertices,
      cell: first,
      order: span * 2 ** 20 + interleave((left + right) >> 1, (bottom + top) >> 1),
    };
  }
}

const column = (x: number) => Math.min(COLUMNS - 1, Math.floor((x + 1_800_000_000) / CELL));
const row = (y: number) => Math.min(ROWS - 1, Math.floor((y + 900_000_000) / CELL));

/** Interleaves the bits of two numbers below 1,024: the position on a Morton curve. */
function interleave(x: number, y: number): number {
  let code = 0;
  for (let bit = 0; bit < 10; bit++) code |= (((x >> bit) & 1) << (2 * bit)) | (((y >> bit) & 1) << (2 * bit + 1));
  return code;
}
