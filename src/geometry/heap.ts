import { chainBox } from '../../workers/arcs/box.ts';
import { type ArcTable, ENDS_PER_ARC } from '../../workers/contract.ts';
import { type Heap, heapShape, openHeap, SLOT_BYTES, VERTEX_BYTES } from '../../workers/heap.ts';

/** One arc as the database stores it. */
export interface HeapArc {
  id: number;
  /** Another number after each change of weights, ends or exact. With the id it names the content. */
  revision: number;
  coords: Uint8Array;
  weights: Uint8Array;
  ends: Uint8Array;
  exact: number;
  area: number;
  turn: number;
  conflicts: number[];
}

/** Where an arc is in the heap. */
export interface Entry {
  readonly slot: number;
  readonly revision: number;
  /** Ids of arcs that it meets other than at its ends; null for nearly all. */
  readonly conflicts: readonly number[] | null;
}

interface Region {
  readonly vertexFrom: number;
  readonly vertexTo: number;
  readonly slotFrom: number;
  readonly slotTo: number;
  vertex: number;
  slot: number;
  ids: number[];
  /** Readers that started before this tick may still read what was evicted here. */
  evictedAt: number;
}

const REGIONS = 16;

/**
 * The writer's side of the arc heap: puts arcs into shared memory, finds them again, and evicts the oldest sixteenth
 * when it is full. Memory that a running reader may still see is not overwritten: a region is reused only when every
 * reader that started before its eviction has ended (begin / end).
 */
export class ArcHeap {
  readonly heap: Heap;
  /** Counts evictions: a slot found under another epoch must be looked up again. */
  epoch = 0;
  evictions = 0;
  private readonly entries = new Map<number, Entry>();
  private readonly regions: Region[] = [];
  private current = 0;
  private tick = 0;
  private readonly readers = new Set<number>();

  constructor(bytes: number) {
    this.heap = openHeap(heapShape(bytes));
    const count = this.heap.vertices < 65_536 ? 4 : REGIONS;
    const vertices = Math.floor(this.heap.vertices / count);
    const slots = Math.floor(this.heap.slots / count);
    for (let i = 0; i < count; i++) {
      this.regions.push({
        vertexFrom: i * vertices,
        vertexTo: (i + 1) * vertices,
        slotFrom: i * slots,
        slotTo: (i + 1) * slots,
        vertex: i * vertices,
        slot: i * slots,
        ids: [],
        evictedAt: -1,
      });
    }
  }

  /** The number of arcs held. */
  get size(): number {
    return this.entries.size;
  }

  /** Bytes of the vertices and slots in use. */
  get bytes(): number {
    let sum = 0;
    for (const region of this.regions) {
      if (region.ids.length === 0) continue;
      sum += (region.vertex - region.vertexFrom) * VERTEX_BYTES + (region.slot - region.slotFrom) * SLOT_BYTES;
    }
    return sum;
  }

  /** Starts a reader: what it finds from now on stays readable until it ends. */
  begin(): number {
    const reader = this.tick++;
    this.readers.add(reader);
    return reader;
  }

  end(reader: number): void {
    this.readers.delete(reader);
  }

  /** The entry of an arc at this revision, or undefined when it is not held. */
  find(id: number, revision: number): Entry | undefined {
    const entry = this.entries.get(id);
    return entry?.revision === revision ? entry : undefined;
  }

  /** Adds an arc. False when there is no room now: it is too long, or its region is still being read. */
  put(row: HeapArc): boolean {
    if (this.find(row.id, row.revision)) return true;
    const region = this.room(row.weights.length);
    if (!region) return false;
    const slot = region.slot++;
    fillSlot(this.heap, slot, region.vertex, row);
    region.vertex += row.weights.length;
    if (this.entries.has(row.id)) this.epoch++;
    region.ids.push(row.id);
    this.entries.set(row.id, { slot, revision: row.revision, conflicts: row.conflicts.length ? row.conflicts : null });
    return true;
  }

  private room(vertices: number): Region | null {
    let region = this.regions[this.current];
    if (vertices > region.vertexTo - region.vertexFrom) return null;
    if (region.vertex + vertices <= region.vertexTo && region.slot < region.slotTo) return region;
    const next = (this.current + 1) % this.regions.length;
    region = this.regions[next];
    for (const reader of this.readers) if (reader < region.evictedAt) return null;
    this.current = next;
    region.vertex = region.vertexFrom;
    region.slot = region.slotFrom;
    // The next region is always empty, so that its last readers have time to end before it is needed.
    this.evict(this.regions[(next + 1) % this.regions.length]);
    return region;
  }

  private evict(region: Region): void {
    if (region.ids.length === 0) return;
    for (const id of region.ids) {
      const entry = this.entries.get(id);
      if (entry && entry.slot >= region.slotFrom && entry.slot < region.slotTo) this.entries.delete(id);
    }
    this.evictions += region.ids.length;
    region.ids = [];
    region.evictedAt = this.tick++;
    this.epoch++;
  }
}

/**
 * A private heap for the arcs of one request that the common heap has no room for. Slot i holds arcs[i], a row of the
 * database or a slot of the common heap.
 */
export function privateHeap(arcs: readonly (HeapArc | number)[], common: Heap): Heap {
  let vertices = 0;
  for (const arc of arcs) vertices += typeof arc === 'number' ? common.table.length[arc] : arc.weights.length;
  const heap = openHeap({ vertices: Math.max(1, vertices), slots: Math.max(1, arcs.length) });
  let vertex = 0;
  arcs.forEach((arc, slot) => {
    if (typeof arc === 'number') copySlot(common.table, arc, heap.table, slot, vertex);
    else fillSlot(heap, slot, vertex, arc);
    vertex += heap.table.length[slot];
  });
  return heap;
}

function copySlot(from: ArcTable, source: number, to: ArcTable, slot: number, vertex: number): void {
  const first = from.first[source];
  const length = from.length[source];
  to.first[slot] = vertex;
  to.length[slot] = length;
  to.area[slot] = from.area[source];
  to.turn[slot] = from.turn[source];
  to.exact[slot] = from.exact[source];
  to.coords.set(from.coords.subarray(2 * first, 2 * (first + length)), 2 * vertex);
  to.weights.set(from.weights.subarray(first, first + length), vertex);
  to.box.set(from.box.subarray(4 * source, 4 * source + 4), 4 * slot);
  to.ends.set(from.ends.subarray(ENDS_PER_ARC * source, ENDS_PER_ARC * (source + 1)), ENDS_PER_ARC * slot);
}

function fillSlot(heap: Heap, slot: number, vertex: number, row: HeapArc): void {
  const { table } = heap;
  const length = row.weights.length;
  const bytes = new Uint8Array(heap.buffer, table.coords.byteOffset + 8 * vertex, 8 * length);
  bytes.set(row.coords);
  table.weights.set(row.weights, vertex);
  table.box.set(chainBox(table.coords.subarray(2 * vertex, 2 * (vertex + length))), 4 * slot);
  table.first[slot] = vertex;
  table.length[slot] = length;
  table.area[slot] = row.area;
  table.turn[slot] = row.turn;
  table.exact[slot] = row.exact;
  new Uint8Array(heap.buffer, table.ends.byteOffset + 2 * ENDS_PER_ARC * slot, 2 * ENDS_PER_ARC).set(row.ends);
}
