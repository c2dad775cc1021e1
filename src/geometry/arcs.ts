import { PRESENT } from '../common/arrangements.ts';
import { defined } from '../common/elements.ts';
import { Turns } from '../common/turns.ts';
import { atCapacity } from '../core/errors.ts';
import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { crossings, hasConflict } from './arc_conflicts.ts';
import {
  ArcsMoved,
  arrangementOf,
  keyOf,
  type Lease,
  type Shape,
  type ShapeRequest,
  type ShapeRow,
  type Slots,
  shapeKey,
  shapeOf,
  type Wanted,
} from './arc_leases.ts';
import { ArcHeap, type Entry, type HeapArc, privateHeap } from './heap.ts';

/** Shares of the bytes for the heap and the rings; the rest is for the index of the heap in the main thread. */
const HEAP_SHARE = 0.7;
const RINGS_SHARE = 0.1;
const NONE: ReadonlyMap<number, number> = new Map();
/** Bytes that an arc takes in a ring: id, revision and slot. */
const RING_ARC_BYTES = 8 + 8 + 4;

/** Loads boundaries' rings and arcs from the database into shared memory, each at most once. */
export class ArcStore {
  readonly heap: ArcHeap;
  readonly counts = { hits: 0, misses: 0 };
  /** By ring_hash. */
  private readonly shapes = new Map<string, Shape>();
  private readonly ringBytes: number;
  private readonly privateLimit: number;
  private heldArcs = 0;
  private heldPrivately = 0;

  /** `bytes` limits arcs, rings and their index together. Large requests may hold as much again in private heaps. */
  constructor(bytes: number) {
    this.heap = new ArcHeap(bytes * HEAP_SHARE);
    this.ringBytes = bytes * RINGS_SHARE;
    this.privateLimit = bytes;
  }

  /** Bytes that requests hold in private heaps. */
  get privateBytes(): number {
    return this.heldPrivately;
  }

  /**
   * The arcs of one shape as signed slots of the common heap, and their number of vertices; null when they are not all
   * in memory. Valid until the caller yields to the event loop: to read later, take a lease.
   */
  peek(wanted: ShapeRequest[number]): { readonly refs: Int32Array; readonly vertices: number } | null {
    const shape = this.shapes.get(shapeKey(wanted));
    if (shape === undefined) return null;
    if (shape.slots?.epoch !== this.heap.epoch && this.absent([shape]).size > 0) return null;
    this.used(shape);
    this.counts.hits++;
    return this.slotsOf(shape);
  }

  /** A lease of the shapes when all of them and all their arcs are in memory, without waiting; else null. */
  leaseIfCached(wanted: ShapeRequest): Lease | null {
    const shapes: Shape[] = [];
    for (const one of wanted) {
      const shape = this.shapes.get(shapeKey(one));
      if (shape === undefined) return null;
      if (shape.slots?.epoch !== this.heap.epoch && this.absent([shape]).size > 0) return null;
      this.used(shape);
      shapes.push(shape);
    }
    this.counts.hits += wanted.length;
    return this.common(shapes, this.heap.begin());
  }

  /**
   * Leases the current shapes of boundaries, with their arcs in shared memory until release(). One statement of each
   * database loads all that is not in memory; `signal` cancels it.
   * @throws ArcsMoved when a boundary no longer has a shape of that ring_hash; rate_limited when the arcs fit neither
   * into the common heap nor into the room left for private heaps
   */
  async load(db: Queryable, wanted: ShapeRequest, signal?: AbortSignal): Promise<Lease> {
    const held = this.leaseIfCached(wanted);
    if (held) return held;
    const reader = this.heap.begin();
    let lease: Lease | null = null;
    try {
      const shapes = new Map<string, Shape>();
      const sources = new Map<Queryable, Wanted>();
      for (const one of wanted) {
        const own = one.db ?? db;
        const source = sources.get(own) ?? { missing: [], others: [], cached: [] };
        sources.set(own, source);
        const shape = this.shapes.get(shapeKey(one));
        const arrangement = arrangementOf(one);
        if (shape) {
          shapes.set(shapeKey(one), shape);
          source.cached.push(shape);
        } else if (arrangement === PRESENT) source.missing.push(one.id);
        else source.others.push({ id: one.id, arrangement });
      }
      this.counts.hits += shapes.size;
      this.counts.misses += wanted.length - shapes.size;
      // Arcs found now stay readable while this reader lasts, even if they are evicted meanwhile.
      const found = new Map<number, Entry>();
      const absent = new Map<number, number>();
      const loaded: ((ShapeRow & { id: null }) | (HeapArc & { boundary_id: null }))[][] = [];
      for (const [own, { missing, others, cached }] of sources) {
        const lacking = this.absent(cached, found);
        for (const [id, revision] of lacking) absent.set(id, revision);
        const values = [missing, [...lacking.keys()], others.map(arrangementOf), others.map(({ id }) => id)] as const;
        loaded.push(await own.query<(typeof loaded)[number][number]>(loadQuery('shape_load'), values, { signal }));
      }
      const rows = loaded.flat();
      const turns = new Turns(signal);
      const arcs = new Map<number, HeapArc>();
      let isMoved = false;
      for (const row of rows) {
        if (row.boundary_id === null) {
          arcs.set(row.id, row);
          // A shape in memory has it at another revision.
          isMoved ||= (found.get(row.id) ?? row).revision !== row.revision;
        }
        if (turns.spend()) await turns.next();
      }
      if (isMoved || [...absent].some(([id, revision]) => arcs.get(id)?.revision !== revision)) {
        // An arc may have another id or revision though the shape is the same: drop what is cached.
        for (const one of wanted) this.drop(shapeKey(one));
        return await this.load(db, wanted, signal);
      }
      for (const row of rows) {
        if (row.boundary_id === null) continue;
        const shape = this.keep(row, arcs);
        shapes.set(keyOf(shape), shape);
        if (turns.spend(row.arcs.length)) await turns.next();
      }
      const list = wanted.map((one) => {
        const shape = shapes.get(shapeKey(one));
        if (shape === undefined) throw new ArcsMoved(one.id);
        return shape;
      });
      lease =
        this.place(arcs) && this.absent(list).size === 0
          ? this.common(list, reader)
          : this.leasePrivately(list, arcs, found);
      return lease;
    } finally {
      if (lease === null || lease.heap !== null) this.heap.end(reader);
    }
  }

  /** Puts arcs into the common heap; false when they do not fit, or would take more than half of it. */
  private place(arcs: ReadonlyMap<number, HeapArc>): boolean {
    let vertices = 0;
    for (const row of arcs.values()) vertices += row.weights.length;
    if (vertices > this.heap.heap.vertices / 2) return false;
    let fits = true;
    for (const row of arcs.values()) fits = this.heap.put(row) && fits;
    return fits;
  }

  private common(shapes: readonly Shape[], reader: number): Lease {
    const slots = shapes.map((shape) => this.slotsOf(shape));
    const conflicts = slots.map((one) => one.conflicts);
    return {
      shapes,
      heap: null,
      refs: slots.map(({ refs }) => refs),
      vertices: slots.reduce((sum, one) => sum + one.vertices, 0),
      get conflict() {
        return hasConflict(shapes, conflicts);
      },
      conflicts,
      get crossing() {
        return crossings(shapes, conflicts);
      },
      release: () => this.heap.end(reader),
    };
  }

  /** Arcs of the shapes that are not in the heap: id to revision. Those in the heap are added to `found`. */
  private absent(shapes: readonly Shape[], found?: Map<number, Entry>): ReadonlyMap<number, number> {
    if (!found && shapes.every((shape) => shape.slots?.epoch === this.heap.epoch)) return NONE;
    const absent = new Map<number, number>();
    for (const shape of shapes) {
      if (!found && shape.slots?.epoch === this.heap.epoch) continue;
      for (let i = 0; i < shape.arcs.length; i++) {
        const id = Math.abs(defined(shape.arcs[i]));
        const entry = this.heap.find(id, defined(shape.revisions[i]));
        if (entry) found?.set(id, entry);
        else absent.set(id, defined(shape.revisions[i]));
      }
    }
    return absent;
  }

  private slotsOf(shape: Shape): Slots {
    if (shape.slots?.epoch === this.heap.epoch) return shape.slots;
    const conflicts = new Map<number, readonly number[]>();
    const { length } = this.heap.heap.table;
    let vertices = 0;
    const refs = Int32Array.from(shape.arcs, (ref, i) => {
      const entry = this.heap.find(Math.abs(ref), defined(shape.revisions[i]));
      if (!entry) throw new ArcsMoved(`arc ${Math.abs(ref)}`);
      if (entry.conflicts) conflicts.set(Math.abs(ref), entry.conflicts);
      vertices += defined(length[entry.slot]);
      return ref < 0 ? ~entry.slot : entry.slot;
    });
    shape.slots = { epoch: this.heap.epoch, refs, vertices, conflicts };
    return shape.slots;
  }

  /** Leases a private heap, filled from rows and from the common heap, to a request that the latter has no room for. */
  private leasePrivately(
    shapes: readonly Shape[],
    rows: ReadonlyMap<number, HeapArc>,
    found: ReadonlyMap<number, Entry>,
  ): Lease {
    const slots = new Map<number, number>();
    const arcs: (HeapArc | number)[] = [];
    const conflicts = new Map<number, readonly number[]>();
    let vertices = 0;
    const { length } = this.heap.heap.table;
    const refs = shapes.map((shape) =>
      Int32Array.from(shape.arcs, (ref, i) => {
        const id = Math.abs(ref);
        let slot = slots.get(id);
        const row = rows.get(id);
        const entry = row ? undefined : (found.get(id) ?? this.heap.find(id, defined(shape.revisions[i])));
        if (row ? row.revision !== shape.revisions[i] : entry?.revision !== shape.revisions[i]) {
          throw new ArcsMoved(`arc ${id}`);
        }
        if (slot === undefined) {
          slot = arcs.push(row ?? (entry as Entry).slot) - 1;
          slots.set(id, slot);
          const partners = row ? row.conflicts : entry?.conflicts;
          if (partners && partners.length > 0) conflicts.set(id, partners);
        }
        vertices += row ? row.weights.length : defined(length[(entry as Entry).slot]);
        return ref < 0 ? ~slot : slot;
      }),
    );
    const heap = privateHeap(arcs, this.heap.heap);
    const { byteLength } = heap.buffer;
    // A single request may exceed the limit: otherwise no one could ever ask for something that large.
    if (this.heldPrivately > 0 && this.heldPrivately + byteLength > this.privateLimit) throw atCapacity();
    this.heldPrivately += byteLength;
    return {
      shapes,
      heap: { buffer: heap.buffer, vertices: heap.vertices, slots: heap.slots },
      refs,
      vertices,
      get conflict() {
        return hasConflict(shapes, [conflicts]);
      },
      conflicts: [conflicts],
      get crossing() {
        return crossings(shapes, [conflicts]);
      },
      release: () => {
        this.heldPrivately -= byteLength;
      },
    };
  }

  private keep(row: ShapeRow, arcs: ReadonlyMap<number, HeapArc>): Shape {
    const shape = shapeOf(row, arcs);
    const own = keyOf(shape);
    this.drop(own);
    this.shapes.set(own, shape);
    this.heldArcs += shape.arcs.length;
    for (const [key] of this.shapes) {
      if (this.heldArcs * RING_ARC_BYTES <= this.ringBytes || key === own) break;
      this.drop(key);
    }
    return shape;
  }

  /** Marks a shape as the most recently used, unless rings take so little room that none will be dropped soon. */
  private used(shape: Shape): void {
    if (2 * this.heldArcs * RING_ARC_BYTES < this.ringBytes) return;
    this.shapes.delete(keyOf(shape));
    this.shapes.set(keyOf(shape), shape);
  }

  private drop(key: string): void {
    const shape = this.shapes.get(key);
    if (!shape) return;
    this.heldArcs -= shape.arcs.length;
    this.shapes.delete(key);
  }
}
