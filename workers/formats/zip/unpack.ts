import { crc32, inflateRawSync } from 'node:zlib';
import { Unreadable } from '../reading/document.ts';

/** Maximum bytes of one file of an archive. */
const MOST_BYTES = 512 * 2 ** 20;
const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;
const TEXT = new TextDecoder();

/** A file of a zip: unpacks it. @throws Unreadable when it is damaged, encrypted or too large */
export type Packed = () => Uint8Array;

/**
 * The files of a zip by name, without folders. None is unpacked before it is asked for. Supports stored and deflated
 * files, not Zip64 or encryption.
 * @throws Unreadable
 */
export function readZip(bytes: Uint8Array): Map<string, Packed> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files = new Map<string, Packed>();
  try {
    let end = bytes.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== END) end--;
    if (end < 0) throw new Unreadable('this is not a zip');
    const count = view.getUint16(end + 10, true);
    let at = view.getUint32(end + 16, true);
    for (let i = 0; i < count; i++) {
      if (view.getUint32(at, true) !== CENTRAL) throw new Unreadable('the zip is damaged, or uses Zip64');
      const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
      const crc = view.getUint32(at + 16, true);
      const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
      const [named, extra] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true)];
      const comment = view.getUint16(at + 32, true);
      const local = view.getUint32(at + 42, true);
      const name = TEXT.decode(bytes.subarray(at + 46, at + 46 + named));
      at += 46 + named + extra + comment;
      if (name.endsWith('/')) continue;
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      files.set(name, () => {
        if (flags & 1) throw new Unreadable('the zip is encrypted');
        if (size > MOST_BYTES) {
          throw new Unreadable(`${name} unpacks to ${size} bytes, more than ${MOST_BYTES} (512 MiB): unpack the zip`);
        }
        return unpacked(bytes.subarray(start, start + packed), { method, size, crc });
      });
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable('the zip is cut off or damaged');
  }
  return files;
}

/** Unpacks a file, and compares it with the size in bytes and the CRC-32 that the directory has. */
function unpacked(
  packed: Uint8Array,
  { method, size, crc }: { readonly method: number; readonly size: number; readonly crc: number },
): Uint8Array {
  if (method !== STORED && method !== DEFLATED) {
    throw new Unreadable(`the zip uses the compression ${method}: only deflate is read`);
  }
  try {
    const bytes = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
    if (bytes.length === size && crc32(bytes) === crc) return bytes;
  } catch {
    // What does not unpack is refused below.
  }
  throw new Unreadable('the zip is cut off or damaged');
}
