import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { withoutZone } from '../address_ranges.ts';

/** The client's address: that of the connection, or the last in X-Forwarded-For that is not one of our proxies. */
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

/** What anonymous callers are counted by: an IPv4 address, or the /64 network of an IPv6 address. */
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

/** What callers without a credential on this machine itself are counted by. */
export const THIS_MACHINE = 'this machine';

/** What a request without a credential is counted by: THIS_MACHINE where no proxy stands between, else its network. */
export function countedBy(request: IncomingMessage, proxies: BlockList): string {
  return isLocal(request) ? THIS_MACHINE : addressGroup(clientAddress(request, proxies));
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
