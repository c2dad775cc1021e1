import { createHash } from 'node:crypto';
import { lookup as resolveName } from 'node:dns';
import { once } from 'node:events';
import { createReadStream, createWriteStream, rmSync, type WriteStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { mediaTypeIn } from '../common/media_type.ts';
import { isNetworkError } from '../common/system_errors.ts';
import { isPublicAddress } from './outgoing_call.ts';

/** A file cannot be fetched, or what was answered is not the file; the message explains it to the person who asked. */
export class FileFetchError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FileFetchError';
  }
}

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
}

/** How often a broken download goes on where it stopped, one time after another without a new byte. */
const ATTEMPTS = 5;
const PAUSE_MS = 500;
const MOST_REDIRECTS = 5;
const IDLE_MS = 60_000;
/** Limit of the wait that a server asks for. */
const LONGEST_WAIT_S = 60;
/** Bytes at the start of an answer in which a web page is recognized. */
const FIRST = 1_024;

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/geo+json': '.geojson',
  'application/json': '.json',
  'application/zip': '.zip',
  'application/geopackage+sqlite3': '.gpkg',
  'application/vnd.apache.parquet': '.parquet',
  'application/vnd.google-earth.kml+xml': '.kml',
  'application/vnd.google-earth.kmz': '.kmz',
  'application/gml+xml': '.gml',
  'text/csv': '.csv',
};

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

/** Connections by the proxies of the environment, to public addresses unless others are allowed. */
export function agentFor(allowPrivate: boolean): Dispatcher {
  return new EnvHttpProxyAgent({
    connect: { lookup: publicOnly(allowPrivate) },
    headersTimeout: IDLE_MS,
    bodyTimeout: IDLE_MS,
  });
}

/** Resolves names for connections; refuses a name of which an address is not public, unless that is allowed. */
function publicOnly(allowPrivate: boolean): LookupFunction {
  return (name, options, callback) => {
    resolveName(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      if (!allowPrivate && found.some(({ address }) => !isPublicAddress(address)))
        return callback(new FileFetchError(notPublic(name)), '', 0);
      if (options.all) return callback(null, found);
      const [first] = found;
      callback(null, first?.address ?? '', first?.family ?? 0);
    });
  };
}

const notPublic = (name: string) =>
  `${name} is not an address of the public internet: --allow-private fetches from it all the same.`;

/**
 * Asks for a file, and follows redirects; each address is checked as the first one.
 * @throws FileFetchError for an address that may not be fetched
 */
export async function follow(
  from: URL,
  headers: Readonly<Record<string, string>>,
  agent: Dispatcher,
  { allowPrivate, signal }: Pick<FileFetchOptions, 'allowPrivate' | 'signal'>,
): Promise<{ readonly url: URL; readonly answer: Dispatcher.ResponseData }> {
  let url = from;
  for (let k = 0; k <= MOST_REDIRECTS; k++) {
    checkAddress(url, allowPrivate);
    const answer = await request(url, { method: 'GET', headers, dispatcher: agent, ...(signal ? { signal } : {}) });
    const target = answer.headers.location;
    if (![301, 302, 303, 307, 308].includes(answer.statusCode) || typeof target !== 'string') return { url, answer };
    await answer.body.dump();
    if (!URL.canParse(target, url.href))
      throw new FileFetchError(`${url.href} redirects to ${target}, which is not an address.`);
    url = new URL(target, url.href);
  }
  throw new FileFetchError(`${from.href} redirects more than ${MOST_REDIRECTS} times.`);
}

/** Refuses an address that may not be fetched. Names are checked when they are resolved. */
function checkAddress(url: URL, allowPrivate: boolean): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new FileFetchError(`${url.href}: only http and https are followed.`);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw new FileFetchError(notPublic(host));
}

/** One file that is being fetched. */
class Fetch {
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
    const id = createHash('sha256').update(url.href).digest('hex').slice(0, 16);
    this.part = join(folder, `.${id}.part`);
    this.noted = join(folder, `.${id}.json`);
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
      const { etag, modified, name } = JSON.parse(text) as FileNote;
      this.record = { ...this.record, etag, modified, name };
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
    await this.note({
      address: this.url.href,
      etag: headerOf(answer, 'etag'),
      modified: headerOf(answer, 'last-modified'),
      name: null,
    });
    await this.receive(answer, from, total, file);
    await this.checkSum(this.part);
    const path = join(this.folder, file);
    await rename(this.part, path);
    await this.note({ ...this.record, name: file });
    return { path, address: url.href };
  }

  private async receive(
    answer: Dispatcher.ResponseData,
    from: number,
    total: number | null,
    name: string,
  ): Promise<void> {
    const { maxBytes, onProgress } = this.options;
    const file = createWriteStream(this.part, { flags: from > 0 ? 'a' : 'w' });
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

/** The server answered with a status that has no file, or ended the answer too early (0). */
export class StatusError extends FileFetchError {
  readonly status: number;
  readonly retryAfter: string | readonly string[] | undefined;

  constructor(url: URL, status: number, retryAfter?: string | readonly string[]) {
    super(status === 0 ? 'the answer ended too early' : `${url.href} answers with the status ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** How many milliseconds to wait before the download is tried again; null when that is of no use. */
export function waitOf(error: unknown): number | null {
  if (error instanceof StatusError) {
    const { status, retryAfter } = error;
    if (status !== 0 && status !== 408 && status !== 416 && status !== 429 && status < 500) return null;
    const seconds = Number(retryAfter ?? 0);
    return Number.isFinite(seconds) ? 1000 * Math.min(LONGEST_WAIT_S, seconds) : 0;
  }
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof FileFetchError || ('syscall' in one && 'path' in one)) return null;
    const { code = '' } = one as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND') return null;
    if (code.startsWith('UND_ERR_') || isNetworkError(one)) return 0;
  }
  return null;
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

/** The first value of a header of an answer; null if it is absent. */
export function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function rangeStart(header: string | string[] | undefined): number | null {
  const [, start] = /^bytes (\d+)-/.exec(String(header ?? '')) ?? [];
  return start === undefined ? null : Number(start);
}

/** @throws FileFetchError when the first bytes of an answer are those of a web page */
function refuseWebPage(url: URL, first: Buffer, type: string): void {
  const start = first
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
    .toLowerCase();
  if (!/^(<!doctype html|<html|<head|<script)/.test(start) && !/^<\?xml[^>]*>\s*<!doctype html/.test(start)) return;
  throw new FileFetchError(
    `${url.href} answered a web page${type === '' ? '' : ` (${type})`}, not a file. Open it in a browser: it may want a form, an account or a consent.`,
  );
}

/** The name of a file that an answer gives, without folders; with an extension by its media type if it has none. */
function nameOf(url: URL, answer: Dispatcher.ResponseData): string {
  const header = headerOf(answer, 'content-disposition') ?? '';
  const [, extended] = /filename\*\s*=\s*utf-8''([^;]+)/i.exec(header) ?? [];
  const [, quoted, plain] = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(header) ?? [];
  const last = url.pathname.split('/').filter(Boolean).at(-1) ?? '';
  const given = extended === undefined ? (quoted ?? plain ?? decoded(last)) : decoded(extended);
  const name = basename(given.replaceAll('\\', '/'))
    .replace(/[^\p{L}\p{M}\p{N} ._(),+-]+/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(0, 150);
  if (name === '') return `download${EXTENSIONS[mediaTypeIn(headerOf(answer, 'content-type') ?? undefined)] ?? ''}`;
  if (extname(name) !== '') return name;
  return name + (EXTENSIONS[mediaTypeIn(headerOf(answer, 'content-type') ?? undefined)] ?? '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
