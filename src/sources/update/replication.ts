import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { only } from '../../common/elements.ts';
import { readVersion } from '../../common/version.ts';
import { loadQuery } from '../../db/query.ts';
import { applyChange, type ChangeSummary, type Deps } from './apply.ts';

/** Which replication folder to read (wiki.openstreetmap.org/wiki/Planet.osm/diffs), and how. */
export interface ReplicationOptions {
  /** file: or http(s): URL of the folder with state.txt. */
  readonly from: string;
  /** The sequence number before the first change to apply. Required until a change of this folder was applied. */
  readonly sequence?: number;
  /** The most changes to apply. */
  readonly most?: number;
  /** Timeout: milliseconds without a byte from the server. */
  readonly timeoutMs?: number;
  readonly accept?: readonly string[];
}

export interface ReplicationSummary {
  readonly from: string;
  readonly changes: readonly ChangeSummary[];
  /** Sequence number of the last change applied. */
  readonly sequence: number;
  /** Sequence number of the last change in the folder. */
  readonly latest: number;
}

interface State {
  readonly sequence: number;
  readonly timestamp: string | null;
}

const TIMEOUT_MS = 60_000;
const MOST_STATE_BYTES = 65_536;

/**
 * Applies the pending changes of a replication folder in order, each in one transaction with its sequence number, so an
 * interrupted run resumes where it stopped.
 * @throws Error when the folder cannot be read, a change is missing (the message names it) or damaged, or the sequence
 *   to start from is not known
 */
export async function replicate(
  deps: Deps,
  options: ReplicationOptions,
  progress: (message: string) => void = () => {},
): Promise<ReplicationSummary> {
  const folder = openReplication(options.from, options.timeoutMs ?? TIMEOUT_MS);
  const { sequence } = only(await deps.db.query(loadQuery('update_state'), [folder.address]));
  const start = sequence ?? options.sequence;
  const latest = await folder.state();
  if (start === undefined) {
    throw new Error(
      `no change of ${folder.address} was applied yet: give with --sequence the change that the data already has (the folder is at ${latest.sequence})`,
    );
  }
  if (start > latest.sequence) {
    throw new Error(
      `${folder.address} is at change ${latest.sequence}, but ${start} is already applied: the folder was reset`,
    );
  }
  const end = Math.min(latest.sequence, start + (options.most ?? Number.POSITIVE_INFINITY));
  const changes: ChangeSummary[] = [];
  const temporary = await mkdtemp(join(tmpdir(), 'boundary-update-'));
  try {
    for (let n = start + 1; n <= end; n++) {
      progress(`change ${n} of ${latest.sequence}`);
      const path = join(temporary, `${n}.osc.gz`);
      await folder.change(n, path);
      const { timestamp } = n === latest.sequence ? latest : await folder.state(n);
      const given = { address: folder.address, sequence: n, timestamp, accept: options.accept };
      changes.push(await applyChange(deps, path, given, progress));
      await rm(path);
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return { from: folder.address, changes, sequence: end, latest: latest.sequence };
}

function openReplication(from: string, timeoutMs: number) {
  const base = new URL(from.endsWith('/') ? from : `${from}/`);
  if (!['file:', 'http:', 'https:'].includes(base.protocol)) {
    throw new Error(`${from}: a replication folder has a file:, http: or https: address`);
  }
  const address = base.href;

  /** The body of a file in the folder; null if it does not exist. */
  async function get(name: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array> | Uint8Array | null> {
    const url = new URL(name, base);
    if (url.protocol === 'file:') {
      return readFile(fileURLToPath(url)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
    }
    const headers = { 'User-Agent': `boundary-lookup/${readVersion()}` };
    const response = await fetch(url, { signal, headers });
    if (response.status === 404) {
      await response.body?.cancel();
      return null;
    }
    if (!response.ok || !response.body) throw new Error(`it answers ${response.status}`);
    return response.body;
  }

  /** Passes the body to `take`; aborts after `timeoutMs` without a byte. Returns null if the file does not exist. */
  async function load<T>(name: string, take: (pieces: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T | null> {
    const silent = new AbortController();
    const watch = setTimeout(() => silent.abort(new Error(`no answer for ${timeoutMs} ms`)), timeoutMs);
    try {
      const body = await get(name, silent.signal);
      if (body === null) return null;
      return await take(
        (async function* () {
          for await (const piece of body instanceof Uint8Array ? [body] : body) {
            watch.refresh();
            yield piece;
          }
        })(),
      );
    } catch (error) {
      const cause = silent.signal.aborted ? silent.signal.reason : error;
      const inner = cause instanceof Error && cause.cause instanceof Error ? `: ${cause.cause.message}` : '';
      throw new Error(
        `${new URL(name, base).href}: ${cause instanceof Error ? cause.message : String(cause)}${inner}`,
        {
          cause: error,
        },
      );
    } finally {
      clearTimeout(watch);
    }
  }

  async function state(sequence?: number): Promise<State> {
    const name = sequence === undefined ? 'state.txt' : `${pathOf(sequence)}.state.txt`;
    const text = await load(name, async (pieces) => {
      let text = '';
      for await (const piece of pieces) {
        text += Buffer.from(piece).toString('latin1');
        if (text.length > MOST_STATE_BYTES) throw new Error('it is too large for a state file');
      }
      return text;
    });
    if (text === null) {
      if (sequence !== undefined) return { sequence, timestamp: null };
      throw new Error(`${new URL(name, base).href}: not found, so this is not a replication folder`);
    }
    const number = Number(/^sequenceNumber\s*=\s*(\d{1,12})\s*$/m.exec(text)?.[1] ?? Number.NaN);
    if (Number.isNaN(number)) throw new Error(`${new URL(name, base).href}: it has no sequenceNumber`);
    const time = Date.parse((/^timestamp\s*=\s*(\S+)\s*$/m.exec(text)?.[1] ?? '').replaceAll('\\', ''));
    return { sequence: number, timestamp: Number.isNaN(time) ? null : new Date(time).toISOString() };
  }

  return {
    address,
    state,
    /** Downloads a change to a file. */
    async change(sequence: number, path: string): Promise<void> {
      const name = `${pathOf(sequence)}.osc.gz`;
      const found = await load(name, async (pieces) => {
        await pipeline(Readable.from(pieces), createWriteStream(path));
        return true;
      });
      if (!found) throw new Error(`change ${sequence} is missing: ${new URL(name, base).href} was not found`);
    },
  };
}

/** The path of a change in its folder: 6012345 is 006/012/345. */
function pathOf(sequence: number): string {
  const digits = String(sequence).padStart(9, '0');
  return `${digits.slice(0, -6)}/${digits.slice(-6, -3)}/${digits.slice(-3)}`;
}
