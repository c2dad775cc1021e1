import type { PerPoint } from '../../workers/arcs/locate_many.ts';
import { defined } from '../common/elements.ts';
import type { Queryable } from '../db/connect.ts';
import type { BulkLease } from './arc_leases.ts';
import type { ArcStore } from './arcs.ts';
import type { BoundaryRef } from './engine_model.ts';
import type { TaskRunner } from './pool.ts';
import type { ShapeLeases, ShapeRef } from './shape_leases.ts';

/** Limit of the vertices that the server's own thread searches for a point (see SMALL_DOCUMENT in rendered.ts). */
const SMALL_LOCATE = 500_000;
/** Initial capacity of a list of boundaries, in slots. */
const FIRST_REFS = 4_096;

/**
 * The signed slots of some boundaries in shared memory. They are added when they are first needed, and valid until the
 * heap evicts. Append-only, because a thread may be reading it.
 */
class FlatShapes {
  /** Epoch of the heap. */
  readonly epoch: number;
  /** The slots of boundary i are `refs[from[i]] … refs[end[i] - 1]`. */
  refs = new Int32Array(new SharedArrayBuffer(4 * FIRST_REFS));
  readonly from: Uint32Array;
  readonly end: Uint32Array;
  private readonly known: Uint8Array;
  private used = 0;

  constructor(boundaries: number, epoch: number) {
    this.epoch = epoch;
    this.from = new Uint32Array(new SharedArrayBuffer(4 * boundaries));
    this.end = new Uint32Array(new SharedArrayBuffer(4 * boundaries));
    this.known = new Uint8Array(boundaries);
  }

  /** The indexes whose slots were not added yet, each once. */
  missing(places: Uint32Array): number[] {
    const missing = new Set<number>();
    for (const place of places) if (this.known[place] === 0) missing.add(place);
    return [...missing];
  }

  /** Adds the slots of a lease: those of its i-th shape at `places[i]`, unless they were added meanwhile. */
  add(places: readonly number[], { refs, refEnd }: BulkLease): void {
    if (this.used + refs.length > this.refs.length) {
      const more = new Int32Array(new SharedArrayBuffer(8 * (this.used + refs.length)));
      more.set(this.refs.subarray(0, this.used));
      this.refs = more;
    }
    this.refs.set(refs, this.used);
    for (const [i, place] of places.entries()) {
      if (this.known[place] === 1) continue;
      this.from[place] = this.used + (i === 0 ? 0 : defined(refEnd[i - 1]));
      this.end[place] = this.used + defined(refEnd[i]);
      this.known[place] = 1;
    }
    this.used += refs.length;
  }
}

/** Locates points: within boundaries, and within their boxes. */
export class PointLocation {
  private readonly shapes: ShapeLeases;
  private readonly arcs: ArcStore;
  private readonly tasks: TaskRunner;
  /** By the list of boundaries that locateAmong() was called with. */
  private readonly flats = new WeakMap<readonly ShapeRef[], FlatShapes>();

  constructor(shapes: ShapeLeases, arcs: ArcStore, tasks: TaskRunner) {
    this.shapes = shapes;
    this.arcs = arcs;
    this.tasks = tasks;
  }

  /**
   * locate() without waiting, when all shapes are in memory and have few vertices; else null. It is synchronous, so it
   * needs neither a signal nor a lease.
   */
  locateNow(boundaries: readonly ShapeRef[], x: number, y: number): Int8Array | null {
    const refs: Int32Array[] = [];
    let vertices = 0;
    for (const boundary of boundaries) {
      const shape = this.arcs.peek(boundary);
      if (shape === null) return null;
      vertices += shape.vertices;
      refs.push(shape.refs);
    }
    if (vertices > SMALL_LOCATE) return null;
    return this.tasks.runSmall('locateIn', { heap: null, boundaries: refs, x, y, again: true });
  }

  /**
   * Where a point (1e-7 degrees) is relative to each boundary: 1 inside, 0 on the border, -1 outside.
   * @throws ArcsMoved when one of them has another shape by now
   */
  async locate(boundaries: readonly BoundaryRef[], x: number, y: number, signal?: AbortSignal): Promise<Int8Array> {
    if (boundaries.length === 0) return new Int8Array(0);
    return this.shapes.following(boundaries, { signal, moved: 'refuse' }, (refs) =>
      this.shapes.withShapes(refs, signal, async (lease) => {
        const task = { heap: lease.heap, boundaries: lease.refs, x, y };
        const small = lease.vertices <= SMALL_LOCATE;
        return small ? this.tasks.runSmall('locateIn', task) : this.tasks.run('locateIn', task, signal);
      }),
    );
  }

  /**
   * The boxes that contain each of some points (x, y of each in 1e-7 degrees), as boxesAt() of arcs/locate_many.ts
   * finds them in a tree of packBoxes().
   */
  boxesAt(
    { tree, boxes }: { readonly tree: ArrayBufferLike | null; readonly boxes: Int32Array },
    points: Int32Array,
    signal?: AbortSignal,
  ): Promise<PerPoint> {
    return this.tasks.runPatiently('boxesAt', { tree, boxes, points }, signal);
  }

  /**
   * For each point and each of its candidates (indexes into `boundaries`), a byte: 1 when the point is inside or on the
   * border, else 0. Waits for room instead of being refused. Calls with the same list object, such as the batches of a
   * stream, reuse its slots.
   * @throws ArcsMoved when a boundary has another shape by now
   */
  async locateAmong(
    boundaries: readonly ShapeRef[],
    points: Int32Array,
    candidates: PerPoint,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const { heap } = this.arcs;
    const reader = heap.begin();
    try {
      const flat = await this.flat(boundaries, candidates.items, signal);
      if (flat !== null) {
        const { refs, from: refFrom, end: refEnd } = flat;
        const task = { heap: null, refs, refFrom, refEnd, points, candidates };
        return await this.tasks.runPatiently('locateAmong', task, signal);
      }
    } finally {
      heap.end(reader);
    }
    return this.locateApart(boundaries, points, candidates, signal);
  }

  /** The slots of `boundaries`, at least of those in `items`; null when the common heap has no room for them. */
  private async flat(
    boundaries: readonly ShapeRef[],
    items: Uint32Array,
    signal?: AbortSignal,
  ): Promise<FlatShapes | null> {
    const { heap } = this.arcs;
    let flat = this.flats.get(boundaries);
    if (flat?.epoch !== heap.epoch) {
      flat = new FlatShapes(boundaries.length, heap.epoch);
      this.flats.set(boundaries, flat);
    }
    const missing = flat.missing(items);
    if (missing.length === 0) return flat;
    const lease = await this.shapes.leaseMany(
      missing.map((place) => defined(boundaries[place])),
      signal,
      true,
    );
    try {
      if (lease.heap !== null || heap.epoch !== flat.epoch) return null;
      flat.add(missing, lease);
      return flat;
    } finally {
      lease.release();
    }
  }

  /** locateAmong() with slots for this call alone, in a private heap if the common one has no room for their arcs. */
  private async locateApart(
    boundaries: readonly ShapeRef[],
    points: Int32Array,
    { from, end, items }: PerPoint,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const used = [...new Set(items)];
    const numbers = new Map(used.map((place, number) => [place, number]));
    const lease = await this.shapes.leaseMany(
      used.map((place) => defined(boundaries[place])),
      signal,
      true,
    );
    try {
      const { heap, refs, refEnd } = lease;
      const refFrom = Uint32Array.from(refEnd, (_, i) => (i === 0 ? 0 : defined(refEnd[i - 1])));
      const candidates = { from, end, items: items.map((place) => defined(numbers.get(place))) };
      return await this.tasks.runPatiently('locateAmong', { heap, refs, refFrom, refEnd, points, candidates }, signal);
    } finally {
      lease.release();
    }
  }

  /**
   * Where each point (1e-7 degrees, multiples of 1/2) is relative to its boundary, given by index: 1 inside, 0 on the
   * border, -1 outside. `db` may be a transaction that has just written the shapes.
   */
  async locateAll(
    db: Queryable,
    boundaries: readonly BoundaryRef[],
    points: readonly { readonly boundary: number; readonly x: number; readonly y: number }[],
  ): Promise<Int8Array> {
    const lease = await this.arcs.load(db, boundaries);
    try {
      return await this.tasks.runPatiently('locateAll', {
        heap: lease.heap,
        boundaries: lease.refs,
        points: Float64Array.from(points.flatMap(({ boundary, x, y }) => [boundary, x, y])),
      });
    } finally {
      lease.release();
    }
  }

  /** Packs boxes (west, south, east, north of each, at least one) into a tree in shared memory for Flatbush.from(). */
  packBoxes(boxes: Int32Array): Promise<SharedArrayBuffer> {
    return this.tasks.runPatiently('packBoxes', { boxes });
  }
}
