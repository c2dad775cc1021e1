/** The tasks of a collection: some of its boundaries at a time, from arcs in shared memory to bytes or polygons. */

import { TooLarge, throwIfCancelled } from './cancel.ts';
import type { Box, Polygons, Rings } from './contract.ts';
import { type TaskContext, tableOf } from './exact.ts';
import { ByteWriter } from './formats/bytes.ts';
import { type About, properties, type TextFormat, writeText } from './formats/collection/text.ts';
import { TOPOLOGY_TAIL, topologyGeometry, topologyHead, topologyObject } from './formats/collection/topojson.ts';
import { type Chains, chainsOf, materializeChain, type NamedRings } from './kernels/chains.ts';
import { cutChains } from './kernels/cut.ts';
import { materialize } from './kernels/layout.ts';
import type { TaskBase, TaskHeap } from './tasks.ts';

/** Writes consecutive features of a file in a text format, without its head and tail. */
export interface CollectionTextTask extends TaskBase {
  readonly heap: TaskHeap;
  /** Per feature, rings that this task lays out at `level`, or polygons already laid out; null: attributes only. */
  readonly rings: readonly (Rings | Polygons)[] | null;
  readonly level: number;
  readonly endClass: number;
  readonly format: TextFormat;
  readonly about: About;
  /** Values per feature, in the order of the columns. */
  readonly values: readonly (readonly (string | number | null)[])[];
  readonly boxes: readonly (Box | null)[];
  /** Whether the first of these features is the first of the collection. */
  readonly first: boolean;
  readonly maxBytes: number;
}

/** The bytes of a part of a file, or `too_large` with a lower bound of its size. */
export type PartResult =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large'; readonly bytes: number };

/** Finds the chains of arcs that boundaries share (kernels/chains.ts). */
export interface ChainsTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly NamedRings[];
  readonly level: number;
  readonly endClass: number;
}

/** Writes chains as TopoJSON arcs, separated by commas; a comma also precedes them unless `first` is true. */
export interface ChainTextTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly refs: Int32Array;
  readonly end: Uint32Array;
  /** Indexes of the chains to write. */
  readonly chosen: Uint32Array;
  readonly level: number;
  readonly endClass: number;
  readonly first: boolean;
  readonly maxBytes: number;
}

/** Lays out boundaries for a writer that takes polygons. */
export interface LayOutAllTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Rings[];
  readonly level: number;
  readonly endClass: number;
}

const START_BYTES = 64 * 1024;

/** The bytes that `write` appends to an empty buffer, or `too_large` beyond `maxBytes`. */
function part(
  maxBytes: number,
  { isCancelled }: TaskContext,
  write: (out: ByteWriter, check: () => void) => void,
): PartResult {
  try {
    const out = new ByteWriter(START_BYTES, { maxBytes, isCancelled });
    write(out, () => throwIfCancelled(isCancelled));
    return { kind: 'bytes', bytes: out.finish() };
  } catch (error) {
    if (error instanceof TooLarge) return { kind: 'too_large', bytes: error.bytes };
    throw error;
  }
}

/**
 * Consecutive features in a text format; `too_large` beyond `maxBytes`.
 * @throws DOMException named AbortError when canceled
 */
export function collectionText(task: CollectionTextTask, place: TaskContext): PartResult {
  const table = tableOf(task.heap, place.common);
  return part(task.maxBytes, place, (out, check) => {
    task.values.forEach((values, i) => {
      check();
      const shape = task.rings?.[i] ?? null;
      const polygons =
        shape === null || 'coords' in shape
          ? shape
          : materialize(table, shape, task.level, task.endClass, place.isCancelled);
      const feature = { values, polygons, box: task.boxes[i] };
      writeText(out, task.format, feature, { about: task.about, first: task.first && i === 0 });
    });
  });
}

/** The chains that boundaries share at a level. See kernels/chains.ts. */
export function chains(task: ChainsTask, { common }: TaskContext): Chains {
  return chainsOf(tableOf(task.heap, common), task.boundaries, task.level, task.endClass);
}

const POINTS = { latitudeFirst: false, between: 0x2c, separator: '],[' } as const;
const DIGITS = 7;

/**
 * The chosen chains as TopoJSON arcs, in degrees with 7 decimals; `too_large` beyond `maxBytes`.
 * @throws DOMException named AbortError when canceled
 */
export function chainText(task: ChainTextTask, place: TaskContext): PartResult {
  const table = tableOf(task.heap, place.common);
  return part(task.maxBytes, place, (out, check) => {
    task.chosen.forEach((chain, i) => {
      check();
      const refs = task.refs.subarray(chain === 0 ? 0 : task.end[chain - 1], task.end[chain]);
      const coords = materializeChain(table, refs, task.level, task.endClass);
      out.ascii(task.first && i === 0 ? '[[' : ',\n[[');
      out.points(coords, 0, coords.length / 2, DIGITS, POINTS);
      out.ascii(']]');
    });
  });
}

/** Writes laid-out areas as TopoJSON. Areas that share vertices share arcs. */
export interface TopologyTask extends TaskBase {
  readonly areas: readonly Polygons[];
  readonly about: Pick<About, 'name' | 'attribution' | 'columns' | 'box'>;
  /** Values per area, in the order of the columns. */
  readonly values: CollectionTextTask['values'];
  readonly maxBytes: number;
}

/**
 * Laid-out areas as a complete TopoJSON file; `too_large` beyond `maxBytes`.
 * @throws DOMException named AbortError when canceled
 */
export function topology(task: TopologyTask, place: TaskContext): PartResult {
  const rings = task.areas.flatMap(({ coords, ringEnd }) =>
    Array.from(ringEnd, (end, r) => coords.subarray(r === 0 ? 0 : 2 * ringEnd[r - 1], 2 * end)),
  );
  const { arcs, refs } = cutChains(rings);
  return part(task.maxBytes, place, (out, check) => {
    out.utf8(topologyHead(task.about.box));
    arcs.forEach((arc, i) => {
      check();
      out.ascii(i === 0 ? '[[' : ',\n[[');
      out.points(arc, 0, arc.length / 2, DIGITS, POINTS);
      out.ascii(']]');
    });
    out.utf8(topologyObject(task.about));
    let from = 0;
    task.areas.forEach(({ ringEnd, polygonEnd }, i) => {
      check();
      const lists = refs.slice(from, from + ringEnd.length).map((ring) => [...ring]);
      const polygons = Array.from(polygonEnd, (end, p) => lists.slice(p === 0 ? 0 : polygonEnd[p - 1], end));
      from += ringEnd.length;
      const feature = {
        ...topologyGeometry(polygons),
        properties: properties({ values: task.values[i] }, task.about.columns),
      };
      out.utf8(`${i === 0 ? '' : ',\n'}${JSON.stringify(feature)}`);
    });
    out.ascii(TOPOLOGY_TAIL);
  });
}

/**
 * Boundaries as polygons at a level, in 1e-7 degrees.
 * @throws DOMException named AbortError when canceled
 */
export function layOutAll(task: LayOutAllTask, { common, isCancelled }: TaskContext): Polygons[] {
  const table = tableOf(task.heap, common);
  return task.boundaries.map((rings) => materialize(table, rings, task.level, task.endClass, isCancelled));
}
