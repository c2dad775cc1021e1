/** A binary heap of vertices, the smallest key first, whose entries can be changed and taken out. */
import type { Coords } from '../contract.ts';

export interface RemovalQueue {
  readonly coords: Coords;
  /** Per vertex, what it is ordered by. Equal keys are ordered by x, then y, so that no order of storage shows. */
  readonly key: Float64Array;
  readonly items: Int32Array;
  /** Per vertex, its place in `items`, or -1. */
  readonly at: Int32Array;
  size: number;
}

/** An empty queue for vertices of `coords`, of which `capacity` at most are in it at a time. */
export function removalQueue(coords: Coords, key: Float64Array, capacity: number): RemovalQueue {
  return { coords, key, items: new Int32Array(capacity), at: new Int32Array(coords.length / 2).fill(-1), size: 0 };
}

/** Puts a vertex in, or moves it to where its changed key belongs. */
export function enqueue(queue: RemovalQueue, vertex: number): void {
  if (queue.at[vertex] < 0) {
    queue.at[vertex] = queue.size;
    queue.items[queue.size++] = vertex;
  }
  rise(queue, queue.at[vertex]);
  sink(queue, queue.at[vertex]);
}

/** Takes the first vertex out, or returns -1 when there is none. */
export function dequeue(queue: RemovalQueue): number {
  if (queue.size === 0) return -1;
  const vertex = queue.items[0];
  withdraw(queue, vertex);
  return vertex;
}

/** Takes a vertex out wherever it is; nothing happens when it is not in. */
export function withdraw(queue: RemovalQueue, vertex: number): void {
  const at = queue.at[vertex];
  if (at < 0) return;
  queue.at[vertex] = -1;
  const last = queue.items[--queue.size];
  if (last === vertex) return;
  queue.items[at] = last;
  queue.at[last] = at;
  rise(queue, at);
  sink(queue, queue.at[last]);
}

function before(queue: RemovalQueue, a: number, b: number): boolean {
  const { key, coords } = queue;
  if (key[a] !== key[b]) return key[a] < key[b];
  if (coords[2 * a] !== coords[2 * b]) return coords[2 * a] < coords[2 * b];
  return coords[2 * a + 1] < coords[2 * b + 1];
}

function rise(queue: RemovalQueue, from: number): void {
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

function sink(queue: RemovalQueue, from: number): void {
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
