import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { PartResult } from '../../workers/collection.ts';
import type { WriterData, WriterIsTold, WriterSays } from '../../workers/collection_writer.ts';
import { type Box, type Format, FULL, type Polygons } from '../../workers/contract.ts';
import { BINARY_FORMATS, type BinaryFormat, type CollectionFormat } from '../../workers/formats/collection/formats.ts';
import { type About, properties, type TextFormat, textHead, textTail } from '../../workers/formats/collection/text.ts';
import {
  TOPOLOGY_TAIL,
  topologyGeometry,
  topologyHead,
  topologyObject,
} from '../../workers/formats/collection/topojson.ts';
import type { Column, Feature } from '../../workers/formats/collection/types.ts';
import { joinBoxes } from '../../workers/kernels/box.ts';
import { digitsOf, endClassOf } from '../../workers/kernels/levels.ts';
import { defined } from '../elements.ts';
import { ProblemError, problem } from '../errors.ts';
import type { Lease } from './arcs.ts';
import { type BoundaryRef, type Engine, ringsOf } from './engine.ts';
import { Turns } from './turns.ts';

/** A boundary of a collection: what it is, and where it lies. */
export interface CollectionMember extends Pick<BoundaryRef, 'id' | 'ringHash'> {
  /** 1e-7 degrees; west > east across the antimeridian. */
  readonly box: Box;
}

/** The values of a feature in the order of the columns. */
export type Values = readonly (string | number | null)[];

/** A collection that is to be written, every boundary at the same level. */
export interface Collection {
  readonly members: readonly CollectionMember[];
  readonly format: CollectionFormat;
  /** Of the files in a zip. */
  readonly zipOf: Format;
  /** FULL or 0 … 15. */
  readonly level: number;
  readonly name: string;
  readonly attribution: string;
  readonly columns: readonly Column[];
  /** false: attributes alone. */
  readonly geometry: boolean;
  /** The values of the members from … to - 1. */
  readonly valuesOf: (from: number, to: number) => Promise<readonly Values[]>;
}

/** Arc ends are kept at the junctions of boundaries of any level, so that neighbors of different levels fit. */
const END_CLASS = endClassOf([null]);

/** Boundaries of the first part; the parts after it are sized by what those before came to. */
const FIRST_PART = 4;
const MOST_A_PART = 256;
/** Bytes that a part is to have, about: two of them are in memory for each collection that is written. */
const PART_BYTES = 1024 * 1024;

/** The smallest box that holds all of some, in 1e-7 degrees (west > east across the antimeridian); null for none. */
export const boxOfAll = (boxes: readonly Box[]): Box | null => joinBoxes(boxes);

/** The tolerance of all: the level of the largest, as `levelOf` has it for a box. */
export function levelOfLargest(members: readonly CollectionMember[], levelOf: (box: Box) => number): number {
  return members.reduce((level, { box }) => Math.max(level, levelOf(box)), FULL);
}

/**
 * The bytes of a collection in a text format, in parts that are made as they are taken, one ahead: memory does not grow
 * with the collection, but for TopoJSON, whose features (without their coordinates) come last.
 * Throws ArcsMoved where an import gives a boundary another shape meanwhile, rate_limited before the first part when
 * there is no room for the work, too_large for a single boundary that one answer has no room for.
 */
export function writeCollection(
  engine: Engine,
  collection: Collection,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  return ahead((stop) => partsOf(engine, collection, stop), signal);
}

function partsOf(engine: Engine, collection: Collection, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { format } = collection;
  if (format === 'topojson') return topologyParts(engine, collection, signal);
  if (isBinary(format)) {
    const file = { ...collection, format, count: collection.members.length };
    return binaryParts(engine, file, featureParts(engine, collection, signal, allOf(collection)), signal);
  }
  return textParts(engine, { ...collection, format }, signal);
}

const isBinary = (format: CollectionFormat): format is BinaryFormat => BINARY_FORMATS.some((one) => one === format);

/** Threads of writers at once; others wait for their turn. */
const WRITERS = 2;
const writers = new Turns(WRITERS);
const TYPESCRIPT = import.meta.url.endsWith('.ts');
const WRITER = fileURLToPath(
  new URL(`../../workers/collection_writer.${TYPESCRIPT ? 'dev.js' : 'js'}`, import.meta.url),
);

/** What a file of a collection says, whatever its features are. */
export type FileOf<F extends CollectionFormat> = Pick<
  Collection,
  'columns' | 'name' | 'zipOf' | 'attribution' | 'level'
> & {
  readonly format: F;
  readonly count: number;
};

/** A collection written in a thread of its own, which is given a few features at a time. */
async function* binaryParts(
  engine: Engine,
  { count, format, columns, name, zipOf, attribution, level }: FileOf<BinaryFormat>,
  source: AsyncIterator<readonly Feature[], void>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  await new Promise<void>((begin, refuse) => {
    writers
      .run(async () => {
        signal.throwIfAborted();
        begin();
        await left;
      })
      .catch(refuse);
  });
  const single = { format: zipOf, attribution, digits: digitsOf(level), limits: { maxBytes: engine.maxResponseBytes } };
  const workerData: WriterData = { format, columns, options: { name, count, ...single } };
  const worker = new Worker(WRITER, { workerData });
  try {
    let heard: (says: WriterSays) => void = () => undefined;
    let failed: (error: unknown) => void = () => undefined;
    const says = (told: WriterIsTold | null, transfer: ArrayBuffer[] = []): Promise<WriterSays> =>
      new Promise((resolve, reject) => {
        [heard, failed] = [resolve, reject];
        if (told) worker.postMessage(told, transfer);
      });
    worker.on('message', (message: WriterSays) => heard(message));
    worker.on('error', (error) => failed(error));
    signal.addEventListener('abort', () => failed(signal.reason), { once: true });
    for (let next = await says(null); next.kind !== 'done'; ) {
      if (next.kind === 'failed') throw new Error(`the writer of ${format} failed: ${next.message}`);
      if (next.kind === 'bytes') {
        yield next.bytes;
        next = await says({ taken: true });
      } else {
        const { value, done } = await source.next();
        next = await says({ features: done ? null : (value as readonly Feature[]) });
      }
      signal.throwIfAborted();
    }
  } finally {
    leave();
    await worker.terminate();
  }
}

/** Boundaries laid out, as many at once as they have vertices for. */
async function* featureParts(
  engine: Engine,
  { members, level, valuesOf }: Collection,
  signal: AbortSignal,
  stretch: Stretch,
): AsyncGenerator<Feature[]> {
  let size = FIRST_PART;
  for (let { from } = stretch; from < stretch.to; ) {
    const to = Math.min(from + size, stretch.to);
    const some = members.slice(from, to);
    const values = await valuesOf(from, to);
    const laid = await engine.withShapes(
      some.map(refOf),
      signal,
      (lease) =>
        engine.pool.runPatiently(
          'layOutAll',
          { heap: lease.heap, boundaries: ringsOf(lease), level, endClass: END_CLASS },
          signal,
        ),
      from > 0,
    );
    yield laid.map((polygons, i) => ({ values: defined(values[i]), polygons, box: defined(some[i]).box }));
    const bytes = laid.reduce((sum, { coords }) => sum + coords.byteLength, 0);
    const each = Math.max(1, bytes / (to - from));
    size = Math.max(1, Math.min(MOST_A_PART, 4 * size, Math.floor(PART_BYTES / each)));
    from = to;
  }
}

/** Areas that are laid out already, such as those of a dissolve: all of them in memory. */
export interface AreaFile extends Omit<FileOf<CollectionFormat>, 'count'> {
  readonly features: readonly (Feature & { readonly polygons: Polygons })[];
}

/** The bytes of areas in any format of a collection, made as they are taken, one part ahead. Throws too_large. */
export function writeAreas(
  engine: Engine,
  file: AreaFile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  return ahead((stop) => areaParts(engine, file, stop), signal);
}

function areaParts(engine: Engine, file: AreaFile, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { format, features } = file;
  const box = joinBoxes(features.flatMap((feature) => (feature.box === null ? [] : [feature.box])));
  const about = { ...file, box, digits: digitsOf(file.level), geometry: true };
  if (isBinary(format)) {
    return binaryParts(engine, { ...file, format, count: features.length }, slices(features), signal);
  }
  const { maxResponseBytes: maxBytes } = engine;
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    if (format === 'topojson') {
      const values = features.map((feature) => feature.values);
      const areas = features.map(({ polygons }) => polygons);
      const { name, attribution, columns } = file;
      const task = { areas, values, about: { name, attribution, columns, box }, maxBytes };
      yield requireBytes(await engine.pool.runPatiently('topology', task, signal), maxBytes);
      return;
    }
    const head = textHead(format, about);
    if (head !== '') yield Buffer.from(head);
    let first = true;
    for await (const some of slices(features)) {
      yield await areaText(engine, { ...file, format }, about, some, first, signal);
      first = false;
    }
    if (textTail(format) !== '') yield Buffer.from(textTail(format));
  };
  return parts();
}

/** Areas in a text format, as they stand in the middle of its file. Throws too_large. */
async function areaText(
  engine: Engine,
  { format, level }: { readonly format: TextFormat; readonly level: number },
  about: About,
  some: AreaFile['features'],
  first: boolean,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const task = {
    heap: null,
    rings: some.map(({ polygons }) => polygons),
    level,
    endClass: END_CLASS,
    format,
    about,
    values: some.map(({ values }) => values),
    boxes: some.map((feature) => feature.box),
    first,
    maxBytes: engine.maxResponseBytes,
  };
  return requireBytes(await engine.pool.runPatiently('collectionText', task, signal), engine.maxResponseBytes);
}

function requireBytes(made: PartResult, maxBytes: number): Uint8Array {
  if (made.kind === 'bytes') return made.bytes;
  throw problem('too_large', `A part of the file takes at least ${made.bytes} bytes; it may have ${maxBytes}.`);
}

/** Features, as many at once as have about as many bytes as a part. */
async function* slices<F extends Feature>(features: readonly F[]): AsyncGenerator<readonly F[], void> {
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

/** What a generator yields, the next of it made while one is used. Whoever stops early ends the work. */
async function* ahead(
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
      // It is awaited by the next turn, or given up below.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    left.abort(new Error('no one takes the rest'));
    await next.catch(() => undefined);
    await source.return(undefined).catch(() => undefined);
  }
}

/** Whether a collection of the format can be made in stretches, each without the others. TopoJSON numbers arcs over all. */
export const isDivisible = (format: CollectionFormat): boolean => format !== 'topojson';

/**
 * A stretch of a collection as it is kept until the file is put together by joinStretches(): features of a text format
 * as they stand in the file, for the others features to be written. Throws MemberTooLarge, and as writeCollection().
 */
export async function* collectionStretch(
  engine: Engine,
  collection: Collection,
  stretch: Stretch,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { format } = collection;
  if (format === 'topojson') throw new Error('TopoJSON is not made in stretches');
  if (!isBinary(format)) yield* textMiddle(engine, { ...collection, format }, signal, stretch);
  else for await (const some of featureParts(engine, collection, signal, stretch)) yield packFeatures(some);
}

/** The file of a collection whose stretches, in order, are those of collectionStretch(). */
export async function* joinStretches(
  engine: Engine,
  collection: Collection,
  stretches: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { format } = collection;
  if (format === 'topojson') throw new Error('TopoJSON is not made in stretches');
  if (isBinary(format)) {
    const file = { ...collection, format, count: collection.members.length };
    yield* binaryParts(engine, file, unpackFeatures(stretches), signal);
    return;
  }
  const { head, tail } = endsOf(format, aboutOf(collection));
  yield* head;
  yield* stretches;
  yield* tail;
}

/**
 * The file of areas that were packed by packFeatures(), in order; `box` holds all of them. TopoJSON takes all of them
 * into memory. Throws too_large.
 */
export async function* joinAreas(
  engine: Engine,
  file: FileOf<CollectionFormat>,
  box: Box | null,
  packed: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { format } = file;
  if (format === 'topojson') {
    const features: AreaFile['features'][number][] = [];
    for await (const some of unpackFeatures(packed)) features.push(...(some as AreaFile['features']));
    yield* areaParts(engine, { ...file, features }, signal);
    return;
  }
  if (isBinary(format)) {
    yield* binaryParts(engine, { ...file, format }, unpackFeatures(packed), signal);
    return;
  }
  const about = { ...file, box, digits: digitsOf(file.level), geometry: true };
  const { head, tail } = endsOf(format, about);
  yield* head;
  let first = true;
  for await (const some of unpackFeatures(packed)) {
    yield await areaText(engine, { ...file, format }, about, some as AreaFile['features'], first, signal);
    first = false;
  }
  yield* tail;
}

/** Features in bytes, until unpackFeatures() reads them. */
export function packFeatures(features: readonly Feature[]): Uint8Array {
  const content = serialize(features);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.byteLength);
  return Buffer.concat([length, content]);
}

/** Areas in packs of about as many bytes as a part of a file has. */
export async function* packAreas(areas: AreaFile['features']): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const some of slices(areas)) yield packFeatures(some);
}

/** What packFeatures() wrote, pack by pack, however its bytes were cut meanwhile. */
export async function* unpackFeatures(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Feature[], void> {
  let held: Uint8Array[] = [];
  let size = 0;
  let wanted = -1;
  for await (const chunk of bytes) {
    held.push(chunk);
    size += chunk.byteLength;
    while (size >= 4 && (wanted < 0 || size >= wanted)) {
      const all = Buffer.concat(held);
      wanted = 4 + all.readUInt32LE();
      held = [all];
      if (size < wanted) break;
      yield deserialize(all.subarray(4, wanted)) as readonly Feature[];
      held = [all.subarray(wanted)];
      size -= wanted;
      wanted = -1;
    }
  }
  if (size > 0) throw new Error('features are cut off');
}

interface Part {
  readonly from: number;
  readonly to: number;
  /** No part was made before: it may be refused. */
  readonly first: boolean;
}

/** Members from … to - 1 of a collection. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

const allOf = ({ members }: Collection): Stretch => ({ from: 0, to: members.length });

/** Makes parts of as many members as fit one; a part that is too large is made again of half as many. */
async function* parts(
  { maxResponseBytes }: Engine,
  { members }: Collection,
  make: (part: Part) => Promise<PartResult>,
  stretch: Stretch,
): AsyncGenerator<Uint8Array> {
  let size = FIRST_PART;
  for (let { from } = stretch; from < stretch.to; ) {
    const to = Math.min(from + size, stretch.to);
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

const refOf = ({ id, ringHash }: CollectionMember): BoundaryRef => ({ id, ringHash, adminLevel: null });

function aboutOf({ members, name, attribution, columns, geometry, level }: Collection): About {
  const box = joinBoxes(members.map((member) => member.box));
  return { name, attribution, columns, box, digits: digitsOf(level), geometry };
}

/** A single boundary is larger than one answer, or one part of a longer one, may be. */
export class MemberTooLarge extends ProblemError {
  /** Of the boundary. */
  readonly id: string;

  constructor(id: string, bytes: number, most: number) {
    super('too_large', `${id} alone takes at least ${bytes} bytes; one boundary may take ${most}.`);
    this.id = id;
  }
}

async function* textParts(
  engine: Engine,
  collection: Collection & { readonly format: TextFormat },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { head, tail } = endsOf(collection.format, aboutOf(collection));
  let begun = false;
  for await (const bytes of textMiddle(engine, collection, signal, allOf(collection))) {
    if (!begun) yield* head;
    begun = true;
    yield bytes;
  }
  if (!begun) yield* head;
  yield* tail;
}

/** What stands before and behind the features of a text format. */
function endsOf(format: TextFormat, about: About): { head: Uint8Array[]; tail: Uint8Array[] } {
  const bytesOf = (text: string): Uint8Array[] => (text === '' ? [] : [Buffer.from(text)]);
  return { head: bytesOf(textHead(format, about)), tail: bytesOf(textTail(format)) };
}

/** Features of a text format as they stand in the middle of its file. */
function textMiddle(
  engine: Engine,
  collection: Collection & { readonly format: TextFormat },
  signal: AbortSignal,
  stretch: Stretch,
): AsyncGenerator<Uint8Array> {
  const { members, format, level, geometry, valuesOf } = collection;
  const about = aboutOf(collection);
  const write = async ({ from, to, first }: Part): Promise<PartResult> => {
    const some = members.slice(from, to);
    const values = await valuesOf(from, to);
    const boxes = some.map(({ box }) => box);
    const task = { level, endClass: END_CLASS, format, about, values, boxes, first, maxBytes: engine.maxResponseBytes };
    const run = (heap: Lease['heap'], rings: ReturnType<typeof ringsOf> | null) =>
      engine.pool.runPatiently('collectionText', { ...task, heap, rings }, signal);
    if (!geometry) return run(null, null);
    return engine.withShapes(some.map(refOf), signal, (lease) => run(lease.heap, ringsOf(lease)), !first);
  };
  return parts(engine, collection, write, stretch);
}

/**
 * TopoJSON: the arcs as they are met, each border once, then the features, which name them. Arcs are those between the
 * junctions of all stored boundaries, so that their ends do not depend on what is selected.
 */
async function* topologyParts(engine: Engine, collection: Collection, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { members, level, valuesOf, columns } = collection;
  const about = aboutOf(collection);
  const numbers = new Map<string, number>();
  const features: Buffer[] = [];
  let hasArcs = false;
  const write = async ({ from, to, first }: Part): Promise<PartResult> => {
    const some = members.slice(from, to);
    const values = await valuesOf(from, to);
    return engine.withShapes(
      some.map(refOf),
      signal,
      async (lease) => {
        const boundaries = ringsOf(lease).map((rings, i) => ({ ...rings, ids: defined(lease.shapes[i]).arcs }));
        const task = { heap: lease.heap, level, endClass: END_CLASS };
        const {
          refs,
          end,
          names,
          boundaries: found,
        } = await engine.pool.runPatiently('chains', { ...task, boundaries }, signal);
        const chosen = [...names.keys()].filter((chain) => !numbers.has(defined(names[chain])));
        const text = { ...task, refs, end, chosen: Uint32Array.from(chosen), first: !hasArcs };
        const made = await engine.pool.runPatiently(
          'chainText',
          { ...text, maxBytes: engine.maxResponseBytes },
          signal,
        );
        if (made.kind === 'too_large') return made;
        for (const chain of chosen) numbers.set(defined(names[chain]), numbers.size);
        hasArcs ||= chosen.length > 0;
        const numberOf = (chain: number): number =>
          chain < 0 ? ~(numbers.get(defined(names[~chain])) as number) : (numbers.get(defined(names[chain])) as number);
        found.forEach((polygons, i) => {
          const arcs = polygons.map((rings) => rings.map((ring) => ring.map(numberOf)));
          const { id } = defined(some[i]);
          const feature = {
            ...topologyGeometry(arcs),
            id,
            properties: properties({ values: defined(values[i]) }, columns),
          };
          features.push(Buffer.from(`${features.length === 0 ? '' : ',\n'}${JSON.stringify(feature)}`));
        });
        return made;
      },
      !first,
    );
  };
  let begun = false;
  const head = Buffer.from(topologyHead(about.box));
  for await (const bytes of parts(engine, collection, write, allOf(collection))) {
    if (!begun) yield head;
    begun = true;
    yield bytes;
  }
  if (!begun) yield head;
  yield Buffer.from(topologyObject(about));
  yield* features;
  yield Buffer.from(TOPOLOGY_TAIL);
}
