import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { digitsOf } from '../../workers/arcs/levels.ts';
import type { WriterData, WriterMessage, WriterReply } from '../../workers/collection_writer.ts';
import type { BinaryFormat, CollectionFormat } from '../../workers/formats/registry.ts';
import type { Feature } from '../../workers/formats/types.ts';
import { defined } from '../common/elements.ts';
import { Semaphore } from '../common/semaphore.ts';
import { problem } from '../core/errors.ts';
import {
  type Collection,
  END_CLASS,
  FIRST_PART,
  type MemberRange,
  MOST_A_PART,
  PART_BYTES,
  refOf,
} from './collection_model.ts';
import type { Engine } from './engine.ts';
import { seaOutlines } from './sea_outlines.ts';
import { ringsOf } from './shape_leases.ts';

/** Limit of writer threads at once; other files wait for their turn. */
const WRITERS = 2;

const writers = new Semaphore(WRITERS);

const TYPESCRIPT = import.meta.url.endsWith('.ts');

const WRITER = fileURLToPath(
  new URL(`../../workers/collection_writer.${TYPESCRIPT ? 'dev.js' : 'js'}`, import.meta.url),
);

/** What a collection file contains besides its features. */
export type FileOf<F extends CollectionFormat> = Pick<
  Collection,
  'columns' | 'name' | 'zipOf' | 'attribution' | 'level'
> & {
  readonly format: F;
  readonly count: number;
};

/** Writes a collection in a thread of its own, which receives a few features at a time. Yields the bytes. */
export async function* binaryParts(
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
  const single = { zipOf, attribution, digits: digitsOf(level), limits: { maxBytes: engine.maxResponseBytes } };
  const workerData: WriterData = { format, columns, options: { name, count, level, ...single } };
  const worker = new Worker(WRITER, { workerData });
  try {
    let heard: (says: WriterMessage) => void = () => undefined;
    let failed: (error: unknown) => void = () => undefined;
    const says = (reply: WriterReply | null, transfer: ArrayBuffer[] = []): Promise<WriterMessage> =>
      new Promise((resolve, reject) => {
        [heard, failed] = [resolve, reject];
        if (reply) worker.postMessage(reply, transfer);
      });
    worker.on('message', (message: WriterMessage) => heard(message));
    worker.on('error', (error) => failed(error));
    signal.addEventListener('abort', () => failed(signal.reason), { once: true });
    for (let next = await says(null); next.kind !== 'done'; ) {
      if (next.kind === 'refused') throw problem('too_large', next.message);
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

/** Boundaries with their coordinates, in batches that are sized by the bytes of the batch before. */
export async function* featureParts(
  engine: Engine,
  { members, level, valuesOf, seaOf }: Collection,
  signal: AbortSignal,
  range: MemberRange,
): AsyncGenerator<Feature[]> {
  let size = FIRST_PART;
  for (let { from } = range; from < range.to; ) {
    const to = Math.min(from + size, range.to);
    const some = members.slice(from, to);
    const values = await valuesOf(from, to);
    const laid = await engine.shapes.withShapes(
      some.map(refOf),
      signal,
      (lease) =>
        engine.tasks.runPatiently(
          'layOutAll',
          { heap: lease.heap, boundaries: ringsOf(lease), level, endClass: END_CLASS },
          signal,
        ),
      from > 0,
    );
    const sea = await seaOf?.(from, to);
    const outlines = sea && (await seaOutlines(engine, sea.boundaries, sea.maritime, signal));
    yield laid.map((polygons, i) => {
      const outline = outlines?.[i] ?? null;
      return { values: defined(values[i]), polygons, box: defined(some[i]).box, ...(outline && { outline }) };
    });
    const bytes = laid.reduce((sum, { coords }) => sum + coords.byteLength, 0);
    const each = Math.max(1, bytes / (to - from));
    size = Math.max(1, Math.min(MOST_A_PART, 4 * size, Math.floor(PART_BYTES / each)));
    from = to;
  }
}
