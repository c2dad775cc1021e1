import { lookup as resolveName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { isNetworkError } from '../common/system_errors.ts';
import { isPublicAddress } from './outgoing_call.ts';

const MOST_REDIRECTS = 5;

const IDLE_MS = 60_000;

/** Limit of the wait that a server asks for. */
const LONGEST_WAIT_S = 60;

/** A file cannot be fetched, or what was answered is not the file; the message explains it to the person who asked. */
export class FileFetchError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FileFetchError';
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
  { allowPrivate, signal }: { readonly allowPrivate: boolean; readonly signal?: AbortSignal },
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

/** The first value of a header of an answer; null if it is absent. */
export function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}
