import { BlockList, isIP } from 'node:net';

/** Whether a text is an IP address, or a range of them in CIDR notation (10.0.0.0/8). */
export function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** An IPv6 address without the zone (%eth0) that a link-local one may name. */
export function withoutZone(address: string): string {
  const [plain = ''] = address.split('%', 1);
  return plain;
}

/** A BlockList of some ranges, each in a form that isAddressRange() accepts. @throws TypeError for any other text */
export function addressList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
