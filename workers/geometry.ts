/** The entry of the pool's threads: unpack, run a kernel, move the result. */
import { createHash } from 'node:crypto';
import { workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { buildArrangement } from './build.ts';
import type { ArcTable, Document, Polygons, Rings } from './contract.ts';
import { writeDocument } from './formats/index.ts';
import { openHeap, tableOf } from './heap.ts';
import { arcArea, ringsArea } from './kernels/area.ts';
import { polygonsBox, ringsBox } from './kernels/box.ts';
import { mergeBoundaries } from './kernels/classify.ts';
import { layOut } from './kernels/layout.ts';
import { levelFor, toleranceMetres, writerDigits } from './kernels/levels.ts';
import { locate } from './kernels/locate.ts';
import { overlapShare } from './kernels/nest.ts';
import { intersectionShare, isValid, overlay } from './kernels/overlay.ts';
import { simplifyPolygons } from './kernels/simplify_polygons.ts';
import type {
  BuildTask,
  FinishTask,
  LocateTask,
  MergeTask,
  OverlayTask,
  PolygonsTask,
  RenderTask,
  ShareTask,
  TaskHeap,
  WriteResult,
} from './tasks.ts';
import { polygonsFromWkb } from './wkb.ts';

interface Shared {
  readonly heap: { readonly buffer: SharedArrayBuffer; readonly vertices: number; readonly slots: number };
  readonly flags: SharedArrayBuffer;
}

/** Fewest bytes a written vertex takes in any format: what makes a result too large before it is written. */
const LEAST_BYTES_PER_VERTEX = 3;

// Piscina hands its own data to the thread; ours is what the pool was made with.
const shared = workerData as Shared;
const common = openHeap(shared.heap, shared.heap.buffer).table;
const flags = new Int32Array(shared.flags);

/** Cancellation, polled by kernels: the flag of a task is raised when nobody waits for it any more. */
const poll = (flag: number) => () => Atomics.load(flags, flag) === 1;

export class Cancelled extends Error {
  override name = 'Cancelled';
}

/** Arcs of a task as a small table, and its slot references as references into it. */
function unpack(heap: TaskHeap, lists: readonly Int32Array[]): { table: ArcTable; refs: Int32Array[] } {
  const source = heap ? openHeap(heap, heap.buffer).table : common;
  const local = new Map<number, number>();
  const slots: number[] = [];
  const refs = lists.map((list) => {
    const out = new Int32Array(list.length);
    for (let i = 0; i < list.length; i++) {
      const slot = list[i] < 0 ? ~list[i] : list[i];
      let arc = local.get(slot);
      if (arc === undefined) {
        arc = slots.length;
        local.set(slot, arc);
        slots.push(slot);
      }
      out[i] = list[i] < 0 ? ~arc : arc;
    }
    return out;
  });
  return { table: tableOf(source, Uint32Array.from(slots)), refs };
}

function unpackRings(heap: TaskHeap, list: readonly Rings[]): { table: ArcTable; rings: Rings[] } {
  const { table, refs } = unpack(
    heap,
    list.map((rings) => rings.refs),
  );
  return { table, rings: list.map((rings, i) => ({ ...rings, refs: refs[i] })) };
}

function write(
  format: RenderTask['format'],
  polygons: Polygons,
  document: Document,
  maxBytes: number,
  areaKm2: number,
  level: number,
): WriteResult {
  const vertices = polygons.coords.length / 2;
  if (vertices * LEAST_BYTES_PER_VERTEX > maxBytes)
    return { kind: 'too_large', bytes: vertices * LEAST_BYTES_PER_VERTEX };
  const bytes = writeDocument(format, polygons, document);
  if (bytes.length > maxBytes) return { kind: 'too_large', bytes: bytes.length };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { kind: 'bytes', bytes, sha256, areaKm2, level };
}

/** The bytes of a result are moved to the main thread, not copied. */
function send(result: WriteResult): WriteResult {
  if (result.kind !== 'bytes') return result;
  const movable = {
    get [transferableSymbol]() {
      return [result.bytes.buffer];
    },
    get [valueSymbol]() {
      return result;
    },
  };
  return move(movable as unknown as Parameters<typeof move>[0]) as unknown as WriteResult;
}

export function render(task: RenderTask): WriteResult {
  const { table, rings } = unpackRings(task.heap, [task.rings]);
  const polygons = layOut(table, rings[0], task.level, task.endClass);
  return send(write(task.format, polygons, task.document, task.maxBytes, 0, task.level));
}

/** A merged area's document: what only the result tells is filled in. */
function mergedDocument(
  task: MergeTask | OverlayTask,
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
      tolerance_m: toleranceMetres(level),
      attribution: task.document.attribution,
    },
  };
}

export function merge(task: MergeTask): WriteResult {
  const isCancelled = poll(task.flag);
  const { table, refs } = unpack(task.heap, task.boundaries);
  const merged = mergeBoundaries(table, refs, task.include, task.exclude, isCancelled);
  if (isCancelled()) throw new Cancelled('nobody waits for this merge any more');
  if ('alarm' in merged) return { kind: 'alarm', ...merged.alarm };
  const box = ringsBox(table, merged.rings);
  const level = levelFor(task.detail, box);
  const areaKm2 = ringsArea(table, merged.rings) / 1e6;
  const polygons = layOut(table, merged.rings, level, task.endClass);
  return send(write(task.format, polygons, mergedDocument(task, areaKm2, box, level), task.maxBytes, areaKm2, level));
}

export async function overlayMerge(task: OverlayTask): Promise<WriteResult> {
  const { table, rings } = unpackRings(task.heap, task.boundaries);
  const full = rings.map((one) => layOut(table, one, -1, 0));
  const pick = (indexes: readonly number[]) => [...new Set(indexes)].map((i) => full[i]);
  const result = await overlay(pick(task.include), pick(task.exclude));
  return send(await finish(task, result));
}

/** The same when PostGIS ran the overlay. */
export async function finishOverlay(task: FinishTask): Promise<WriteResult> {
  return send(await finish(task, polygonsFromWkb(task.wkb)));
}

/** The rest of rung 2, wherever the overlay ran: check, measure, simplify, write. */
async function finish(task: OverlayTask, result: Polygons): Promise<WriteResult> {
  const trouble = await isValid(result);
  if (trouble) return { kind: 'alarm', ...trouble };
  const box = polygonsBox(result);
  const level = levelFor(task.detail, box);
  const areaKm2 = polygonsArea(result) / 1e6;
  const polygons = await simplifyPolygons(result, level);
  return write(task.format, polygons, mergedDocument(task, areaKm2, box, level), task.maxBytes, areaKm2, level);
}

/** Geodesic area in m2 of polygons that have no stored arcs. */
function polygonsArea(polygons: Polygons): number {
  const rings = polygons.ringEnd.length;
  const first = new Uint32Array(rings);
  const length = new Uint32Array(rings);
  const area = new Float64Array(rings);
  const turn = new Float64Array(rings);
  let from = 0;
  for (let r = 0; r < rings; r++) {
    first[r] = from;
    length[r] = polygons.ringEnd[r] - from;
    from = polygons.ringEnd[r];
    ({ area: area[r], turn: turn[r] } = arcArea(polygons.coords, first[r], length[r]));
  }
  const table: ArcTable = {
    coords: polygons.coords,
    weights: new Uint8Array(0),
    first,
    length,
    area,
    turn,
    box: new Int32Array(4 * rings),
    ends: new Uint16Array(0),
    exact: new Uint16Array(rings),
  };
  return ringsArea(table, {
    refs: Int32Array.from(first, (_, r) => r),
    ringEnd: Uint32Array.from(first, (_, r) => r + 1),
    polygonEnd: polygons.polygonEnd,
  });
}

export function locateIn(task: LocateTask): Int8Array {
  const { table, refs } = unpack(task.heap, task.boundaries);
  return Int8Array.from(refs, (arcs) => locate(table, arcs, task.x, task.y));
}

export async function shares(task: ShareTask): Promise<Float64Array> {
  const { table, rings } = unpackRings(task.heap, task.boundaries);
  const out = new Float64Array(task.pairs.length / 2);
  for (let i = 0; i < out.length; i++) {
    const child = rings[task.pairs[2 * i]];
    const parent = rings[task.pairs[2 * i + 1]];
    const exact = task.conflicts[i] ? null : overlapShare(table, child.refs, parent.refs);
    out[i] = exact ?? (await intersectionShare(layOut(table, child, -1, 0), layOut(table, parent, -1, 0)));
  }
  return out;
}

export function polygonsOf(task: PolygonsTask): Polygons {
  const { table, rings } = unpackRings(task.heap, [task.rings]);
  return layOut(table, rings[0], task.level, task.endClass);
}

export const build = (task: BuildTask) => buildArrangement(task);
