/** Common areas of the boundaries of two lists, pair by pair. */

import { type IsCancelled, throwIfCancelled } from './cancel.ts';
import { type ArcTable, FULL } from './contract.ts';
import { type TaskContext, tableOf } from './exact.ts';
import { polygonsArea, ringsArea } from './kernels/area.ts';
import { refsBox } from './kernels/box.ts';
import { mergeBoundaries } from './kernels/classify.ts';
import { type Common, commonArea, hasArcs, walkedArcs } from './kernels/common_area.ts';
import { materialize } from './kernels/layout.ts';
import { intersection } from './kernels/overlay.ts';
import type { CrosswalkResult, CrosswalkTask } from './tasks.ts';

/** Box comparisons between two checks of `isCancelled`. */
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
 * area is exact, from arcs, when no arcs of the two are recorded as crossing; otherwise an overlay on the integer grid
 * measures it.
 * @throws DOMException named AbortError when canceled
 */
export async function crosswalkPairs(
  task: CrosswalkTask,
  { common, isCancelled }: TaskContext,
): Promise<CrosswalkResult> {
  const table = tableOf(task.heap, common);
  const walk = new BoundaryCache(task, table, isCancelled);
  const found: { a: number[]; b: number[]; areaKm2: number[]; exact: number[] } = {
    a: [],
    b: [],
    areaKm2: [],
    exact: [],
  };
  let looked = 0;
  try {
    for (let i = 0; i < task.a.length; i++) {
      throwIfCancelled(isCancelled);
      for (let j = 0; j < task.b.length; j++) {
        if (++looked % POLL === 0) throwIfCancelled(isCancelled);
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
  }
}

/** The boundaries of a task; the box, area and arcs of each are computed once. */
class BoundaryCache {
  private readonly boxes: Int32Array;
  private readonly areas: Float64Array;
  private readonly walked: (ReturnType<typeof walkedArcs> | undefined)[] = [];
  private readonly partners = new Map<number, number[]>();
  private readonly task: CrosswalkTask;
  private readonly table: ArcTable;
  private readonly isCancelled: IsCancelled;

  constructor(task: CrosswalkTask, table: ArcTable, isCancelled: IsCancelled) {
    this.task = task;
    this.table = table;
    this.isCancelled = isCancelled;
    const count = task.refEnd.length;
    this.areas = new Float64Array(count).fill(-1);
    this.boxes = new Int32Array(4 * count);
    for (let i = 0; i < count; i++) this.boxes.set(refsBox(table, this.refs(i)), 4 * i);
    for (let i = 0; i < task.conflicts.length; i += 2) {
      const [one, other] = [task.conflicts[i], task.conflicts[i + 1]];
      for (const [from, to] of [
        [one, other],
        [other, one],
      ]) {
        const list = this.partners.get(from);
        if (list) list.push(to);
        else this.partners.set(from, [to]);
      }
    }
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
    const merged = mergeBoundaries(this.table, [this.refs(i)], [0], [], this.isCancelled);
    if ('trouble' in merged) throw new PairTrouble([i], merged.trouble.reason);
    return merged.rings;
  }

  /** The area of a boundary in m2. */
  area(i: number): number {
    if (this.areas[i] < 0) this.areas[i] = ringsArea(this.table, this.rings(i));
    return this.areas[i];
  }

  private arcs(i: number) {
    this.walked[i] ??= walkedArcs(this.refs(i));
    return this.walked[i] as ReturnType<typeof walkedArcs>;
  }

  private crosses(i: number, j: number): boolean {
    if (this.partners.size === 0) return false;
    const other = this.arcs(j);
    for (const ref of this.refs(i)) {
      const list = this.partners.get(ref < 0 ? ~ref : ref);
      if (list?.some((arc) => hasArcs(other, arc))) return true;
    }
    return false;
  }

  /**
   * The common area of two boundaries in m2.
   * @throws PairTrouble when neither arcs nor an overlay can measure it
   */
  async common(i: number, j: number): Promise<Common & { readonly exact: boolean }> {
    const most = Math.min(this.area(i), this.area(j));
    if (i === j) return { area: most, exact: true };
    if (!this.crosses(i, j)) {
      const one = { refs: this.refs(i), walked: this.arcs(i), box: this.boxes.subarray(4 * i, 4 * i + 4) };
      const other = { refs: this.refs(j), walked: this.arcs(j), box: this.boxes.subarray(4 * j, 4 * j + 4) };
      const found = commonArea(this.table, one, other, most);
      if (found !== null) return { ...found, exact: true };
    }
    try {
      const [one, other] = [i, j].map((k) => materialize(this.table, this.rings(k), FULL, 0, this.isCancelled));
      return { area: Math.min(most, polygonsArea(await intersection(one, other), this.isCancelled)), exact: false };
    } catch (error) {
      if (error instanceof PairTrouble || (error instanceof DOMException && error.name === 'AbortError')) throw error;
      throw new PairTrouble([i, j], error instanceof Error ? error.message : String(error));
    }
  }
}
