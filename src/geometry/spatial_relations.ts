import type { Border } from '../../workers/arcs/border.ts';
import type { CrosswalkResult } from '../../workers/tasks/crosswalk.ts';
import { defined, only } from '../common/elements.ts';
import { problem } from '../core/errors.ts';
import type { Queryable } from '../db/connect.ts';
import { type ArcStore, shapeKey } from './arcs.ts';
import type { BoundaryRef } from './engine_model.ts';
import type { TaskRunner } from './pool.ts';
import { ringsOf, type ShapeLeases } from './shape_leases.ts';

/** Measures how boundaries relate to each other: nearness, borders, shares and common areas. */
export class SpatialRelations {
  private readonly shapes: ShapeLeases;
  private readonly arcs: ArcStore;
  private readonly tasks: TaskRunner;

  constructor(shapes: ShapeLeases, arcs: ArcStore, tasks: TaskRunner) {
    this.shapes = shapes;
    this.arcs = arcs;
    this.tasks = tasks;
  }

  /**
   * How near pairs of boundaries (indexes into `boundaries`) are: SHARED, NEAR or FAR of arcs/nearness.ts. `meters`
   * null compares arcs only.
   * @throws ArcsMoved when a boundary has another shape by now
   */
  async near(
    boundaries: readonly BoundaryRef[],
    pairs: readonly (readonly [number, number, number | null])[],
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    if (pairs.length === 0) return new Uint8Array(0);
    const lease = await this.shapes.leaseMany(boundaries, signal);
    try {
      const { heap, refs, refEnd } = lease;
      const flat = Float64Array.from(pairs.flatMap(([a, b, meters]) => [a, b, meters ?? -1]));
      return await this.tasks.run('near', { heap, refs, refEnd, pairs: flat }, signal);
    } finally {
      lease.release();
    }
  }

  /**
   * The arcs of a boundary, measured, with their ids in the database (negative: walked backward, interior on the left).
   * @throws ArcsMoved when the boundary has another shape by now
   */
  async border(boundary: BoundaryRef, signal?: AbortSignal): Promise<Border & { readonly arcs: Float64Array }> {
    return this.shapes.withShapes([boundary], signal, async (lease) => {
      const task = { heap: lease.heap, refs: only(lease.refs) };
      return { ...(await this.tasks.run('border', task, signal)), arcs: only(lease.shapes).arcs };
    });
  }

  /**
   * The share (0 … 1) of each child's area that is in its parent: exact on arcs, by an overlay where arcs of the two
   * cross. `db` may be a transaction that has just written the shapes.
   */
  async overlapShares(
    db: Queryable,
    pairs: readonly { readonly child: BoundaryRef; readonly parent: BoundaryRef }[],
  ): Promise<Float64Array> {
    const refs = new Map<string, BoundaryRef>();
    for (const { child, parent } of pairs) refs.set(shapeKey(child), child).set(shapeKey(parent), parent);
    const index = new Map([...refs.keys()].map((id, i) => [id, i]));
    const lease = await this.arcs.load(db, [...refs.values()]);
    const { crossing } = lease;
    try {
      const numbers = pairs.map(({ child, parent }): [number, number] => [
        defined(index.get(shapeKey(child))),
        defined(index.get(shapeKey(parent))),
      ]);
      return await this.tasks.runPatiently('shares', {
        heap: lease.heap,
        boundaries: ringsOf(lease),
        pairs: Uint32Array.from(numbers.flat()),
        conflicts: Uint8Array.from(numbers, ([child, parent]) => (crossing(child, parent) ? 1 : 0)),
      });
    } finally {
      lease.release();
    }
  }

  /**
   * The pairs of a boundary of `a` and one of `b` (indexes into `boundaries`) that overlap in area. See
   * workers/tasks/crosswalk.ts.
   * @throws too_large for more than `maxPairs`; internal_error, naming two boundaries, when no strategy gives an exact
   * result for their overlap; ArcsMoved when a boundary has another shape by now
   */
  async crosswalk(
    boundaries: readonly BoundaryRef[],
    { a, b, maxPairs }: { readonly a: readonly number[]; readonly b: readonly number[]; readonly maxPairs: number },
    signal?: AbortSignal,
  ): Promise<Extract<CrosswalkResult, { kind: 'pairs' }>> {
    const lease = await this.shapes.leaseMany(boundaries, signal);
    try {
      const { heap, refs, refEnd, conflicts, arrangements } = lease;
      const lists = { a: Uint32Array.from(a), b: Uint32Array.from(b), maxPairs };
      const task = { heap, refs, refEnd, conflicts, arrangements, ...lists };
      const result = await this.tasks.run('crosswalk', task, signal);
      if (result.kind === 'too_large') throw problem('too_large', `More than ${maxPairs} pairs overlap.`);
      if (result.kind === 'pairs') return result;
      const names = result.index.map((i) => defined(boundaries[i]).id).join(' and ');
      throw problem('internal_error', `No exact result for ${names}: ${result.reason}.`);
    } finally {
      lease.release();
    }
  }
}

export { FAR, NEAR, SHARED } from '../../workers/arcs/nearness.ts';
