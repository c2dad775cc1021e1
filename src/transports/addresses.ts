import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { withoutZone } from '../common/address_ranges.ts';

/**
 * The client's address: the peer of the connection, or the last address in X-Forwarded-For that is not a trusted proxy.
 */
export function clientAddress(request: IncomingMessage, proxies: BlockList): string {
  let address = plain(request.socket.remoteAddress ?? '');
  const header = request.headers['x-forwarded-for'];
  if (header === undefined) return address;
  const forwarded = String(header).split(',');
  while (forwarded.length > 0 && isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) {
    const before = plain((forwarded.pop() as string).trim());
    if (isIP(before) === 0) break;
    address = before;
  }
  return address;
}

/** The key by which anonymous callers are counted: an IPv4 address, or the /64 network of an IPv6 address. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head, tail] = withoutZone(address).split('::');
  const left = head ? head.split(':') : [];
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const words = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${words
    .slice(0, 4)
    .map((word) => Number.parseInt(word, 16).toString(16))
    .join(':')}::/64`;
}

/** The key by which callers without a credential on this machine are counted. */
export const THIS_MACHINE = 'this machine';

/**
 * The key by which a request without a credential is counted: THIS_MACHINE for a local connection without a proxy,
 * otherwise the client's network.
 */
export function countedBy(request: IncomingMessage, proxies: BlockList): string {
  return isLocal(request) ? THIS_MACHINE : addressGroup(clientAddress(request, proxies));
}

/** Strips the prefix of an IPv4-mapped IPv6 address. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

/** Whether the connection comes from this machine and not through a proxy. */
export function isLocal(request: IncomingMessage): boolean {
  const { remoteAddress } = request.socket;
  // A unix socket has no remote address.
  const address = plain(remoteAddress ?? '');
  const loopback = remoteAddress === undefined || address === '::1' || address.startsWith('127.');
  return loopback && request.headers['x-forwarded-for'] === undefined && request.headers.forwarded === undefined;
}
