/** What areas of a file and stored boundaries have in common, pair by pair. */
import { polygonsArea } from '../arcs/area.ts';
import { mergeBoundaries } from '../arcs/classify.ts';
import { materialize } from '../arcs/layout.ts';
import { openIntersections } from '../arcs/overlay.ts';
import { assembleArrangement, NO_TIERS, NOTHING_STORED } from '../build.ts';
import { throwIfCanceled } from '../cancel.ts';
import { type Coords, FULL, type Polygons } from '../contract.ts';
import { type TaskContext, type TaskHeap, tableOf } from './task.ts';

/** Compares areas that are not stored with boundaries. */
export interface CompareAreasTask {
  readonly heap: TaskHeap;
  /** `refs` and `refEnd` as in DissolveTask. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** The rings of each area, in 1e-7 degrees. */
  readonly areas: readonly (readonly Coords[])[];
  /** An index of an area and one of a boundary for each pair. */
  readonly pairs: Uint32Array;
}

/** Areas in m2; or why there are none: `trouble` names a pair by its indexes. */
export type CompareAreasResult =
  | {
      readonly kind: 'areas';
      /** Of each pair what the two have in common. NaN where the area is not one. */
      readonly common: Float64Array;
      /** Of each area; NaN for one that does not assemble. */
      readonly areas: Float64Array;
      /** Of each boundary that is in a pair. */
      readonly boundaries: Float64Array;
      /** Why areas do not assemble, by index. */
      readonly broken: ReadonlyMap<number, string>;
    }
  | { readonly kind: 'trouble'; readonly pair: readonly [number, number]; readonly reason: string };

/**
 * The common area of each pair at full detail, overlaid on the integer grid.
 * @throws DOMException named AbortError when canceled
 */
export async function run(task: CompareAreasTask, { common, isCanceled }: TaskContext): Promise<CompareAreasResult> {
  const table = tableOf(task.heap, common);
  const { areas: given, pairs, refs, refEnd } = task;
  const areas = new Float64Array(given.length);
  const boundaries = new Float64Array(refEnd.length).fill(Number.NaN);
  const shared = new Float64Array(pairs.length / 2).fill(Number.NaN);
  const broken = new Map<number, string>();
  const own = given.map((rings, i): Polygons | null => {
    throwIfCanceled(isCanceled);
    const built = polygonsOf(rings);
    if ('trouble' in built) broken.set(i, built.trouble);
    areas[i] = 'trouble' in built ? Number.NaN : polygonsArea(built.polygons, isCanceled);
    return 'trouble' in built ? null : built.polygons;
  });
  const stored = (j: number): Polygons => {
    const merged = mergeBoundaries(table, [refs.subarray(refEnd[j - 1] ?? 0, refEnd[j])], [0], [], isCanceled);
    if ('trouble' in merged) throw new Error(merged.trouble.reason);
    return materialize(table, merged.rings, FULL, 0, isCanceled);
  };
  let pair: readonly [number, number] = [0, 0];
  // The areas of the file come first, then the boundaries.
  const intersections = await openIntersections((k) => own[k] ?? stored(k - own.length));
  try {
    for (let p = 0; p < shared.length; p++) {
      throwIfCanceled(isCanceled);
      pair = [pairs[2 * p], pairs[2 * p + 1]];
      const [area, boundary] = pair;
      if (own[area] === null) continue;
      if (Number.isNaN(boundaries[boundary])) boundaries[boundary] = polygonsArea(stored(boundary), isCanceled);
      const met = polygonsArea(intersections.of(area, own.length + boundary), isCanceled);
      shared[p] = Math.min(met, areas[area], boundaries[boundary]);
    }
    return { kind: 'areas', common: shared, areas, boundaries, broken };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    return { kind: 'trouble', pair, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    intersections.release();
  }
}

/** The polygons of an area from its rings, or why it has none. */
function polygonsOf(rings: readonly Coords[]): { readonly polygons: Polygons } | { readonly trouble: string } {
  const boundary = { chains: Uint32Array.from(rings.keys()), adminLevel: 13 };
  const task = { chains: [...rings], storedFrom: rings.length, ...NOTHING_STORED, boundaries: [boundary] };
  const { arcs, boundaries } = assembleArrangement(task);
  const [built] = boundaries;
  if (!('rings' in built)) return { trouble: built.trouble };
  return { polygons: materialize({ ...NO_TIERS, ...arcs }, built.rings, FULL, 0) };
}
