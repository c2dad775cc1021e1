import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { agentFor, FileFetchError, follow, headerOf, StatusError, waitOf } from './file_address.ts';
import type { FileFetchOptions } from './file_fetch.ts';

export type RangeOptions = Pick<FileFetchOptions, 'allowPrivate' | 'userAgent' | 'signal' | 'pauseMs' | 'maxBytes'>;

/** A file at an address, of which ranges of bytes are fetched. */
export interface RemoteFile {
  readonly size: number;
  /** Fetches the bytes from `start` to before `end`. @throws FileFetchError, also when the file has changed */
  read(start: number, end: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Ends an answer of which no more is read. */
const abandon = (body: Dispatcher.ResponseData['body']): void => {
  body.on('error', () => {});
  body.destroy();
};

const ATTEMPTS = 5;
const PAUSE_MS = 500;

/**
 * Opens a file at an address, if the server gives ranges of it (RFC 9110, section 14); null if it does not.
 * @throws FileFetchError
 */
export async function openRanges(address: string, options: RangeOptions): Promise<RemoteFile | null> {
  const url = new URL(address);
  const agent = agentFor(options.allowPrivate);
  let version: string | null = null;
  let fetched = 0;

  /** One range, and the size of the whole file; null if the server answers with the whole file. */
  async function once(start: number, end: number): Promise<{ bytes: Buffer; size: number } | null> {
    const headers = {
      'user-agent': options.userAgent,
      'accept-encoding': 'identity',
      range: `bytes=${start}-${end - 1}`,
    };
    const { url: from, answer } = await follow(url, headers, agent, options);
    const { statusCode: status, body } = answer;
    if (status === 200) {
      abandon(body);
      return null;
    }
    if (status !== 206) {
      await body.dump();
      throw new StatusError(from, status, answer.headers['retry-after']);
    }
    const [, first, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headerOf(answer, 'content-range') ?? '') ?? [];
    const own = headerOf(answer, 'etag') ?? headerOf(answer, 'last-modified') ?? `size ${size}`;
    if (size === undefined || Number(first) !== start) {
      abandon(body);
      throw new FileFetchError(`${url.href} answered another part of the file than was asked for.`);
    }
    if (version !== null && own !== version) {
      abandon(body);
      throw new FileFetchError(`${url.href} changed while it was read: try again.`);
    }
    version = own;
    const parts: Buffer[] = [];
    let length = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > end - start) throw new FileFetchError(`${url.href} answered more than was asked for.`);
      parts.push(chunk);
    }
    if (length < Math.min(end, Number(size)) - start) throw new StatusError(from, 0);
    fetched += length;
    if (fetched > options.maxBytes) {
      throw new FileFetchError(
        `${url.href}: the parts take more than the ${options.maxBytes} bytes that --max-bytes allows.`,
      );
    }
    return { bytes: Buffer.concat(parts), size: Number(size) };
  }

  async function patiently(start: number, end: number): ReturnType<typeof once> {
    for (let failures = 1; ; failures++) {
      try {
        return await once(start, end);
      } catch (error) {
        options.signal?.throwIfAborted();
        const wait = waitOf(error);
        if (wait === null || failures >= ATTEMPTS) throw error;
        const pause = (options.pauseMs ?? PAUSE_MS) * 2 ** failures;
        await sleep(Math.max(wait, pause), undefined, { signal: options.signal });
      }
    }
  }

  const close = (): Promise<void> => agent.destroy();
  try {
    const start = await patiently(0, 4);
    if (start === null) {
      await close();
      return null;
    }
    const read = async (from: number, to: number): Promise<Uint8Array> => {
      const part = await patiently(from, to);
      if (part === null) throw new FileFetchError(`${url.href} stopped answering with parts of the file.`);
      return part.bytes;
    };
    return { size: start.size, read, close };
  } catch (error) {
    await close();
    throw error;
  }
}
