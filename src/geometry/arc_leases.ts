/** Shapes whose arcs are held in shared memory, and how they are asked for. */

import { PRESENT } from '../common/arrangements.ts';
import { defined } from '../common/elements.ts';
import type { Queryable } from '../db/connect.ts';
import { type Conflicts, conflictSlots } from './arc_conflicts.ts';
import type { HeapArc } from './heap.ts';

/** The rings of one boundary as the database stores them: signed arc ids, interior on the left. */
export interface Shape {
  readonly id: string;
  /** The number of its arrangement (src/common/arrangements.ts). */
  readonly arrangement: number;
  readonly ringHash: string;
  readonly arcs: Float64Array;
  readonly revisions: Float64Array;
  readonly ringEnd: Uint32Array;
  readonly polygonEnd: Uint32Array;
  /**
   * Names its arrangement, and of past dates the edition: '' for today. Conflicts are recorded only among the arcs of one
   * scope.
   */
  readonly conflictScope: string;
  /** The slots of its arcs in the heap; valid while the heap's epoch is this one. */
  slots: Slots | null;
}

/** The arcs of a shape in the heap. */
export interface Slots {
  readonly epoch: number;
  /** Signed slots. */
  readonly refs: Int32Array;
  readonly vertices: number;
  readonly conflicts: Conflicts;
}

/** A heap other than the common one, sent along with a task. */
export interface HeapHandle {
  readonly buffer: SharedArrayBuffer;
  readonly vertices: number;
  readonly slots: number;
}

/** Shapes whose arcs are held in shared memory for one task; call release() when the task has ended. */
export interface Lease {
  /** In the order requested. */
  readonly shapes: readonly Shape[];
  /** null: the common heap. */
  readonly heap: HeapHandle | null;
  /**
   * For the indexes of two of the shapes: whether their arcs may meet other than at their ends, as `conflict` says. Built
   * on each read of the property, so read it once for many pairs.
   */
  readonly crossing: (a: number, b: number) => boolean;
  /** Per shape, its arcs as signed slots of the heap (slot or ~slot), ring after ring. */
  readonly refs: readonly Int32Array[];
  /** Number of vertices of all their arcs; an arc that two shapes share counts twice. */
  readonly vertices: number;
  /**
   * Whether two arcs of the shapes may meet other than at their ends: recorded ones do, and those of shapes of different
   * arrangements. If so, the first strategy must not be used. Computed on each read.
   */
  readonly conflict: boolean;
  readonly conflicts: readonly Conflicts[];
  release(): void;
}

/** Many shapes held for one task, with their arcs in one array. */
export interface BulkLease {
  readonly heap: HeapHandle | null;
  /** Signed slots of the first shape, then of the second …; those of shape i end before `refEnd[i]`. */
  readonly refs: Int32Array;
  readonly refEnd: Uint32Array;
  /** Pairs of slots whose arcs are recorded to meet other than at their ends. */
  readonly conflicts: Int32Array;
  /** Per shape, a number of its arrangement: the arcs of two of them may meet anywhere, and nothing records where. */
  readonly arrangements: Uint32Array;
  release(): void;
}

/** Thrown when arcs changed between two statements; the caller must resolve its boundaries again. */
export class ArcsMoved extends Error {}

/** Boundaries whose shapes are wanted, each of a database of its own unless that is the caller's. */
export type ShapeRequest = readonly {
  readonly id: string;
  readonly arrangement?: number;
  readonly ringHash: string;
  readonly db?: Queryable;
}[];

/** What one database is asked for. */
export interface Wanted {
  readonly missing: string[];
  /** Shapes of other arrangements than the present one. */
  readonly others: { readonly id: string; readonly arrangement: number }[];
  readonly cached: Shape[];
}

/** The arrangement of a shape that is asked for. */
export const arrangementOf = ({ arrangement = PRESENT }: { readonly arrangement?: number }): number => arrangement;

/** A text that two shapes have in common exactly when they are of one ring_hash in one arrangement. */
export function shapeKey({
  arrangement = PRESENT,
  ringHash,
}: Pick<ShapeRequest[number], 'arrangement' | 'ringHash'>): string {
  return arrangement === PRESENT ? ringHash : `${ringHash} ${arrangement}`;
}

/** The same of a shape that is held. */
export const keyOf = ({ arrangement, ringHash }: Shape) => shapeKey({ arrangement, ringHash });

/** A shape as the database gives it. */
export interface ShapeRow {
  boundary_id: string;
  /** The number of its arrangement. */
  arrangement: number;
  arcs: number[];
  ring_end: number[];
  polygon_end: number[];
  ring_hash: string;
  conflict_scope: string;
}

/** The shape of a row, whose arcs have these rows. @throws ArcsMoved when one is missing */
export function shapeOf(row: ShapeRow, arcs: ReadonlyMap<number, Pick<HeapArc, 'revision'>>): Shape {
  return {
    id: row.boundary_id,
    arrangement: row.arrangement,
    ringHash: row.ring_hash,
    arcs: Float64Array.from(row.arcs),
    revisions: Float64Array.from(row.arcs, (ref) => {
      const arc = arcs.get(Math.abs(ref));
      if (!arc) throw new ArcsMoved(`arc ${Math.abs(ref)}`);
      return arc.revision;
    }),
    ringEnd: Uint32Array.from(row.ring_end),
    polygonEnd: Uint32Array.from(row.polygon_end),
    conflictScope: row.conflict_scope,
    slots: null,
  };
}

/** The shapes of several leases as those of one, with all arcs in flat arrays. */
export function flatten(leases: readonly Lease[]): Omit<BulkLease, 'heap' | 'release'> {
  const lists = leases.flatMap(({ refs }) => refs);
  const refEnd = new Uint32Array(lists.length);
  let total = 0;
  lists.forEach((list, i) => {
    total += list.length;
    refEnd[i] = total;
  });
  const refs = new Int32Array(total);
  for (const [i, list] of lists.entries()) refs.set(list, defined(refEnd[i]) - list.length);
  const numbers = new Map<string, number>();
  const arrangements = Uint32Array.from(
    leases.flatMap(({ shapes }) => shapes),
    ({ conflictScope }) => {
      const number = numbers.get(conflictScope) ?? numbers.size;
      numbers.set(conflictScope, number);
      return number;
    },
  );
  return { refs, refEnd, conflicts: conflictSlots(leases), arrangements };
}
