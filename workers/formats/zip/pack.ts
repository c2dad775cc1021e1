import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { TooLarge } from '../../cancel.ts';

/** A file of an archive. */
export interface ZipEntry {
  /** Its path, with "/" between folders. */
  readonly name: string;
  readonly bytes: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

const LOCAL = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;

/** Sizes and checksum follow the bytes; the name is UTF-8. */
const FLAGS = 0x0808;
const DEFLATED = 8;

/** The version that a reader needs: 2.0, or 4.5 for 64-bit fields. */
const VERSION = 20;
const VERSION_64 = 45;

/** January 1, 1980, the first date of the format, so that the same files give the same archive. */
const DATE = 0x21;

const FULL_16 = 0xffff;
const FULL_32 = 0xffffffff;

/** Compression level: half the time of the default, 2 % larger. */
const LEVEL = 4;

/** Up to this many bytes are compressed at once, in about a millisecond; starting a stream costs as much. */
const SYNC_BYTES = 1 << 15;

const UTF8 = new TextEncoder();

/** The central directory's data about a file. */
interface Written {
  readonly name: Uint8Array;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
  readonly offset: number;
}

/**
 * Writes a zip archive (PKWARE's APPNOTE) as its files arrive; each is compressed while it is read. More than 65,535
 * files, and archives over 4 GB, are written as Zip64.
 * @throws TooLarge for a file of 4 GB or more
 */
export async function* zip(entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Written[] = [];
  let offset = 0;
  for await (const entry of entries) {
    const name = UTF8.encode(entry.name);
    if (name.length > FULL_16) throw new RangeError('a name of more than 65,535 bytes');
    let head: Uint8Array | null = localHeader(name);
    const start = offset;
    const state = { crc: 0, size: 0 };
    let compressed = 0;
    for await (const piece of deflated(entry.bytes, state)) {
      compressed += piece.length;
      // The header of a small file is yielded together with its bytes.
      const out: Uint8Array = head ? joined(head, piece) : piece;
      head = null;
      offset += out.length;
      yield out;
    }
    const written = { name, crc: state.crc, compressed, size: state.size, offset: start };
    const last = descriptor(written);
    offset += last.length;
    directory.push(written);
    yield last;
  }
  const start = offset;
  for (const written of directory) {
    const record = centralRecord(written);
    offset += record.length;
    yield record;
  }
  yield endOf(directory.length, start, offset - start);
}

/** Compresses bytes, and updates their checksum and size in `state`. Yields at least one piece. */
async function* deflated(bytes: ZipEntry['bytes'], state: { crc: number; size: number }): AsyncGenerator<Uint8Array> {
  const pieces = bytes instanceof Uint8Array ? [bytes] : bytes;
  if (bytes instanceof Uint8Array && bytes.length <= SYNC_BYTES) {
    state.crc = crc32(bytes);
    state.size = bytes.length;
    yield deflateRawSync(bytes, { level: LEVEL });
    return;
  }
  const counted = async function* () {
    for await (const piece of pieces) {
      state.crc = crc32(piece, state.crc);
      state.size += piece.length;
      if (state.size >= FULL_32) throw new TooLarge(state.size);
      yield piece;
    }
  };
  const deflate = createDeflateRaw({ level: LEVEL });
  const done = pipeline(Readable.from(counted(), { objectMode: true }), deflate);
  // Fails when the consumer stops reading, and then no one needs the error; other errors also end the loop below.
  done.catch(() => {});
  for await (const piece of deflate) yield piece;
  await done;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Concatenates little-endian numbers of 2, 4 or 8 bytes, then more bytes. */
function record(fields: readonly (readonly [bytes: 2 | 4 | 8, value: number])[], ...more: Uint8Array[]): Uint8Array {
  const head = fields.reduce((sum, [bytes]) => sum + bytes, 0);
  const out = new Uint8Array(more.reduce((sum, one) => sum + one.length, head));
  const view = new DataView(out.buffer);
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else if (bytes === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += bytes;
  }
  for (const one of more) {
    out.set(one, at);
    at += one.length;
  }
  return out;
}

function localHeader(name: Uint8Array): Uint8Array {
  return record(
    [
      [4, LOCAL],
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATED],
      [2, 0],
      [2, DATE],
      // Checksum, compressed size and size are in the descriptor.
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.length],
      [2, 0],
    ],
    name,
  );
}

function descriptor({ crc, compressed, size }: Written): Uint8Array {
  return record([
    [4, DESCRIPTOR],
    [4, crc],
    [4, compressed],
    [4, size],
  ]);
}

function centralRecord({ name, crc, compressed, size, offset }: Written): Uint8Array {
  const far = offset >= FULL_32;
  const extra = far
    ? record([
        [2, 1],
        [2, 8],
        [8, offset],
      ])
    : new Uint8Array(0);
  return record(
    [
      [4, CENTRAL],
      // Made by: this version, on a system with Unix permissions.
      [2, 0x0300 | VERSION],
      [2, far ? VERSION_64 : VERSION],
      [2, FLAGS],
      [2, DEFLATED],
      [2, 0],
      [2, DATE],
      [4, crc],
      [4, compressed],
      [4, size],
      [2, name.length],
      [2, extra.length],
      // Comment, disk, internal attributes; a regular file that everyone may read.
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0o100644 * 2 ** 16],
      [4, far ? FULL_32 : offset],
    ],
    name,
    extra,
  );
}

/** The end of an archive whose directory has `files` files, begins at `start`, and is `length` bytes long. */
function endOf(files: number, start: number, length: number): Uint8Array {
  const far = files >= FULL_16 || start >= FULL_32 || length >= FULL_32;
  const end = record([
    [4, END],
    [2, 0],
    [2, 0],
    [2, Math.min(files, FULL_16)],
    [2, Math.min(files, FULL_16)],
    [4, Math.min(length, FULL_32)],
    [4, Math.min(start, FULL_32)],
    [2, 0],
  ]);
  if (!far) return end;
  const end64 = record([
    [4, END_64],
    // The size of the rest of this record.
    [8, 44],
    [2, 0x0300 | VERSION_64],
    [2, VERSION_64],
    [4, 0],
    [4, 0],
    [8, files],
    [8, files],
    [8, length],
    [8, start],
  ]);
  const locator = record([
    [4, LOCATOR_64],
    [4, 0],
    [8, start + length],
    [4, 1],
  ]);
  return record([], end64, locator, end);
}

/**
 * A text as a file name for any system: letters of any script, digits, spaces and . _ ( ) , -, at most 100 characters,
 * no dot or space at either end. Empty when nothing remains.
 */
export function fileName(text: string): string {
  const kept = text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N} ._(),-]+/gu, '');
  const characters = [...kept.replace(/^[. ]+/, '')].slice(0, 100);
  while (characters.length > 0 && '. '.includes(characters.at(-1) ?? '')) characters.pop();
  const name = characters.join('');
  // Device names on Windows, with or without an extension.
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) ? `_${name}` : name;
}
