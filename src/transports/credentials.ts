import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { problem } from '../errors.ts';
import { ANONYMOUS, type Caller, LOCAL_OPERATOR } from '../op.ts';
import type { Services } from '../services.ts';

/**
 * Who sends this Authorization header. Without one: anonymous, or the local operator on a trusted socket.
 * Throws unauthorized (another scheme), invalid_key (`bnd_…`) or invalid_token (any other bearer), on public
 * operations too: a client that sends a credential wants it to count.
 */
export async function identify(
  services: Services,
  authorization: string | undefined,
  trusted: boolean,
): Promise<Caller> {
  if (authorization === undefined) return trusted ? LOCAL_OPERATOR : ANONYMOUS;
  const [scheme, token = '', ...rest] = authorization.trim().split(/\s+/);
  if (scheme.toLowerCase() !== 'bearer') {
    throw problem('unauthorized', 'Send the key as Authorization: Bearer <API_KEY>; other schemes are not known.');
  }
  if (!token.startsWith('bnd_') || rest.length > 0) {
    throw problem('invalid_token', 'The access token is invalid or expired.');
  }
  const caller = await services.accounts.authenticate(token);
  return trusted ? { ...caller, operator: true } : caller;
}

/** The proxies whose X-Forwarded-For counts. */
export function proxyList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address, bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** The client's address: that of the connection, or the last in X-Forwarded-For that is not one of our proxies. */
export function clientAddress(request: IncomingMessage, proxies: BlockList): string {
  let address = plain(request.socket.remoteAddress ?? '');
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',');
  while (forwarded.length > 0 && isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) {
    const before = plain((forwarded.pop() as string).trim());
    if (isIP(before) === 0) break;
    address = before;
  }
  return address;
}

/** What anonymous callers are counted by: an IPv4 address, or the /64 network of an IPv6 address. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head, tail] = address.split('%')[0].split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const words = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${words
    .slice(0, 4)
    .map((word) => Number.parseInt(word, 16).toString(16))
    .join(':')}::/64`;
}

/** An IPv4 address that came over an IPv6 socket is written as IPv4. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

/** Whether the connection itself comes from this machine and no proxy stands between. */
export function isLocal(request: IncomingMessage): boolean {
  const { remoteAddress } = request.socket;
  // A unix socket has no address.
  const address = plain(remoteAddress ?? '');
  const loopback = remoteAddress === undefined || address === '::1' || address.startsWith('127.');
  return loopback && request.headers['x-forwarded-for'] === undefined && request.headers.forwarded === undefined;
}
