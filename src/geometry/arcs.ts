import type { Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { ArcHeap, type ArcRow, privateHeap } from './heap.ts';

/** The rings of one boundary as the database has them: signed arc ids, interior on the left. */
export interface Shape {
  readonly id: string;
  readonly ringHash: string;
  readonly arcs: readonly number[];
  readonly revisions: readonly number[];
  readonly ringEnd: Uint32Array;
  readonly polygonEnd: Uint32Array;
  /** Where its arcs lie in the heap, as signed slots; right as long as the heap's epoch is this one. */
  slots: {
    readonly epoch: number;
    readonly refs: Int32Array;
    readonly conflicts: ReadonlyMap<number, readonly number[]>;
  } | null;
}

/** Another heap than the common one, sent along with a task. */
export interface HeapHandle {
  readonly buffer: SharedArrayBuffer;
  readonly vertices: number;
  readonly slots: number;
}

/** Arcs held in shared memory for one task; release() when the task has ended. */
export interface Lease {
  /** null: the common heap. */
  readonly heap: HeapHandle | null;
  /** For indexes of two of the shapes: whether an arc of one is recorded to meet one of the other off its ends. */
  readonly crossing: (a: number, b: number) => boolean;
  /** Per shape, its arcs as signed slots of the heap (slot or ~slot), ring after ring. */
  readonly refs: readonly Int32Array[];
  /** True when two arcs of the shapes are recorded to meet other than at ends: the first rung may not be used. */
  readonly conflict: boolean;
  release(): void;
}

/** Thrown when arcs changed between two statements; the caller resolves its boundaries again. */
export class ArcsMoved extends Error {}

interface ShapeRow {
  boundary_id: string;
  arcs: number[];
  ring_end: number[];
  polygon_end: number[];
  ring_hash: string;
  revisions: number[];
}

const SHAPE_ARCS_HELD = 4_000_000;

/** Boundaries' rings and their arcs, from the database into shared memory, each at most once. */
export class ArcStore {
  readonly heap: ArcHeap;
  private readonly shapes = new Map<string, Shape>();
  private heldArcs = 0;

  constructor(bytes: number) {
    this.heap = new ArcHeap(bytes);
  }

  /**
   * The live shapes of boundaries, in the order asked for. One statement for those not held.
   * @throws ArcsMoved when a boundary has no shape of that ring_hash any more
   */
  async load(db: Queryable, wanted: readonly { id: string; ringHash: string }[]): Promise<Shape[]> {
    const missing = wanted.filter(({ id, ringHash }) => this.shapes.get(id)?.ringHash !== ringHash).map(({ id }) => id);
    if (missing.length > 0) {
      for (const row of await db.query<ShapeRow>(loadQuery('shape_load'), [missing])) this.keep(row);
    }
    return wanted.map(({ id, ringHash }) => {
      const shape = this.shapes.get(id);
      if (shape?.ringHash !== ringHash) throw new ArcsMoved(id);
      this.shapes.delete(id);
      this.shapes.set(id, shape);
      return shape;
    });
  }

  /** Holds the arcs of shapes in shared memory until release(). One statement for those not held. */
  async lease(db: Queryable, shapes: readonly Shape[]): Promise<Lease> {
    const reader = this.heap.begin();
    let leased = false;
    try {
      const rows = new Map<number, ArcRow>();
      const wanted = this.absent(shapes);
      if (wanted.size > 0) {
        for (const row of await db.query<ArcRow>(loadQuery('arc_load'), [[...wanted.keys()]])) {
          if (wanted.get(row.id) !== row.revision) throw new ArcsMoved(`arc ${row.id}`);
          rows.set(row.id, row);
        }
        if (rows.size < wanted.size) throw new ArcsMoved('an arc is gone');
      }
      let fits = true;
      for (const row of rows.values()) fits = this.heap.put(row) && fits;
      if (!fits || this.absent(shapes).size > 0) return await this.leaseApart(db, shapes);
      const refs = shapes.map((shape) => this.slotsOf(shape).refs);
      leased = true;
      const conflicts = shapes.map((shape) => this.slotsOf(shape).conflicts);
      return {
        heap: null,
        refs,
        conflict: hasConflict(shapes, conflicts),
        crossing: crossings(shapes, conflicts),
        release: () => this.heap.end(reader),
      };
    } finally {
      if (!leased) this.heap.end(reader);
    }
  }

  /** Arcs of the shapes that the heap does not hold: id to revision. */
  private absent(shapes: readonly Shape[]): Map<number, number> {
    const absent = new Map<number, number>();
    for (const shape of shapes) {
      if (shape.slots?.epoch === this.heap.epoch) continue;
      for (let i = 0; i < shape.arcs.length; i++) {
        const id = Math.abs(shape.arcs[i]);
        if (!this.heap.find(id, shape.revisions[i])) absent.set(id, shape.revisions[i]);
      }
    }
    return absent;
  }

  private slotsOf(shape: Shape): NonNullable<Shape['slots']> {
    if (shape.slots?.epoch === this.heap.epoch) return shape.slots;
    const conflicts = new Map<number, readonly number[]>();
    const refs = Int32Array.from(shape.arcs, (ref, i) => {
      const entry = this.heap.find(Math.abs(ref), shape.revisions[i]);
      if (!entry) throw new ArcsMoved(`arc ${Math.abs(ref)}`);
      if (entry.conflicts) conflicts.set(Math.abs(ref), entry.conflicts);
      return ref < 0 ? ~entry.slot : entry.slot;
    });
    shape.slots = { epoch: this.heap.epoch, refs, conflicts };
    return shape.slots;
  }

  /** For a request the common heap has no room for: its arcs in memory of their own. */
  private async leaseApart(db: Queryable, shapes: readonly Shape[]): Promise<Lease> {
    const ids = new Set<number>();
    for (const shape of shapes) for (const ref of shape.arcs) ids.add(Math.abs(ref));
    const rows = await db.query<ArcRow>(loadQuery('arc_load'), [[...ids]]);
    const slot = new Map(rows.map((row, i) => [row.id, i]));
    const conflicts = new Map<number, readonly number[]>();
    for (const row of rows) if (row.conflicts.length > 0) conflicts.set(row.id, row.conflicts);
    const refs = shapes.map((shape) =>
      Int32Array.from(shape.arcs, (ref, i) => {
        const at = slot.get(Math.abs(ref));
        if (at === undefined || rows[at].revision !== shape.revisions[i]) throw new ArcsMoved(`arc ${Math.abs(ref)}`);
        return ref < 0 ? ~at : at;
      }),
    );
    const { buffer, vertices, slots } = privateHeap(rows);
    return {
      heap: { buffer, vertices, slots },
      refs,
      conflict: hasConflict(shapes, [conflicts]),
      crossing: crossings(shapes, [conflicts]),
      release: () => {},
    };
  }

  private keep(row: ShapeRow): void {
    this.drop(row.boundary_id);
    this.shapes.set(row.boundary_id, {
      id: row.boundary_id,
      ringHash: row.ring_hash,
      arcs: row.arcs,
      revisions: row.revisions,
      ringEnd: Uint32Array.from(row.ring_end),
      polygonEnd: Uint32Array.from(row.polygon_end),
      slots: null,
    });
    this.heldArcs += row.arcs.length;
    for (const [id] of this.shapes) {
      if (this.heldArcs <= SHAPE_ARCS_HELD || id === row.boundary_id) break;
      this.drop(id);
    }
  }

  private drop(id: string): void {
    const shape = this.shapes.get(id);
    if (!shape) return;
    this.heldArcs -= shape.arcs.length;
    this.shapes.delete(id);
  }
}

/**
 * Whether an arc of the shapes meets another of them other than at ends. One side suffices to know it: the younger
 * arc of a pair was loaded after the pair was recorded, the older one perhaps before.
 */
function hasConflict(shapes: readonly Shape[], maps: readonly ReadonlyMap<number, readonly number[]>[]): boolean {
  if (maps.every((map) => map.size === 0)) return false;
  const named = new Set<number>();
  for (const shape of shapes) for (const ref of shape.arcs) named.add(Math.abs(ref));
  return maps.some((map) =>
    [...map].some(([id, partners]) => named.has(id) && partners.some((partner) => named.has(partner))),
  );
}

/** Which pairs of shapes have arcs recorded to meet off their ends; the arcs' partners are looked up once. */
function crossings(shapes: readonly Shape[], maps: readonly ReadonlyMap<number, readonly number[]>[]) {
  const partners = new Map<number, readonly number[]>();
  for (const map of maps) for (const [id, list] of map) partners.set(id, list);
  const arcsOf = (shape: Shape) => new Set(shape.arcs.map(Math.abs));
  const sets = new Map<number, Set<number>>();
  const setOf = (i: number) => {
    const set = sets.get(i) ?? arcsOf(shapes[i]);
    sets.set(i, set);
    return set;
  };
  const reaches = (a: number, b: number) =>
    shapes[a].arcs.some((ref) => partners.get(Math.abs(ref))?.some((id) => setOf(b).has(id)));
  return (a: number, b: number) => partners.size > 0 && (reaches(a, b) || reaches(b, a));
}
