import type { Asked, Preview, Reply } from '../../reading/preview.ts';
import { Failure } from '../api.ts';
import { size } from '../format.ts';
import { t } from '../language.ts';

/** Largest file that is read in the browser, in bytes. */
export const MOST_BYTES = 100e6;
/** Most files that are dropped together: those of a shapefile. */
const MOST_FILES = 12;
/** Time in milliseconds after which reading is given up. */
const READING_MS = 60_000;

/** The files that were dropped last. They stay in this page: no address has them, and no server gets them. */
let current: readonly File[] = [];
const listeners = new Set<(files: readonly File[]) => void>();

/** Hands over dropped files. */
export function drop(files: readonly File[]): void {
  current = files;
  for (const listener of listeners) listener(files);
}

/** Calls a listener with the files that were dropped last, and with later ones; returns what ends it. */
export function onDropped(listener: (files: readonly File[]) => void): () => void {
  listeners.add(listener);
  if (current.length > 0) listener(current);
  return () => void listeners.delete(listener);
}

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.')).toLowerCase();

/** The file to read, and those that belong to it. @throws Failure for too many or too large ones */
export function mainOf(files: readonly File[]): { readonly main: File; readonly beside: readonly File[] } {
  const [first, ...others] = files;
  if (!first) throw new Failure(t('file.thereIsNoFile'), { code: 'invalid_input' });
  const total = files.reduce((sum, file) => sum + file.size, 0);
  if (total > MOST_BYTES) {
    const message = t('file.tooLarge', { size: size(total), most: size(MOST_BYTES) });
    throw new Failure(message, { code: 'too_large' });
  }
  if (others.length === 0) return { main: first, beside: [] };
  const main = files.find(({ name }) => endingOf(name) === '.shp');
  if (!main || files.length > MOST_FILES) {
    throw new Failure(t('file.dropOneFileOr'), { code: 'invalid_input' });
  }
  return { main, beside: files.filter((file) => file !== main) };
}

/**
 * Reads files in a worker, which ends in any case.
 * @throws Failure for what cannot be read, and when it takes longer than a minute
 */
export async function readFiles(
  files: readonly File[],
  options: Pick<Asked, 'layer' | 'crs'>,
  signal: AbortSignal,
): Promise<Preview> {
  const { main, beside } = mainOf(files);
  const bytesOf = async (file: File): Promise<Uint8Array<ArrayBuffer>> => new Uint8Array(await file.arrayBuffer());
  const others = await Promise.all(beside.map(async (file) => [endingOf(file.name), await bytesOf(file)] as const));
  const bytes = await bytesOf(main);
  const { default: table } = await import('../../../data/reference_systems.tsv?url');
  const asked: Asked = {
    ...{ name: main.name, bytes, beside: Object.fromEntries(others) },
    ...{ table: new URL(table, import.meta.url).href, ...options },
  };
  signal.throwIfAborted();
  const worker = new Worker(new URL('../../reading/worker.ts', import.meta.url), { type: 'module' });
  try {
    const reply = await new Promise<Reply>((resolve, reject) => {
      const late = t('file.tooLong', { name: main.name });
      const timer = setTimeout(() => reject(new Failure(late, { code: 'too_large' })), READING_MS);
      const end = (work: () => void): void => {
        clearTimeout(timer);
        work();
      };
      worker.onmessage = ({ data }: MessageEvent<Reply>) => end(() => resolve(data));
      worker.onerror = () => {
        end(() => reject(new Failure(t('file.unreadable', { name: main.name }), { code: 'invalid_input' })));
      };
      signal.addEventListener('abort', () => end(() => reject(signal.reason)));
      // Handed over, not copied.
      worker.postMessage(asked, [bytes.buffer, ...others.map(([, { buffer }]) => buffer)]);
    });
    if ('failed' in reply) throw new Failure(`${main.name}: ${reply.failed}`, { code: 'invalid_input' });
    return reply.preview;
  } finally {
    worker.terminate();
  }
}
