import { type ArcTable, ENDS_PER_ARC } from './contract.ts';

/**
 * The arc heap: one block of shared memory that every worker reads and only the main thread writes.
 *
 * A slot holds what the kernels need to know about one arc; its vertices are in a coordinate array common to all slots.
 * The main thread (src/geometry/arcs.ts) allocates both. It never moves or overwrites a slot that a task has pinned, so
 * workers read without a lock.
 */
export interface Heap {
  readonly buffer: SharedArrayBuffer;
  readonly vertices: number;
  readonly slots: number;
  readonly table: ArcTable;
}

/** Bytes of the heap per arc, without its vertices, and per vertex. */
export const SLOT_BYTES = 4 + 4 + 16 + 8 + 8 + 2 * ENDS_PER_ARC + 2;
export const VERTEX_BYTES = 8 + 1;

/** How many vertices and slots fit into `bytes`, at 32 vertices per arc (real ways have 30 to 60). */
export function heapShape(bytes: number): { vertices: number; slots: number } {
  const slots = Math.max(64, Math.floor(bytes / (SLOT_BYTES + 32 * VERTEX_BYTES)));
  return { slots, vertices: Math.max(4096, Math.floor((bytes - slots * SLOT_BYTES) / VERTEX_BYTES)) };
}

/** Creates typed-array views over a heap of this shape; allocates the shared memory when `buffer` is absent. */
export function openHeap(shape: { vertices: number; slots: number }, buffer?: SharedArrayBuffer): Heap {
  const { vertices, slots } = shape;
  let at = 0;
  const place = (bytes: number) => {
    const start = at;
    at += Math.ceil(bytes / 8) * 8;
    return start;
  };
  const offsets = {
    area: place(8 * slots),
    turn: place(8 * slots),
    coords: place(8 * vertices),
    first: place(4 * slots),
    length: place(4 * slots),
    box: place(16 * slots),
    ends: place(2 * ENDS_PER_ARC * slots),
    exact: place(2 * slots),
    weights: place(vertices),
  };
  const memory = buffer ?? new SharedArrayBuffer(at);
  return {
    buffer: memory,
    vertices,
    slots,
    table: {
      area: new Float64Array(memory, offsets.area, slots),
      turn: new Float64Array(memory, offsets.turn, slots),
      coords: new Int32Array(memory, offsets.coords, 2 * vertices),
      first: new Uint32Array(memory, offsets.first, slots),
      length: new Uint32Array(memory, offsets.length, slots),
      box: new Int32Array(memory, offsets.box, 4 * slots),
      ends: new Uint16Array(memory, offsets.ends, ENDS_PER_ARC * slots),
      exact: new Uint16Array(memory, offsets.exact, slots),
      weights: new Uint8Array(memory, offsets.weights, vertices),
    },
  };
}
