/** Common areas of the boundaries of two lists, pair by pair. */

import { polygonsArea, ringsArea } from '../arcs/area.ts';
import { refsBox } from '../arcs/box.ts';
import { mergeBoundaries } from '../arcs/classify.ts';
import { arcRows, type Common, commonArea, type Walked, walkedArcs } from '../arcs/common_area.ts';
import { Crossings, crossedArea } from '../arcs/crossed_area.ts';
import { materialize } from '../arcs/layout.ts';
import { type Intersections, openIntersections } from '../arcs/overlay.ts';
import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import { type ArcTable, FULL } from '../contract.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Computes the common area of each pair of two lists of boundaries. */
export interface CrosswalkTask {
  readonly heap: TaskHeap;
  /** `refs`, `refEnd`, `conflicts` and `arrangements` as in DissolveTask. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  readonly conflicts: Int32Array;
  readonly arrangements: Uint32Array;
  /** Indexes of boundaries. */
  readonly a: Uint32Array;
  readonly b: Uint32Array;
  readonly maxPairs: number;
}

/** The pairs with a common area, ordered by their positions in `a`, then in `b`; or why there are none. */
export type CrosswalkResult =
  | {
      readonly kind: 'pairs';
      /** Per pair, a position in the task's `a` and one in its `b`. */
      readonly a: Uint32Array;
      readonly b: Uint32Array;
      readonly areaKm2: Float64Array;
      /** Per pair, 1 when the area is a sum of whole arcs, 0 when the borders cross. */
      readonly exact: Uint8Array;
      /** Per position in the task's `a` and `b`, the area of the whole boundary in km2. */
      readonly wholeA: Float64Array;
      readonly wholeB: Float64Array;
    }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'trouble'; readonly index: readonly number[]; readonly reason: string };

/** Box comparisons between two checks of `isCanceled`. */
const POLL = 1_000_000;

/** No strategy can measure these boundaries (indexes of the task). */
class PairTrouble extends Error {
  readonly index: readonly number[];

  constructor(index: readonly number[], reason: string) {
    super(reason);
    this.index = index;
  }
}

/**
 * Every pair with a common area (km2), ordered by its positions in `a`, then in `b`; `too_large` beyond `maxPairs`. The
 * area is exact, from arcs, when no arcs of the two are recorded as crossing; where they cross, they are cut there; where
 * they touch or overlap, an overlay on the integer grid measures it.
 * @throws DOMException named AbortError when canceled
 */
export async function run(task: CrosswalkTask, { common, isCanceled }: TaskContext): Promise<CrosswalkResult> {
  const table = tableOf(task.heap, common);
  const walk = new BoundaryCache(task, table, isCanceled);
  const found: { a: number[]; b: number[]; areaKm2: number[]; exact: number[] } = {
    a: [],
    b: [],
    areaKm2: [],
    exact: [],
  };
  let looked = 0;
  try {
    for (let i = 0; i < task.a.length; i++) {
      throwIfCanceled(isCanceled);
      for (let j = 0; j < task.b.length; j++) {
        if (++looked % POLL === 0) throwIfCanceled(isCanceled);
        if (!walk.boxesMeet(task.a[i], task.b[j])) continue;
        const { area, exact } = await walk.common(task.a[i], task.b[j]);
        if (!(area > 0)) continue;
        if (found.a.length === task.maxPairs) return { kind: 'too_large' };
        found.a.push(i);
        found.b.push(j);
        found.areaKm2.push(area / 1e6);
        found.exact.push(exact ? 1 : 0);
      }
    }
    return {
      kind: 'pairs',
      a: Uint32Array.from(found.a),
      b: Uint32Array.from(found.b),
      areaKm2: Float64Array.from(found.areaKm2),
      exact: Uint8Array.from(found.exact),
      wholeA: Float64Array.from(task.a, (one) => walk.area(one) / 1e6),
      wholeB: Float64Array.from(task.b, (one) => walk.area(one) / 1e6),
    };
  } catch (error) {
    if (error instanceof PairTrouble) return { kind: 'trouble', index: error.index, reason: error.message };
    throw error;
  } finally {
    walk.release();
  }
}

/** The boundaries of a task; the box, area and arcs of each are computed once. */
class BoundaryCache {
  private readonly boxes: Int32Array;
  private readonly areas: Float64Array;
  private readonly walked: (Walked | undefined)[] = [];
  private readonly crossings: Crossings;
  private intersections: Intersections | null = null;
  private readonly task: CrosswalkTask;
  private readonly table: ArcTable;
  private readonly isCanceled: IsCanceled;

  constructor(task: CrosswalkTask, table: ArcTable, isCanceled: IsCanceled) {
    this.task = task;
    this.table = table;
    this.isCanceled = isCanceled;
    const count = task.refEnd.length;
    this.areas = new Float64Array(count).fill(-1);
    this.boxes = new Int32Array(4 * count);
    for (let i = 0; i < count; i++) this.boxes.set(refsBox(table, this.refs(i)), 4 * i);
    this.crossings = new Crossings(table, task.conflicts, isCanceled);
  }

  /** Frees the memory of the overlays. */
  release(): void {
    this.intersections?.release();
  }

  private refs(i: number): Int32Array {
    return this.task.refs.subarray(this.task.refEnd[i - 1] ?? 0, this.task.refEnd[i]);
  }

  boxesMeet(i: number, j: number): boolean {
    const { boxes } = this;
    const [a, b] = [4 * i, 4 * j];
    return (
      boxes[a] < boxes[b + 2] && boxes[b] < boxes[a + 2] && boxes[a + 1] < boxes[b + 3] && boxes[b + 1] < boxes[a + 3]
    );
  }

  private rings(i: number) {
    const merged = mergeBoundaries(this.table, [this.refs(i)], [0], [], this.isCanceled);
    if ('trouble' in merged) throw new PairTrouble([i], merged.trouble.reason);
    return merged.rings;
  }

  /** The area of a boundary in m2. */
  area(i: number): number {
    if (this.areas[i] < 0) this.areas[i] = ringsArea(this.table, this.rings(i));
    return this.areas[i];
  }

  private arcs(i: number): Walked {
    const refs = this.refs(i);
    const box = this.boxes.subarray(4 * i, 4 * i + 4);
    this.walked[i] ??= { refs, walked: walkedArcs(refs), box, rows: arcRows(this.table, refs) };
    return this.walked[i];
  }

  /**
   * The common area of two boundaries in m2.
   * @throws PairTrouble when neither arcs nor an overlay can measure it
   */
  async common(i: number, j: number): Promise<Common & { readonly exact: boolean }> {
    const most = Math.min(this.area(i), this.area(j));
    if (i === j) return { area: most, exact: true };
    const [one, other] = [this.arcs(i), this.arcs(j)];
    // Nothing records where arcs of two arrangements meet.
    if (this.task.arrangements[i] === this.task.arrangements[j]) {
      const exact = !this.crossings.between(one, other);
      const found = exact
        ? commonArea(this.table, one, other, most)
        : crossedArea(this.table, this.crossings, one, other, most);
      if (found !== null) return { ...found, exact };
    }
    try {
      this.intersections ??= await openIntersections((k) =>
        materialize(this.table, this.rings(k), FULL, 0, this.isCanceled),
      );
      const shared = this.intersections.of(i, j);
      return { area: Math.min(most, polygonsArea(shared, this.isCanceled)), exact: false };
    } catch (error) {
      if (error instanceof PairTrouble || (error instanceof DOMException && error.name === 'AbortError')) throw error;
      throw new PairTrouble([i, j], error instanceof Error ? error.message : String(error));
    }
  }
}
