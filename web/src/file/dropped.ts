import type { Asked, Converted, Preview, Reply, Wanted } from '../../reading/preview.ts';
import { Failure } from '../api.ts';
import { size } from '../format.ts';
import { t } from '../language.ts';
import { quoted } from '../shell.ts';

/** Largest file that is read in the browser, in bytes. */
export const MOST_BYTES = 100e6;
/** Most files that are dropped together: those of a shapefile. */
const MOST_FILES = 12;
/** Times in milliseconds after which reading, and converting, are given up. */
const READING_MS = 60_000;
const CONVERTING_MS = 300_000;

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

/** The name of the file to read: of a shapefile that of its shapes. */
export const nameOf = (files: readonly File[]): string =>
  (files.find(({ name }) => endingOf(name) === '.shp') ?? files[0])?.name ?? '';

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

/** What a file does not say. */
export type Unsaid = Pick<Asked, 'layer' | 'crs'>;

/** A file has several layers, of which one is to be chosen. */
export class SeveralLayers extends Failure {
  readonly layers: readonly string[];

  constructor(name: string, layers: readonly string[]) {
    super(t('file.severalLayers', { name }), { code: 'unreadable' });
    this.layers = layers;
  }
}

/** The same as flags of a command, each after a space. */
export const flagsOf = ({ layer, crs }: Unsaid): string =>
  `${layer === undefined ? '' : ` --layer ${quoted(layer)}`}${crs === undefined ? '' : ` --crs ${quoted(crs)}`}`;

/**
 * What is read of files.
 * @throws SeveralLayers, and Failure for what cannot be read, and when it takes longer than a minute
 */
export async function readFiles(files: readonly File[], options: Unsaid, signal: AbortSignal): Promise<Preview> {
  const name = mainOf(files).main.name;
  const late = t('file.tooLong', { name });
  const reply = await inWorker(files, options, { signal, most: READING_MS, late });
  if ('preview' in reply) return reply.preview;
  if ('layers' in reply && reply.layers) throw new SeveralLayers(name, reply.layers);
  throw new Failure(`${name}: ${'failed' in reply ? reply.failed : ''}`, { code: 'unreadable', isEnglish: true });
}

/** The code of a failure for which the areas can be repaired. */
export const NOT_VALID = 'not_valid';

/**
 * Files in another format.
 * @throws Failure for what cannot be read or written, with the code NOT_VALID for areas that are not valid, and when it
 * takes longer than five minutes
 */
export async function convertFiles(
  files: readonly File[],
  options: Unsaid & { readonly wanted: Wanted },
  signal: AbortSignal,
): Promise<Converted> {
  const name = mainOf(files).main.name;
  const late = t('file.tooLongToConvert', { name });
  const reply = await inWorker(files, options, { signal, most: CONVERTING_MS, late });
  if ('converted' in reply) return reply.converted;
  const isInvalid = 'failed' in reply && reply.isInvalid === true;
  const message = `${name}: ${'failed' in reply ? reply.failed : ''}`;
  throw new Failure(message, { code: isInvalid ? NOT_VALID : 'unreadable', isEnglish: true });
}

/**
 * Gives files to a worker, which ends in any case.
 * @param most time in milliseconds, after which `late` is thrown
 */
async function inWorker(
  files: readonly File[],
  options: Unsaid & { readonly wanted?: Wanted },
  { signal, most, late }: { readonly signal: AbortSignal; readonly most: number; readonly late: string },
): Promise<Reply> {
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
    return await new Promise<Reply>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Failure(late, { code: 'too_large' })), most);
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
  } finally {
    worker.terminate();
  }
}
