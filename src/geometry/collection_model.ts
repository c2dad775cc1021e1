import { joinBoxes } from '../../workers/arcs/box.ts';
import { digitsOf, endClassOf } from '../../workers/arcs/levels.ts';
import type { Lines } from '../../workers/arcs/tagged_lines.ts';
import type { Box } from '../../workers/contract.ts';
import {
  BINARY_FORMATS,
  type BinaryFormat,
  type CollectionFormat,
  type Format,
  type TextFormat,
  textHead,
  textTail,
} from '../../workers/formats/registry.ts';
import type { About, Column, Feature } from '../../workers/formats/types.ts';
import type { PartResult } from '../../workers/tasks/part.ts';
import { PRESENT } from '../common/arrangements.ts';
import { defined } from '../common/elements.ts';
import { ProblemError, problem } from '../core/errors.ts';
import type { Engine } from './engine.ts';
import type { BoundaryRef } from './engine_model.ts';
import type { BesideSea } from './sea_outlines.ts';

/** A boundary of a collection: its id, shape and bounding box. */
export interface CollectionMember extends Pick<BoundaryRef, 'id' | 'arrangement' | 'ringHash'> {
  /** 1e-7 degrees; west > east across the antimeridian. */
  readonly box: Box;
}

/** The values of a feature in the order of the columns. */
export type Values = Feature['values'];

/** A collection to write, with every boundary at the same level. */
export interface Collection {
  readonly members: readonly CollectionMember[];
  readonly format: CollectionFormat;
  /** Format of the files in a zip. */
  readonly zipOf: Format;
  /** FULL or 0 … 15. */
  readonly level: number;
  readonly name: string;
  readonly attribution: string;
  readonly columns: readonly Column[];
  /** False: attributes without geometry. */
  readonly geometry: boolean;
  /** The values of the members from … to - 1. */
  readonly valuesOf: (from: number, to: number) => Promise<readonly Values[]>;
  /** What is known of where the members from … to - 1 are at sea, for a format with lines. */
  readonly seaOf?: (from: number, to: number) => Promise<SeaAround>;
}

/** Boundaries with their water, and the lines around them that the map marks as borders at sea. */
export interface SeaAround {
  readonly boundaries: readonly BesideSea[];
  readonly maritime: Lines;
}

/** Arc ends are kept at the junctions of boundaries of any level, so that neighbors of different levels fit. */
export const END_CLASS = endClassOf([null]);

/** Boundaries of the first part; later parts are sized by the bytes of those before. */
export const FIRST_PART = 4;

export const MOST_A_PART = 256;

/** Approximate bytes of a part. Two parts are in memory for each collection that is being written. */
export const PART_BYTES = 1024 * 1024;

/** Whether a format is binary (a zip, a database or columns) rather than text. */
export const isBinary = (format: CollectionFormat): format is BinaryFormat =>
  BINARY_FORMATS.some((one) => one === format);

/** The bytes of a part. @throws too_large when it has more than `maxBytes` */
export function requireBytes(made: PartResult, maxBytes: number): Uint8Array {
  if (made.kind === 'bytes') return made.bytes;
  throw problem('too_large', `A part of the file takes at least ${made.bytes} bytes; the limit is ${maxBytes}.`);
}

/** Slices of features, each of about as many bytes as a part. */
export async function* slices<F extends Feature>(features: readonly F[]): AsyncGenerator<readonly F[], void> {
  for (let from = 0; from < features.length; ) {
    let bytes = 0;
    let to = from;
    while (to < features.length && bytes < PART_BYTES && to - from < MOST_A_PART) {
      bytes += defined(features[to++]).polygons?.coords.byteLength ?? 0;
    }
    yield features.slice(from, to);
    from = to;
  }
}

/** Yields what a generator yields, and makes the next value while one is used. Ending it early aborts the generator. */
export async function* prefetch(
  make: (signal: AbortSignal) => AsyncGenerator<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const left = new AbortController();
  const source = make(AbortSignal.any([signal, left.signal]));
  let next = source.next();
  try {
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = source.next();
      // The next iteration awaits it, unless the consumer stops: its failure must not count as unhandled.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    left.abort(new Error('no one takes the rest'));
    await next.catch(() => undefined);
    await source.return(undefined).catch(() => undefined);
  }
}

export interface Part {
  readonly from: number;
  readonly to: number;
  /** No part was made before, so the work may still be refused. */
  readonly first: boolean;
}

/** Members from … to - 1 of a collection. */
export interface MemberRange {
  readonly from: number;
  readonly to: number;
}

/** All members of a collection. */
export const allOf = ({ members }: Collection): MemberRange => ({ from: 0, to: members.length });

/**
 * Makes parts of as many members as fit; a part that is too large is made again with half as many.
 * @throws MemberTooLarge
 */
export async function* parts(
  { maxResponseBytes }: Engine,
  { members }: Collection,
  make: (part: Part) => Promise<PartResult>,
  range: MemberRange,
): AsyncGenerator<Uint8Array> {
  let size = FIRST_PART;
  for (let { from } = range; from < range.to; ) {
    const to = Math.min(from + size, range.to);
    const made = await make({ from, to, first: from === 0 });
    if (made.kind === 'too_large') {
      if (to - from > 1) {
        size = Math.max(1, Math.floor((to - from) / 2));
        continue;
      }
      throw new MemberTooLarge(defined(members[from]).id, made.bytes, maxResponseBytes);
    }
    if (made.bytes.byteLength > 0) yield made.bytes;
    const each = Math.max(1, made.bytes.byteLength / (to - from));
    size = Math.max(1, Math.min(MOST_A_PART, 4 * size, Math.floor(PART_BYTES / each)));
    from = to;
  }
}

/** A member as the engine takes it: without a level, because the members of a collection may be of any level. */
export const refOf = ({ id, arrangement = PRESENT, ringHash }: CollectionMember): BoundaryRef => ({
  id,
  arrangement,
  ringHash,
  adminLevel: null,
});

/** What the head of a file says about its collection. */
export function aboutOf({ members, name, attribution, columns, geometry, level }: Collection): About {
  const box = joinBoxes(members.map((member) => member.box));
  return { name, attribution, columns, box, digits: digitsOf(level), geometry };
}

/** A single boundary is larger than the limit of one answer, or of one part of a longer one. */
export class MemberTooLarge extends ProblemError {
  /** Id of the boundary. */
  readonly id: string;

  constructor(id: string, bytes: number, most: number) {
    super('too_large', `${id} alone takes at least ${bytes} bytes; the limit for one boundary is ${most}.`);
    this.id = id;
  }
}

/** The bytes before and after the features of a text format. */
export function endsOf(format: TextFormat, about: About): { head: Uint8Array[]; tail: Uint8Array[] } {
  const bytesOf = (text: string): Uint8Array[] => (text === '' ? [] : [Buffer.from(text)]);
  return { head: bytesOf(textHead(format, about)), tail: bytesOf(textTail(format)) };
}
