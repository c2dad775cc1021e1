/** A tree of the boxes of runs: pieces of arcs that are indexed and compared. */
import type { ArcTable } from '../contract.ts';

/** Segments per run. Runs are the pieces of arcs that are indexed and compared. */
const RUN = 12;
/** Children per node of the box tree. */
const FAN = 16;

/** The chains of arcs. */
export type Chains = Pick<ArcTable, 'coords' | 'first' | 'length'>;

/** Pieces of arcs. Run r has the segments that start at the vertices `from[r] … to[r] - 1` of its arc. */
export interface Runs {
  readonly count: number;
  readonly arc: Uint32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly box: Int32Array;
}

/** The runs of all chains, with their boxes. */
export function splitRuns({ coords, first, length }: Chains): Runs {
  let count = 0;
  for (let a = 0; a < first.length; a++) count += Math.ceil(Math.max(0, length[a] - 1) / RUN);
  const arc = new Uint32Array(count);
  const from = new Uint32Array(count);
  const to = new Uint32Array(count);
  const box = new Int32Array(4 * count);
  let r = 0;
  for (let a = 0; a < first.length; a++) {
    const last = first[a] + length[a] - 1;
    for (let v = first[a]; v < last; v += RUN, r++) {
      const end = Math.min(v + RUN, last);
      arc[r] = a;
      from[r] = v;
      to[r] = end;
      let west = coords[2 * v];
      let south = coords[2 * v + 1];
      let east = west;
      let north = south;
      for (let i = v + 1; i <= end; i++) {
        const x = coords[2 * i];
        const y = coords[2 * i + 1];
        if (x < west) west = x;
        if (x > east) east = x;
        if (y < south) south = y;
        if (y > north) north = y;
      }
      box[4 * r] = west;
      box[4 * r + 1] = south;
      box[4 * r + 2] = east;
      box[4 * r + 3] = north;
    }
  }
  return { count, arc, from, to, box };
}

/**
 * A packed tree of the boxes of runs. Level 0 has the runs in tiled order; each level above groups FAN boxes into one.
 */
export class BoxTree {
  private readonly order: Uint32Array;
  private readonly boxes: Int32Array[] = [];
  private readonly runBox: Int32Array;
  private readonly stack: number[] = [];

  constructor(runs: Runs) {
    this.runBox = runs.box;
    this.order = tile(runs);
    let level = new Int32Array(4 * runs.count);
    for (let i = 0; i < runs.count; i++) {
      for (let side = 0; side < 4; side++) level[4 * i + side] = runs.box[4 * this.order[i] + side];
    }
    this.boxes.push(level);
    while (level.length > 4) {
      const below = level;
      const children = below.length / 4;
      level = new Int32Array(4 * Math.ceil(children / FAN));
      for (let i = 0; 4 * i < level.length; i++) {
        level.set(below.subarray(4 * FAN * i, 4 * FAN * i + 4), 4 * i);
        for (let c = FAN * i + 1; c < Math.min(FAN * (i + 1), children); c++) {
          level[4 * i] = Math.min(level[4 * i], below[4 * c]);
          level[4 * i + 1] = Math.min(level[4 * i + 1], below[4 * c + 1]);
          level[4 * i + 2] = Math.max(level[4 * i + 2], below[4 * c + 2]);
          level[4 * i + 3] = Math.max(level[4 * i + 3], below[4 * c + 3]);
        }
      }
      this.boxes.push(level);
    }
  }

  /** Calls `visit` with every run whose box meets that of run r, r included. */
  query(r: number, visit: (run: number) => void): void {
    const { runBox, boxes, stack, order } = this;
    const west = runBox[4 * r];
    const south = runBox[4 * r + 1];
    const east = runBox[4 * r + 2];
    const north = runBox[4 * r + 3];
    const top = boxes.length - 1;
    stack.push(top, 0);
    while (stack.length > 0) {
      const node = stack.pop()!;
      const level = stack.pop()!;
      const box = boxes[level];
      const b = 4 * node;
      if (box[b] > east || box[b + 1] > north || box[b + 2] < west || box[b + 3] < south) continue;
      if (level === 0) {
        visit(order[node]);
        continue;
      }
      const below = boxes[level - 1];
      const end = Math.min(FAN * (node + 1), below.length / 4);
      for (let c = FAN * node; c < end; c++) {
        const k = 4 * c;
        if (below[k] > east || below[k + 1] > north || below[k + 2] < west || below[k + 3] < south) continue;
        if (level === 1) visit(order[c]);
        else stack.push(level - 1, c);
      }
    }
  }
}

/** Runs sorted into vertical slices by the center of their boxes, and within a slice from south to north. */
function tile(runs: Runs): Uint32Array {
  const { count, box } = runs;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    x[i] = box[4 * i] + box[4 * i + 2];
    y[i] = box[4 * i + 1] + box[4 * i + 3];
  }
  order.sort((i, j) => x[i] - x[j]);
  const slice = FAN * Math.ceil(Math.sqrt(count / FAN));
  for (let s = 0; s < count; s += slice) order.subarray(s, s + slice).sort((i, j) => y[i] - y[j]);
  return order;
}
