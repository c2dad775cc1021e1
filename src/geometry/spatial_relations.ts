import type { Border } from '../../workers/arcs/border.ts';
import { type Lines, NO_LINES } from '../../workers/arcs/tagged_lines.ts';
import type { Box, Coords } from '../../workers/contract.ts';
import type { CommonPolygons } from '../../workers/tasks/common_areas.ts';
import type { CompareAreasResult } from '../../workers/tasks/compare_areas.ts';
import type { CrosswalkResult } from '../../workers/tasks/crosswalk.ts';
import { defined, only } from '../common/elements.ts';
import { problem } from '../core/errors.ts';
import type { Queryable } from '../db/connect.ts';
import { shapeKey } from './arc_leases.ts';
import type { ArcStore } from './arcs.ts';
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
   * The length in meters of the edges that the first boundary and each of the others both have, exactly the same, on
   * WGS84.
   * @throws ArcsMoved when a boundary has another shape by now
   */
  async commonLines(boundaries: readonly BoundaryRef[], signal?: AbortSignal): Promise<Float64Array> {
    const lease = await this.shapes.leaseMany(boundaries, signal);
    try {
      const { heap, refs, refEnd } = lease;
      return await this.tasks.run('commonLines', { heap, refs, refEnd }, signal);
    } finally {
      lease.release();
    }
  }

  /**
   * The arcs of a boundary, measured, with their ids in the database (negative: walked backward, interior on the left).
   * @param maritime borders that the map marks as ones at sea
   * @throws ArcsMoved when the boundary has another shape by now
   */
  async border(
    boundary: BoundaryRef,
    signal?: AbortSignal,
    maritime: Lines = NO_LINES,
  ): Promise<Border & { readonly arcs: Float64Array }> {
    return this.shapes.withShapes([boundary], signal, async (lease) => {
      const task = { heap: lease.heap, refs: only(lease.refs), maritime };
      return { ...(await this.tasks.run('border', task, signal)), arcs: only(lease.shapes).arcs };
    });
  }

  /**
   * For each boundary whether it has a point in common with one of some boxes (1e-7 degrees, whole numbers, west <=
   * east), borders included. Exact.
   * @throws ArcsMoved when a boundary has another shape by now
   */
  async meetBoxes(boundaries: readonly BoundaryRef[], boxes: readonly Box[], signal?: AbortSignal): Promise<boolean[]> {
    if (boundaries.length === 0) return [];
    return this.shapes.withShapes(boundaries, signal, ({ heap, refs }) =>
      this.tasks.run('meetsBoxes', { heap, boundaries: refs, boxes }, signal),
    );
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
      throw troubleOf(boundaries, result);
    } finally {
      lease.release();
    }
  }

  /**
   * What areas that are not stored (rings in 1e-7 degrees) and boundaries have in common, for pairs of their indexes, in
   * m2. See workers/tasks/compare_areas.ts.
   * @throws internal_error, naming a boundary, when no overlay measures a pair; ArcsMoved when a boundary has another
   * shape by now
   */
  async compareAreas(
    areas: readonly (readonly Coords[])[],
    boundaries: readonly BoundaryRef[],
    pairs: Uint32Array,
    signal?: AbortSignal,
  ): Promise<Extract<CompareAreasResult, { kind: 'areas' }>> {
    const lease = await this.shapes.leaseMany(boundaries, signal);
    try {
      const { heap, refs, refEnd } = lease;
      const result = await this.tasks.run('compareAreas', { heap, refs, refEnd, areas, pairs }, signal);
      if (result.kind === 'areas') return result;
      throw troubleOf(boundaries, { index: [result.pair[1]], reason: result.reason });
    } finally {
      lease.release();
    }
  }

  /**
   * The common area of each pair (indexes into `boundaries`) at full detail, as polygons. See
   * workers/tasks/common_areas.ts.
   * @throws too_large when their coordinates have more than `maxBytes`; internal_error, naming two boundaries, when the
   * common area of them is not valid; ArcsMoved when a boundary has another shape by now
   */
  async commonAreas(
    boundaries: readonly BoundaryRef[],
    pairs: readonly (readonly [number, number])[],
    maxBytes: number,
    signal?: AbortSignal,
  ): Promise<readonly CommonPolygons[]> {
    const lease = await this.shapes.leaseMany(boundaries, signal);
    try {
      const { heap, refs, refEnd } = lease;
      const task = { heap, refs, refEnd, pairs: Uint32Array.from(pairs.flat()), maxBytes };
      const result = await this.tasks.run('commonAreas', task, signal);
      if (result.kind === 'areas') return result.areas;
      if (result.kind === 'trouble') throw troubleOf(boundaries, result);
      throw problem('too_large', `The areas take at least ${result.bytes} bytes; the limit is ${maxBytes}.`);
    } finally {
      lease.release();
    }
  }

  /**
   * The area in km2 that each triple of boundaries (indexes into `boundaries`) has in common. See
   * workers/tasks/triple_areas.ts.
   * @throws internal_error, naming the boundaries, when no overlay measures it; ArcsMoved
   */
  async tripleAreas(
    boundaries: readonly BoundaryRef[],
    triples: readonly (readonly [number, number, number])[],
    signal?: AbortSignal,
  ): Promise<Float64Array> {
    if (triples.length === 0) return new Float64Array(0);
    const lease = await this.shapes.leaseMany(boundaries, signal);
    try {
      const { heap, refs, refEnd } = lease;
      const task = { heap, refs, refEnd, triples: Uint32Array.from(triples.flat()) };
      const result = await this.tasks.run('tripleAreas', task, signal);
      if (result.kind === 'areas') return result.areaKm2;
      throw troubleOf(boundaries, result);
    } finally {
      lease.release();
    }
  }
}

function troubleOf(
  boundaries: readonly BoundaryRef[],
  { index, reason }: { readonly index: readonly number[]; readonly reason: string },
): Error {
  const names = index.map((i) => defined(boundaries[i]).id).join(' and ');
  return problem('internal_error', `No exact result for ${names}: ${reason}.`);
}

export { FAR, NEAR, SHARED } from '../../workers/arcs/nearness.ts';
