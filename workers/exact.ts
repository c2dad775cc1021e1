/**
 * The tasks of the first strategy, from arcs in shared memory to bytes. They are pure and synchronous: the same code
 * runs in a thread of the pool and, where the work costs less than the hand-over, in the caller's thread.
 */
import { createHash } from 'node:crypto';
import { type IsCancelled, TooLarge, throwIfCancelled } from './cancel.ts';
import { type ArcTable, type Document, type Format, FULL, type Polygons } from './contract.ts';
import { writeDocument } from './formats/index.ts';
import { openHeap } from './heap.ts';
import { ringsArea } from './kernels/area.ts';
import { ringsBox } from './kernels/box.ts';
import { mergeBoundaries } from './kernels/classify.ts';
import { materialize } from './kernels/layout.ts';
import { levelFor, toleranceMeters, writerDigits } from './kernels/levels.ts';
import { locate } from './kernels/locate.ts';
import type { LocateAllTask, LocateTask, MergeTask, RenderTask, TaskHeap, WriteResult } from './tasks.ts';

/** What a task gets from the thread that runs it. */
export interface TaskContext {
  /** The arcs of the common heap. */
  readonly common: ArcTable;
  readonly isCancelled: IsCancelled;
}

/**
 * Fewest bytes per vertex in each format ("[0,0],", "0,0 "). An answer that must exceed the limit is refused before it
 * is laid out or written. SVG is 0 because it drops vertices that coincide.
 */
const MIN_VERTEX_BYTES: Readonly<Record<Format, number>> = { geojson: 6, kml: 4, wkt: 4, gml: 4, svg: 0 };

/** The arc table that a task's slots refer to. */
export function tableOf(heap: TaskHeap, common: ArcTable): ArcTable {
  return heap ? openHeap(heap, heap.buffer).table : common;
}

/** Lays out one boundary at a level and writes it: the bytes, or `too_large`. */
export function render(task: RenderTask, { common, isCancelled }: TaskContext): WriteResult {
  const table = tableOf(task.heap, common);
  const bytes = task.level === FULL ? minBytes(task.format, countVertices(table, task.rings.refs)) : 0;
  if (bytes > task.maxBytes) return { kind: 'too_large', bytes };
  const polygons = materialize(table, task.rings, task.level, task.endClass, isCancelled);
  return write(polygons, task.document, { task, areaKm2: 0, level: task.level }, isCancelled);
}

/**
 * Merges boundaries on their arcs and writes the result, or returns the trouble that makes the caller try the next
 * strategy.
 */
export function merge(task: MergeTask, { common, isCancelled }: TaskContext): WriteResult {
  const table = tableOf(task.heap, common);
  const merged = mergeBoundaries(table, task.boundaries, task.include, task.exclude, isCancelled);
  if ('trouble' in merged) return { kind: 'trouble', ...merged.trouble };
  const box = ringsBox(table, merged.rings);
  const level = levelFor(task.detail, box);
  const bytes = level === FULL ? minBytes(task.format, countVertices(table, merged.rings.refs)) : 0;
  if (bytes > task.maxBytes) return { kind: 'too_large', bytes };
  const areaKm2 = ringsArea(table, merged.rings) / 1e6;
  const polygons = materialize(table, merged.rings, level, task.endClass, isCancelled);
  return write(polygons, mergedDocument(task, areaKm2, box, level), { task, areaKm2, level }, isCancelled);
}

/** Where a point is relative to each boundary: 1 inside, 0 on the border, -1 outside. */
export function locateIn(task: LocateTask, { common, isCancelled }: TaskContext): Int8Array {
  const table = tableOf(task.heap, common);
  const places = new Int8Array(task.boundaries.length);
  for (let i = 0; i < places.length; i++) {
    throwIfCancelled(isCancelled);
    places[i] = locate(table, task.boundaries[i], task.x, task.y);
  }
  return places;
}

/** Where each point is relative to its own boundary: 1 inside, 0 on the border, -1 outside. */
export function locateAll(task: LocateAllTask, { common, isCancelled }: TaskContext): Int8Array {
  const table = tableOf(task.heap, common);
  const { points } = task;
  return Int8Array.from({ length: points.length / 3 }, (_, i) => {
    throwIfCancelled(isCancelled);
    return locate(table, task.boundaries[points[3 * i]], points[3 * i + 1], points[3 * i + 2]);
  });
}

/**
 * Polygons as the bytes of an answer, or `too_large`: known from the vertex count, or when the writer passes the limit.
 */
export function write(
  polygons: Polygons,
  document: Document,
  about: { task: { format: Format; maxBytes: number }; areaKm2: number; level: number },
  isCancelled: IsCancelled,
): WriteResult {
  const { format, maxBytes } = about.task;
  const least = minBytes(format, polygons.coords.length / 2);
  if (least > maxBytes) return { kind: 'too_large', bytes: least };
  try {
    const bytes = writeDocument(format, polygons, document, { maxBytes, isCancelled });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { kind: 'bytes', bytes, sha256, areaKm2: about.areaKm2, level: about.level };
  } catch (error) {
    if (error instanceof TooLarge) return { kind: 'too_large', bytes: error.bytes };
    throw error;
  }
}

/** The document of a merged area, with the fields that depend on the result filled in. */
export function mergedDocument(
  task: Pick<MergeTask, 'document' | 'format' | 'detail'>,
  areaKm2: number,
  box: readonly number[] | null,
  level: number,
): Document {
  return {
    ...task.document,
    bbox: box && [box[0] / 1e7, box[1] / 1e7, box[2] / 1e7, box[3] / 1e7],
    digits: writerDigits(task.format, level),
    properties: {
      area_km2: areaKm2,
      ...task.document.properties,
      detail: task.detail,
      tolerance_m: toleranceMeters(level),
      attribution: task.document.attribution,
    },
  };
}

function minBytes(format: Format, vertices: number): number {
  return vertices * MIN_VERTEX_BYTES[format];
}

/** The number of vertices of the arcs, each junction counted once. */
function countVertices(table: ArcTable, refs: Int32Array): number {
  let count = 0;
  for (let i = 0; i < refs.length; i++) count += table.length[refs[i] < 0 ? ~refs[i] : refs[i]] - 1;
  return count;
}
