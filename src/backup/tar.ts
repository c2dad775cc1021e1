import { defined } from '../common/elements.ts';

/** The header of a member in a tar archive (POSIX ustar): what `tar` needs to list and unpack it. */
export interface TarHeader {
  /** At most 100 ASCII characters. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** Size of a block in bytes. Headers and contents fill whole blocks, padded with zeros. */
export const TAR_BLOCK = 512;

/** The largest size that fits in 11 octal digits; larger ones are written in base 256, as GNU tar does. */
const OCTAL_SIZE = 8 ** 11;

/** The number of padding bytes after a content of `size` bytes. */
export const tarPadding = (size: number): number => (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK;

/**
 * The header block of a member that only its owner can read (mode 0600); `at` is its time.
 * @throws Error for a name that is not 1 to 100 printable ASCII characters without spaces
 */
export function tarHeader({ name, size }: TarHeader, at: Date): Buffer {
  if (!/^[\x21-\x7e]{1,100}$/.test(name)) throw new Error(`${name.slice(0, 120)} is not a name for a tar archive`);
  const block = Buffer.alloc(TAR_BLOCK);
  const octal = (value: number, offset: number, digits: number) =>
    void block.write(value.toString(8).padStart(digits, '0'), offset, 'latin1');
  block.write(name, 0, 'latin1');
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  if (size < OCTAL_SIZE) octal(size, 124, 11);
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(size), 128);
  }
  octal(Math.floor(at.getTime() / 1000), 136, 11);
  block.write('0', 156, 'latin1');
  block.write('ustar\0' + '00', 257, 'latin1');
  octal(sumOf(block), 148, 6);
  block[154] = 0;
  block[155] = 0x20;
  return block;
}

/** Reads a header block; null for a block of zeros, which ends an archive. @throws Error for a damaged one */
export function readTarHeader(block: Buffer): TarHeader | null {
  if (block.every((byte) => byte === 0)) return null;
  const text = (from: number, to: number) => defined(block.toString('latin1', from, to).split('\0', 1)[0]);
  if (text(257, 262) !== 'ustar' || Number.parseInt(text(148, 156), 8) !== sumOf(block)) {
    throw new Error('a header is damaged');
  }
  const large = block[124] === 0x80;
  const size = large ? Number(block.readBigUInt64BE(128)) : Number.parseInt(text(124, 136), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new Error('a size is damaged');
  return { name: text(0, 100), size };
}

/** The checksum of a header: the sum of its bytes, with spaces in place of the checksum field. */
function sumOf(block: Buffer): number {
  let sum = 8 * 0x20;
  for (const [i, byte] of block.entries()) if (i < 148 || i >= 156) sum += byte;
  return sum;
}
