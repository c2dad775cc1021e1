import type { LookupAddress } from 'node:dns';
import { lookup as resolveName } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressList } from '../common/address_ranges.ts';

/** A call was not made, or got a wrong answer; the message explains it to the person who set it up. */
export class CallError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CallError';
  }
}

/** Resolves a name to all its addresses. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>;

/** Settings of outgoing calls. */
export interface OutgoingOptions {
  /** Addresses and ranges that may be called even though they are not public. */
  readonly allowed: readonly string[];
  readonly userAgent: string;
  /** Milliseconds until the end of the answer. */
  readonly deadlineMs: number;
  /** Replaced in tests. */
  readonly resolve?: Resolve;
}

/** Address ranges that are not on the public internet (IANA special-purpose registries), for IPv4. */
const NOT_PUBLIC: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

const BLOCKED = blockList(NOT_PUBLIC);
/** In IPv6 only the assigned global unicast addresses are public, except these. */
const GLOBAL_6 = blockList([['2000::', 3]]);
const BLOCKED_6 = blockList([
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]);

function blockList(ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return list;
}

/** Whether an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !BLOCKED.check(address);
  // An IPv4 address within IPv6 (::ffff:0:0/96, 64:ff9b::/96) is outside 2000::/3.
  return isIP(address) === 6 && GLOBAL_6.check(address, 'ipv6') && !BLOCKED_6.check(address, 'ipv6');
}

/** Limit of the bytes read of an answer, so that the connection ends cleanly; they are ignored. */
const READ_BYTES = 64 * 1024;

/**
 * Makes calls to URLs that users gave, only at public or allowed addresses. A name is resolved once, and the connection
 * goes to the address that was checked. Redirects are not followed.
 */
export function outgoingCalls(options: OutgoingOptions) {
  const { userAgent, deadlineMs, resolve = (name) => resolveName(name, { all: true, verbatim: true }) } = options;
  const allowed = addressList(options.allowed);
  const mayCall = (address: string): boolean =>
    isPublicAddress(address) || allowed.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  /** Resolves the host of a URL within the deadline. @throws CallError */
  async function addressesOf(url: URL): Promise<readonly LookupAddress[]> {
    const name = url.hostname.replace(/^\[|\]$/g, '');
    const literal = isIP(name);
    if (literal !== 0) return [{ address: name, family: literal }];
    const deadline = new AbortController();
    try {
      const late = sleep(deadlineMs, null, { signal: deadline.signal, ref: false }).then(() => {
        throw new Error('no answer in time');
      });
      return await Promise.race([resolve(name), late]);
    } catch (error) {
      throw new CallError(`the name ${name} cannot be resolved`, error);
    } finally {
      deadline.abort();
    }
  }

  /** The address to connect to. @throws CallError */
  function chooseAddress(url: URL, found: readonly LookupAddress[]): LookupAddress {
    const [first] = found.filter(({ address }) => mayCall(address));
    // A name with both public and other addresses may be an attack on our network (DNS rebinding): call none of them.
    if (!first || found.some(({ address }) => !mayCall(address))) {
      throw new CallError(`${url.hostname} is not an address of the public internet`);
    }
    return first;
  }

  return {
    /** Why a URL may not be called; null if it may, or if its name cannot be resolved now. */
    async refusalOf(url: URL): Promise<string | null> {
      const found = await addressesOf(url).catch(() => null);
      try {
        if (found !== null) chooseAddress(url, found);
        return null;
      } catch (error) {
        return (error as CallError).message;
      }
    },

    /** Posts a JSON body. @throws CallError unless the status of the answer is 200 to 299 */
    async post(url: URL, body: string, headers: Readonly<Record<string, string>>): Promise<void> {
      if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new CallError('the URL is not http or https');
      if (url.username !== '' || url.password !== '') throw new CallError('the URL has a user or a password in it');
      const { address, family } = chooseAddress(url, await addressesOf(url));
      const content = Buffer.from(body);
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const signal = AbortSignal.timeout(deadlineMs);
      await new Promise<void>((done, reject) => {
        const sent = send(url, {
          method: 'POST',
          agent: false,
          signal,
          lookup: (_name, { all }, callback) =>
            all ? callback(null, [{ address, family }]) : callback(null, address, family),
          headers: {
            'Content-Type': 'application/json',
            'Content-Length': content.byteLength,
            'User-Agent': userAgent,
            ...headers,
          },
        });
        const fail = (error: Error): void =>
          reject(new CallError(signal.aborted ? `no answer within ${deadlineMs} ms` : 'the connection failed', error));
        sent.on('error', fail);
        sent.on('response', (answer) => {
          const status = answer.statusCode ?? 0;
          let read = 0;
          const end = (): void => {
            sent.destroy();
            if (status >= 200 && status < 300) done();
            else reject(new CallError(`the answer has the status ${status}`));
          };
          answer.on('data', (chunk: Buffer) => {
            read += chunk.byteLength;
            if (read > READ_BYTES) end();
          });
          answer.on('error', end);
          answer.on('end', end);
        });
        sent.end(content);
      });
    },
  };
}

export type OutgoingCalls = ReturnType<typeof outgoingCalls>;
