/** The tasks of a collection: a few of its boundaries at a time, from arcs in shared memory to bytes or polygons. */
import type { Box, Polygons, Rings } from './contract.ts';
import { tableOf, type Workplace } from './exact.ts';
import { ByteWriter } from './formats/bytes.ts';
import { type About, type TextFormat, writeText } from './formats/collection/text.ts';
import { stopIf, TooLarge } from './halt.ts';
import { type Chains, chainsOf, layOutChain, type NamedRings } from './kernels/chains.ts';
import { layOut } from './kernels/layout.ts';
import type { TaskBase, TaskHeap } from './tasks.ts';

/** Write features of a text format, as they stand in the middle of its file. */
export interface CollectionTextTask extends TaskBase {
  readonly heap: TaskHeap;
  /** null: attributes alone. */
  readonly rings: readonly Rings[] | null;
  readonly level: number;
  readonly endClass: number;
  readonly format: TextFormat;
  readonly about: About;
  /** Per feature, in the order of the columns. */
  readonly values: readonly (readonly (string | number | null)[])[];
  readonly boxes: readonly (Box | null)[];
  /** Whether the first of them is the first of the collection. */
  readonly first: boolean;
  readonly maxBytes: number;
}

/** Bytes of a part of a file, or how many there are at least. */
export type PartResult =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large'; readonly bytes: number };

/** Boundaries as chains of arcs (kernels/chains.ts). */
export interface ChainsTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly NamedRings[];
  readonly level: number;
  readonly endClass: number;
}

/** Write chains as arcs of TopoJSON, with commas between them and, unless the first is the first of all, before it. */
export interface ChainTextTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly refs: Int32Array;
  readonly end: Uint32Array;
  /** Which of the chains. */
  readonly chosen: Uint32Array;
  readonly level: number;
  readonly endClass: number;
  readonly first: boolean;
  readonly maxBytes: number;
}

/** Lay out boundaries for a writer that takes polygons. */
export interface LayOutAllTask extends TaskBase {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Rings[];
  readonly level: number;
  readonly endClass: number;
}

const START_BYTES = 64 * 1024;

/** What `write` makes of an empty buffer, within the bytes of a part. */
function part(
  maxBytes: number,
  { isCancelled }: Workplace,
  write: (out: ByteWriter, check: () => void) => void,
): PartResult {
  try {
    const out = new ByteWriter(START_BYTES, { maxBytes, isCancelled });
    write(out, () => stopIf(isCancelled));
    return { kind: 'bytes', bytes: out.finish() };
  } catch (error) {
    if (error instanceof TooLarge) return { kind: 'too_large', bytes: error.bytes };
    throw error;
  }
}

export function collectionText(task: CollectionTextTask, place: Workplace): PartResult {
  const table = tableOf(task.heap, place.common);
  return part(task.maxBytes, place, (out, check) => {
    task.values.forEach((values, i) => {
      check();
      const polygons = task.rings && layOut(table, task.rings[i], task.level, task.endClass, place.isCancelled);
      const feature = { values, polygons, box: task.boxes[i] };
      writeText(out, task.format, feature, { about: task.about, first: task.first && i === 0 });
    });
  });
}

export function chains(task: ChainsTask, { common }: Workplace): Chains {
  return chainsOf(tableOf(task.heap, common), task.boundaries, task.level, task.endClass);
}

const POINTS = { latitudeFirst: false, between: 0x2c, separator: '],[' } as const;
const DIGITS = 7;

export function chainText(task: ChainTextTask, place: Workplace): PartResult {
  const table = tableOf(task.heap, place.common);
  return part(task.maxBytes, place, (out, check) => {
    task.chosen.forEach((chain, i) => {
      check();
      const refs = task.refs.subarray(chain === 0 ? 0 : task.end[chain - 1], task.end[chain]);
      const coords = layOutChain(table, refs, task.level, task.endClass);
      out.ascii(task.first && i === 0 ? '[[' : ',\n[[');
      out.points(coords, 0, coords.length / 2, DIGITS, POINTS);
      out.ascii(']]');
    });
  });
}

export function layOutAll(task: LayOutAllTask, { common, isCancelled }: Workplace): Polygons[] {
  const table = tableOf(task.heap, common);
  return task.boundaries.map((rings) => layOut(table, rings, task.level, task.endClass, isCancelled));
}
