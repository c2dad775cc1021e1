import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import unbzip2Stream from 'unbzip2-stream';

/** Reports progress: `done` of `total` bytes of the file in this phase. */
export type OnProgress = (done: number, total: number, phase: string) => void;

const PIECE = 256 * 1024;

/** What a file is packed with, told by its first bytes. */
export type Packing = 'gzip' | 'bzip2' | null;

/** The packing of a file that starts like this. */
export function packingOf(start: Uint8Array): Packing {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
  // "BZh" and the size of a block, 1 … 9.
  if (start[0] === 0x42 && start[1] === 0x5a && start[2] === 0x68) return 'bzip2';
  return null;
}

/**
 * The bytes of a file by its path, in pieces, unpacked when it is gzipped or bzip2ed (the content decides, not the
 * name; files of several streams, as pbzip2 writes them, too). Memory is bounded. Throws when the file cannot be read
 * or does not unpack; the file is closed when the loop over the pieces ends, however it ends.
 */
export async function* unpackedBytes(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    yield* fileBytes(file, packingOf(buffer));
  } finally {
    await file.close();
  }
}

/** The bytes of an open file from its start, in pieces, unpacked. May be called again for another pass. */
export async function* fileBytes(
  file: FileHandle,
  packing: Packing,
  onRead?: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  if (packing === 'bzip2') yield* unbzip2(pieces(file, onRead));
  else if (packing === 'gzip') {
    const gunzip = createGunzip({ chunkSize: PIECE });
    // A fault of the file destroys gunzip and so ends the loop below; the promise only repeats it.
    pipeline(Readable.from(pieces(file, onRead)), gunzip).catch(() => {});
    yield* gunzip;
  } else yield* pieces(file, onRead);
}

/** The most that one piece may unpack to: maps come to a fifth of it, a bomb goes beyond any bound. */
const BURST = 64 * 2 ** 20;

/** Unpacks bzip2. The package's stream answers while it is written to, so what is waiting is what one piece gave. */
async function* unbzip2(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = unbzip2Stream();
  let ready: Buffer[] = [];
  let size = 0;
  let fault: unknown = null;
  stream.on('data', (bytes: Buffer) => {
    ready.push(bytes);
    size += bytes.length;
    // Thrown into the package, which stops at it and hands it back as its error.
    if (size > BURST) throw new Error(`a piece of it unpacks to more than ${BURST} bytes`);
  });
  stream.on('error', (error) => {
    fault ??= error;
  });
  function taken(): Buffer[] {
    if (fault) throw new Error('the bzip2 data is damaged or ends early', { cause: fault });
    const given = ready;
    ready = [];
    size = 0;
    return given;
  }
  for await (const piece of packed) {
    stream.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    yield* taken();
  }
  stream.end();
  yield* taken();
}

async function* pieces(file: FileHandle, onRead?: (done: number) => void): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE), 0, PIECE, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    onRead?.(at);
    yield buffer.subarray(0, bytesRead);
  }
}

/** Exactly `size` bytes from `position` of the file; throws when it ends before. */
export async function readExactly(file: FileHandle, position: number, size: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(size);
  for (let done = 0; done < size; ) {
    const { bytesRead } = await file.read(buffer, done, size - done, position + done);
    if (bytesRead === 0) throw new Error('the file ends within a blob: it is truncated');
    done += bytesRead;
  }
  return buffer;
}

/** Decodes UTF-8 that comes in pieces; throws on malformed bytes, and at the `end` on a letter that was cut. */
export function utf8Decoder(): { decode(piece: Uint8Array): string; end(): string } {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (piece: Uint8Array, stream: boolean) => {
    try {
      return decoder.decode(piece, { stream });
    } catch (error) {
      throw new Error('the text is not valid UTF-8', { cause: error });
    }
  };
  return { decode: (piece) => decode(piece, true), end: () => decode(new Uint8Array(0), false) };
}
