/** A priority queue of vertices (binary heap, smallest key first) with changeable keys and removal of any entry. */
import type { Coords } from '../contract.ts';

export interface RemovalQueue {
  readonly coords: Coords;
  /** Priority per vertex. Ties are broken by x, then y, so the order does not depend on how vertices are stored. */
  readonly key: Float64Array;
  readonly items: Int32Array;
  /** Per vertex, its index in `items`, or -1. */
  readonly at: Int32Array;
  size: number;
}

/** An empty queue for vertices of `coords`, with at most `capacity` entries at a time. */
export function removalQueue(coords: Coords, key: Float64Array, capacity: number): RemovalQueue {
  return { coords, key, items: new Int32Array(capacity), at: new Int32Array(coords.length / 2).fill(-1), size: 0 };
}

/** Adds a vertex, or moves it after its key changed. */
export function enqueue(queue: RemovalQueue, vertex: number): void {
  if (queue.at[vertex] < 0) {
    queue.at[vertex] = queue.size;
    queue.items[queue.size++] = vertex;
  }
  siftUp(queue, queue.at[vertex]);
  siftDown(queue, queue.at[vertex]);
}

/** Removes and returns the first vertex, or -1 when the queue is empty. */
export function dequeue(queue: RemovalQueue): number {
  if (queue.size === 0) return -1;
  const vertex = queue.items[0];
  removeFromQueue(queue, vertex);
  return vertex;
}

/** Removes a vertex from any position; does nothing when it is not in the queue. */
export function removeFromQueue(queue: RemovalQueue, vertex: number): void {
  const at = queue.at[vertex];
  if (at < 0) return;
  queue.at[vertex] = -1;
  const last = queue.items[--queue.size];
  if (last === vertex) return;
  queue.items[at] = last;
  queue.at[last] = at;
  siftUp(queue, at);
  siftDown(queue, queue.at[last]);
}

function before(queue: RemovalQueue, a: number, b: number): boolean {
  const { key, coords } = queue;
  if (key[a] !== key[b]) return key[a] < key[b];
  if (coords[2 * a] !== coords[2 * b]) return coords[2 * a] < coords[2 * b];
  return coords[2 * a + 1] < coords[2 * b + 1];
}

function siftUp(queue: RemovalQueue, from: number): void {
  const { items, at } = queue;
  const vertex = items[from];
  let place = from;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!before(queue, vertex, items[parent])) break;
    items[place] = items[parent];
    at[items[place]] = place;
    place = parent;
  }
  items[place] = vertex;
  at[vertex] = place;
}

function siftDown(queue: RemovalQueue, from: number): void {
  const { items, at, size } = queue;
  const vertex = items[from];
  let place = from;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= size) break;
    if (child + 1 < size && before(queue, items[child + 1], items[child])) child++;
    if (!before(queue, items[child], vertex)) break;
    items[place] = items[child];
    at[items[place]] = place;
    place = child;
  }
  items[place] = vertex;
  at[vertex] = place;
}
