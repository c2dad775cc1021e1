import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, rmSync, type WriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Dispatcher } from 'undici';
import { mediaTypeIn } from '../common/media_type.ts';
import { agentFor, FileFetchError, follow, headerOf, StatusError, waitOf } from './file_address.ts';
import { nameOf, rangeStart, refuseWebPage } from './file_answer.ts';

export interface FileFetchOptions {
  /** A folder for the file, which stays there; without it, the file is in a temporary folder until `remove`. */
  readonly keep?: string | undefined;
  /** Limit of the file's size in bytes. */
  readonly maxBytes: number;
  /** SHA-256 of the file in hexadecimal digits. */
  readonly sha256?: string | undefined;
  /** Whether files of this machine (file:) and addresses that are not on the public internet may be read. */
  readonly allowPrivate: boolean;
  readonly userAgent: string;
  readonly signal?: AbortSignal | undefined;
  /** Half the first wait in milliseconds before a broken download goes on; each wait is twice the last (default 500). */
  readonly pauseMs?: number;
  /** Called as bytes arrive; `total` is null where the server does not say it. */
  readonly onProgress?: (name: string, bytes: number, total: number | null) => void;
}

export interface FetchedFile {
  readonly path: string;
  /** The address that answered in the end, after redirects. */
  readonly address: string;
  /** Deletes the file unless it is kept. */
  remove(): void;
}

/** What is known of a file that is or was being fetched, beside it. */
interface FileNote {
  readonly address: string;
  readonly etag: string | null;
  readonly modified: string | null;
  /** The file's name once it is whole; null before. */
  readonly name: string | null;
  /** Before it is whole: the name of an older copy that it will replace. */
  readonly former?: string | null;
}

/** How often a broken download goes on where it stopped, one time after another without a new byte. */
const ATTEMPTS = 5;
const PAUSE_MS = 500;
/** Bytes at the start of an answer in which a web page is recognized. */
const FIRST = 1_024;

/** Whether a text is an address that `fetchFile` takes, and not the path of a file. */
export const isAddress = (text: string): boolean => /^(https?|file):\/\//i.test(text);

/**
 * Fetches a file by HTTP into a folder. A broken connection is resumed with Range and If-Range, in the same call and,
 * with `keep`, in a later one; a kept file is fetched again only if the server says that it changed (If-None-Match).
 * Proxies are those of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Nothing half fetched gets the file's name.
 * @throws FileFetchError
 */
export async function fetchFile(address: string, options: FileFetchOptions): Promise<FetchedFile> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url) throw new FileFetchError(`${address} is not an address.`);
  if (url.protocol === 'file:') {
    if (!options.allowPrivate)
      throw new FileFetchError(`${address} is a file of this machine: --allow-private reads it.`);
    return { path: fileURLToPath(url), address, remove: () => {} };
  }
  const folder = options.keep ?? (await mkdtemp(join(tmpdir(), 'boundary-download-')));
  await mkdir(folder, { recursive: true });
  const remove = () => {
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const agent = agentFor(options.allowPrivate);
  try {
    const fetched = await new Fetch(url, folder, agent, options).run();
    return { ...fetched, remove };
  } catch (error) {
    remove();
    throw error;
  } finally {
    await agent.destroy();
  }
}

/** One file that is being fetched. */
class Fetch {
  /** Tells its address from others. */
  private readonly id: string;
  private readonly part: string;
  private readonly noted: string;
  private record: FileNote;

  private readonly url: URL;
  private readonly folder: string;
  private readonly agent: Dispatcher;
  private readonly options: FileFetchOptions;

  constructor(url: URL, folder: string, agent: Dispatcher, options: FileFetchOptions) {
    this.url = url;
    this.folder = folder;
    this.agent = agent;
    this.options = options;
    this.id = createHash('sha256').update(url.href).digest('hex').slice(0, 16);
    this.part = join(folder, `.${this.id}.part`);
    this.noted = join(folder, `.${this.id}.json`);
    this.record = { address: url.href, etag: null, modified: null, name: null };
  }

  async run(): Promise<Omit<FetchedFile, 'remove'>> {
    await this.readRecord();
    let failures = 0;
    for (;;) {
      const before = await sizeOf(this.part);
      try {
        return await this.attempt(before);
      } catch (error) {
        this.options.signal?.throwIfAborted();
        const wait = waitOf(error);
        if (wait === null) throw error;
        failures = (await sizeOf(this.part)) > before ? 1 : failures + 1;
        if (failures >= ATTEMPTS) {
          const left =
            this.options.keep === undefined ? '' : ' What has arrived stays: the same command goes on there.';
          throw new FileFetchError(`${this.url.href} cannot be fetched: ${messageOf(error)}.${left}`, error);
        }
        await sleep(Math.max(wait, (this.options.pauseMs ?? PAUSE_MS) * 2 ** failures), undefined, {
          signal: this.options.signal,
        });
      }
    }
  }

  private async readRecord(): Promise<void> {
    const text = await readFile(this.noted, 'utf8').catch(() => null);
    if (text === null) return;
    try {
      const { etag, modified, name, former = null } = JSON.parse(text) as FileNote;
      this.record = { ...this.record, etag, modified, name, former };
    } catch {
      // A record that was cut off says nothing: the file is fetched again.
    }
  }

  private async note(record: FileNote): Promise<void> {
    this.record = record;
    await writeFile(this.noted, JSON.stringify(record));
  }

  private async attempt(have: number): Promise<Omit<FetchedFile, 'remove'>> {
    const { etag, modified, name } = this.record;
    // If-Range takes no weak tag (RFC 9110, section 13.1.5).
    const strong = etag !== null && !etag.startsWith('W/') ? etag : modified;
    const headers: Record<string, string> = {
      'user-agent': this.options.userAgent,
      'accept-encoding': 'identity',
    };
    const keptPath = name === null ? null : join(this.folder, name);
    if (keptPath !== null && (await sizeOf(keptPath)) > 0) {
      if (etag !== null) headers['if-none-match'] = etag;
      else if (modified !== null) headers['if-modified-since'] = modified;
    } else if (have > 0 && strong !== null) {
      headers.range = `bytes=${have}-`;
      headers['if-range'] = strong;
    }
    const { url, answer } = await follow(this.url, headers, this.agent, this.options);
    const { statusCode: status, body } = answer;
    if (status === 304 && keptPath !== null) {
      await body.dump();
      await this.checkSum(keptPath);
      return { path: keptPath, address: url.href };
    }
    if (status !== 200 && status !== 206) {
      await body.dump();
      // 416: nothing is left of the file that was there before; it is fetched from the start.
      if (status === 416) await rm(this.part, { force: true });
      throw new StatusError(url, status, answer.headers['retry-after']);
    }
    const isRest = status === 206 && have > 0 && rangeStart(answer.headers['content-range']) === have;
    if (status === 206 && !isRest) {
      await body.dump();
      await rm(this.part, { force: true });
      throw new StatusError(url, 416);
    }
    if (!isRest) await truncate(this.part, 0).catch(() => {});
    const from = isRest ? have : 0;
    const length = Number(answer.headers['content-length'] ?? Number.NaN);
    const total = Number.isSafeInteger(length) ? from + length : null;
    if (total !== null) this.checkSize(total);
    const file = nameOf(url, answer);
    const former = name ?? this.record.former ?? null;
    await this.note({
      address: this.url.href,
      etag: headerOf(answer, 'etag'),
      modified: headerOf(answer, 'last-modified'),
      ...{ name: null, former },
    });
    await this.receive(answer, from, total, file);
    await this.checkSum(this.part);
    const own = await this.ownName(file, former);
    const path = join(this.folder, own);
    await rename(this.part, path);
    await this.note({ ...this.record, name: own, former: null });
    return { path, address: url.href };
  }

  /** A name that no file of another address has, nor one that the person keeps there. `before`: that of an older copy. */
  private async ownName(name: string, before: string | null): Promise<string> {
    const { name: stem, ext } = parse(name);
    const other = `${stem} (${this.id.slice(0, 8)})${ext}`;
    if (before === name || before === other) return before;
    // Taken at once, as another address may have a file of this name, too.
    const isFree = await writeFile(join(this.folder, name), '', { flag: 'wx' }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false;
        throw error;
      },
    );
    return isFree ? name : other;
  }

  private async receive(
    answer: Dispatcher.ResponseData,
    from: number,
    total: number | null,
    name: string,
  ): Promise<void> {
    const { maxBytes, onProgress } = this.options;
    const file = createWriteStream(this.part, { flags: from > 0 ? 'a' : 'w' });
    // An error while the server is waited for is thrown below: without a listener it would end the process.
    file.on('error', () => undefined);
    let bytes = from;
    let first: Buffer | null = from > 0 ? null : Buffer.alloc(0);
    try {
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxBytes) this.checkSize(bytes);
        if (first !== null) {
          first = Buffer.concat([first, chunk.subarray(0, FIRST)]);
          refuseWebPage(this.url, first, mediaTypeIn(headerOf(answer, 'content-type') ?? undefined));
          if (first.length >= FIRST) first = null;
        }
        if (!file.write(chunk)) await drained(file);
        onProgress?.(name, bytes, total);
      }
    } finally {
      await new Promise<void>((done) => file.end(() => done()));
    }
    if (file.errored) throw file.errored;
    if (total !== null && bytes !== total) throw new StatusError(this.url, 0);
    if (bytes === 0) throw new FileFetchError(`${this.url.href} answered an empty file.`);
  }

  private checkSize(bytes: number): void {
    const { maxBytes } = this.options;
    if (bytes <= maxBytes) return;
    throw new FileFetchError(
      `${this.url.href} has ${bytes === maxBytes + 1 ? 'more than' : 'at least'} ${bytes} bytes; --max-bytes allows ${maxBytes}.`,
    );
  }

  private async checkSum(path: string): Promise<void> {
    const { sha256 } = this.options;
    if (sha256 === undefined) return;
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const found = hash.digest('hex');
    if (found === sha256.toLowerCase()) return;
    await rm(path, { force: true });
    await rm(this.noted, { force: true });
    throw new FileFetchError(`${this.url.href} has the SHA-256 ${found}, not ${sha256}. Nothing is kept of it.`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

/** Waits until a stream takes more. @throws the stream's error */
async function drained(file: WriteStream): Promise<void> {
  if (file.errored) throw file.errored;
  await once(file, 'drain');
}
