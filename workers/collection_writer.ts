/**
 * The thread that writes one collection in a binary format. It requests features with `next` and receives some, or null
 * after the last. It sends bytes and waits until the server has taken them.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { type BinaryFormat, type Format, writeFile } from './formats/registry.ts';
import { type Column, type Feature, type FileOptions, FormatLimitError } from './formats/types.ts';

/** The workerData of the thread. */
export interface WriterData {
  readonly format: BinaryFormat;
  readonly columns: readonly Column[];
  readonly options: FileOptions & { readonly zipOf: Format };
}

/** Messages from the thread. */
export type WriterMessage =
  | { readonly kind: 'next' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/** Messages to the thread: features, null after the last, or that its bytes were taken. */
export type WriterReply = { readonly features: readonly Feature[] | null } | { readonly taken: true };

const port = parentPort as NonNullable<typeof parentPort>;
const { format, columns, options } = workerData as WriterData;

let onReply: (reply: WriterReply) => void = () => undefined;
port.on('message', (reply: WriterReply) => onReply(reply));

function request(says: WriterMessage): Promise<WriterReply> {
  return new Promise((resolve) => {
    onReply = resolve;
    port.postMessage(says);
  });
}

async function* receivedFeatures(): AsyncGenerator<Feature> {
  for (;;) {
    const reply = await request({ kind: 'next' });
    if (!('features' in reply) || reply.features === null) return;
    yield* reply.features;
  }
}

async function write(): Promise<void> {
  for await (const bytes of writeFile(format, receivedFeatures(), columns, options)) {
    await request({ kind: 'bytes', bytes });
  }
}

write().then(
  () => port.postMessage({ kind: 'done' } satisfies WriterMessage),
  (error) => {
    const refused = error instanceof FormatLimitError;
    const says = refused ? { kind: 'refused', message: error.message } : { kind: 'failed', message: String(error) };
    port.postMessage(says as WriterMessage);
  },
);
