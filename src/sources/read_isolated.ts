/**
 * Reads a file of areas that a caller sent, or looks at how it would be imported, in a process of its own: a file that takes too much memory or time ends that
 * process and not the server, whose main thread only gets the result.
 */
import { fork } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { OwnedSemaphores, Semaphore } from '../common/semaphore.ts';
import { invalidInput } from '../core/errors.ts';
import type { ReadOptions } from './coverage/options.ts';
import type { Coverage } from './coverage/read.ts';
import type { OfficialChains, Tiling, TilingOptions } from './coverage/tiling.ts';
import type { LookAsked, Looked } from './look.ts';

/** A message with the fields of a call in place of the flags of the command line. */
type InFields = (message: string) => string;

/** Those of import_file. */
export const inOptions: InFields = (message) =>
  message
    .replace(/--map ([\w:]+)=/g, 'options.map.$1 ')
    .replaceAll('--admin-level', 'options.adminLevel')
    .replace(/--(layer|crs|encoding|geometry|levels|country|bbox|strict|source)\b/g, 'options.$1');

/** Where a file that is read comes from. */
interface About {
  /** The organization whose file it is. */
  readonly org: string;
  /** The name of the file in messages. */
  readonly shown: string;
  /** Default: the fields of create_area_set. */
  readonly inFields?: InFields;
}

/** What the process is asked, for the areas of a file. */
export interface Asked {
  readonly path: string;
  readonly options: ReadOptions;
  /** Absent: the areas stay as they were read. */
  readonly tiling?: TilingOptions;
  /** It ends itself when it has more resident memory than this, in bytes. */
  readonly mostBytes: number;
  readonly mostAreas: number;
  /** Infinity: any number. */
  readonly mostVertices: number;
}

/** How much there is in a file, of areas at most one more than were asked for; and the areas, unless they are too many. */
export interface IsolatedRead {
  readonly areas: number;
  /** Those that several areas have, once. */
  readonly vertices: number;
  readonly coverage?: Coverage;
  readonly tiling?: Tiling;
}

/** It asks for the official borders that meet boxes, and gets them as the next message. */
export interface AsksBorders {
  readonly boxes: Float64Array;
}

/** What it is asked, for how a file would be imported. */
export interface AskedLook {
  readonly path: string;
  readonly look: LookAsked;
  /** As of Asked. */
  readonly mostBytes: number;
}

/** What it answers. */
export type Told = { readonly read: IsolatedRead } | { readonly looked: Looked } | { readonly failure: string };

/** Processes at once, and how many calls wait for one. */
const AT_ONCE = 2;
const MOST_WAITING = 8;
const turns = new Semaphore(AT_ONCE, MOST_WAITING);
/** An organization has one of them at a time: its other calls, so many at most, wait here, and take no place of others. */
const ORG_WAITING = 4;
const orgTurns = new OwnedSemaphores(AT_ONCE - 1, ORG_WAITING);
/** Limit of memory of one, in bytes. */
const MOST_BYTES = 2 * 2 ** 30;

/** Minutes that any file may take, megabytes that are a minute more, and the most minutes: see readingMinutes(). */
const [MINUTES, MB_A_MINUTE, MOST_MINUTES] = [5, 10, 15];

/**
 * The areas of a file in any format that is read (readCoverage), made to tile as far as is asked (tileCoverage).
 * @param official where official borders come from, to which areas are snapped; what it throws is thrown
 * @throws invalid_input with what is wrong with the file, QueueError when too many files wait, the reason of the signal
 */
export async function readIsolated(
  asked: Omit<Asked, 'mostBytes'>,
  { official, ...about }: About & { readonly official: OfficialChains },
  signal: AbortSignal,
): Promise<IsolatedRead> {
  const read = () => inProcess({ ...asked, mostBytes: MOST_BYTES }, { ...about, official }, signal);
  const answer = await inTurn(about.org, read, signal);
  if (!('read' in answer)) throw new Error('the process answered another question');
  return answer.read;
}

/**
 * How a file would be imported (lookAt).
 * @throws as readIsolated()
 */
export async function lookIsolated(path: string, look: LookAsked, about: About, signal: AbortSignal): Promise<Looked> {
  const official = () => Promise.reject(new Error('a look asks for no borders'));
  const asked = { path, look, mostBytes: MOST_BYTES };
  const answer = await inTurn(about.org, () => inProcess(asked, { ...about, official }, signal), signal);
  if (!('looked' in answer)) throw new Error('the process answered another question');
  const { inFields: words = inFields, shown } = about;
  const { trouble } = answer.looked;
  return { ...answer.looked, trouble: trouble && words(trouble.replaceAll(path, shown)) };
}

const inTurn = <T>(org: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  orgTurns.run(org, () => turns.run(work, { signal }), { signal });

/**
 * Minutes that reading a file may take. A small file that takes long was made to: two readers are there for all callers.
 * @param bytes as stored
 */
export function readingMinutes(bytes: number): number {
  return Math.min(MINUTES + Math.floor(bytes / (MB_A_MINUTE * 1e6)), MOST_MINUTES);
}

async function inProcess(
  asked: Asked | AskedLook,
  { shown, official, inFields: words = inFields }: About & { readonly official: OfficialChains },
  signal: AbortSignal,
): Promise<Exclude<Told, { readonly failure: string }>> {
  const typescript = import.meta.url.endsWith('.ts');
  const file = fileURLToPath(new URL(`./read_isolated_process.${typescript ? 'dev.js' : 'js'}`, import.meta.url));
  const heap = `--max-old-space-size=${MOST_BYTES / 2 ** 20}`;
  const refuse = (message: string) => invalidInput([{ path: 'file', code: 'unreadable', message }]);
  const minutes = readingMinutes((await stat(asked.path)).size);
  signal.throwIfAborted();
  const child = fork(file, [], { serialization: 'advanced', execArgv: [heap], stdio: 'ignore' });
  const stop = () => child.kill('SIGKILL');
  const timer = setTimeout(stop, minutes * 60_000);
  signal.addEventListener('abort', stop);
  try {
    const answer = await new Promise<Told>((resolve, reject) => {
      child.on('message', (message) => {
        if (!('boxes' in (message as AsksBorders | Told))) return resolve(message as Told);
        official((message as AsksBorders).boxes).then((chains) => child.send(chains), reject);
      });
      child.once('error', reject);
      child.once('exit', () => {
        const limits = `${MOST_BYTES / 2 ** 30} GiB of memory or ${minutes} minutes`;
        reject(signal.aborted ? signal.reason : refuse(`reading it took more than ${limits}: split it`));
      });
      child.send(asked, (error) => error && reject(error));
    });
    if (!('failure' in answer)) return answer;
    throw refuse(words(answer.failure.replaceAll(asked.path, shown)).slice(0, 2_000));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** A message with the fields of create_area_set in place of the flags of the command line. */
const inFields: InFields = (message) =>
  message
    .replace(/--map (id|name|population)=/g, '$1_column ')
    .replaceAll('--encoding', 'text_encoding')
    .replace(/--(layer|crs)\b/g, '$1');
