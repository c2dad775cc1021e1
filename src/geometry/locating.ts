import type { PerPoint } from '../../workers/kernels/locate_many.ts';
import type { Queryable } from '../db/connect.ts';
import type { BoundaryRef } from './engine_model.ts';
import { ShapeWork } from './shape_work.ts';

/** What is run in the thread of the server itself: points among so many vertices (see SMALL_DOCUMENT in engine.ts). */
const SMALL_LOCATE = 500_000;

/** Where points lie: within boundaries, and within boxes of them. */
export class Locating extends ShapeWork {
  /**
   * locate() at once, where all shapes are in memory and have few vertices; else null. It waits for no one, and so needs
   * neither a signal nor a lease.
   */
  locateNow(boundaries: readonly BoundaryRef[], x: number, y: number): Int8Array | null {
    const refs: Int32Array[] = [];
    let vertices = 0;
    for (const { id, ringHash } of boundaries) {
      const shape = this.arcs.glance(id, ringHash);
      if (shape === null) return null;
      vertices += shape.vertices;
      refs.push(shape.refs);
    }
    if (vertices > SMALL_LOCATE) return null;
    return this.pool.runSmall('locateIn', { heap: null, boundaries: refs, x, y });
  }

  /**
   * Where a point (1e-7 degrees) lies for each boundary: 1 inside, 0 on the border, -1 outside.
   * @throws ArcsMoved when one of them has another shape by now
   */
  async locate(boundaries: readonly BoundaryRef[], x: number, y: number, signal?: AbortSignal): Promise<Int8Array> {
    if (boundaries.length === 0) return new Int8Array(0);
    return this.following(boundaries, { signal, moved: 'refuse' }, (refs) =>
      this.withShapes(refs, signal, async (lease) => {
        const task = { heap: lease.heap, boundaries: lease.refs, x, y };
        const small = lease.vertices <= SMALL_LOCATE;
        return small ? this.pool.runSmall('locateIn', task) : this.pool.run('locateIn', task, signal);
      }),
    );
  }

  /**
   * The boxes that hold each of some points (x, y of each in 1e-7 degrees), as boxesAt() of kernels/locate_many.ts finds
   * them in a tree of packBoxes().
   */
  boxesAt(
    { tree, boxes }: { readonly tree: ArrayBufferLike | null; readonly boxes: Int32Array },
    points: Int32Array,
    signal?: AbortSignal,
  ): Promise<PerPoint> {
    return this.pool.runPatiently('boxesAt', { tree, boxes, points }, signal);
  }

  /**
   * For each point and each of its candidates (places in `boundaries`), a byte: 1 where the point is inside or on the
   * border, else 0. Waits for room. Throws ArcsMoved when a boundary has another shape by now.
   */
  async locateAmong(
    boundaries: readonly BoundaryRef[],
    points: Int32Array,
    candidates: PerPoint,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    if (boundaries.length === 0) return new Uint8Array(0);
    const lease = await this.bulk(boundaries, signal, true);
    try {
      const { heap, refs, refEnd } = lease;
      return await this.pool.runPatiently('locateAmong', { heap, refs, refEnd, points, candidates }, signal);
    } finally {
      lease.release();
    }
  }

  /**
   * Where points (1e-7 degrees, multiples of 1/2) lie, each in one of some boundaries, given by its index: 1 inside, 0 on
   * the border, -1 outside. `db` may be a transaction that has just written the shapes.
   */
  async locateAll(
    db: Queryable,
    boundaries: readonly BoundaryRef[],
    points: readonly { readonly boundary: number; readonly x: number; readonly y: number }[],
  ): Promise<Int8Array> {
    const lease = await this.arcs.load(db, boundaries);
    try {
      return await this.pool.runPatiently('locateAll', {
        heap: lease.heap,
        boundaries: lease.refs,
        points: Float64Array.from(points.flatMap(({ boundary, x, y }) => [boundary, x, y])),
      });
    } finally {
      lease.release();
    }
  }

  /** Boxes (west, south, east, north of each, at least one) as a tree in shared memory that Flatbush.from() reads. */
  packBoxes(boxes: Int32Array): Promise<SharedArrayBuffer> {
    return this.pool.runPatiently('packBoxes', { boxes });
  }
}
