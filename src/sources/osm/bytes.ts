import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import unbzip2Stream from 'unbzip2-stream';

/** Reports progress: `done` of `total` bytes of the file in this phase. */
export type OnProgress = (done: number, total: number, phase: string) => void;

const PIECE = 256 * 1024;

/** How a file is compressed; null if it is not. */
export type Packing = 'gzip' | 'bzip2' | null;

/** The packing of a file, by its first bytes. */
export function packingOf(start: Uint8Array): Packing {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
  // "BZh"; the size of a block, 1 … 9, follows.
  if (start[0] === 0x42 && start[1] === 0x5a && start[2] === 0x68) return 'bzip2';
  return null;
}

/**
 * Yields the bytes of a file in pieces, unpacked if it is gzipped or bzip2ed (detected by content; files of several
 * streams, as pbzip2 writes them, are supported). Memory is bounded. The file is closed when the loop over the pieces
 * ends for any reason.
 * @throws Error when the file cannot be read or unpacked
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

/** Yields the bytes of an open file from its start, in pieces, unpacked. Call it again for another pass. */
export async function* fileBytes(
  file: FileHandle,
  packing: Packing,
  onRead?: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  if (packing === 'bzip2') yield* unbzip2(pieces(file, onRead));
  else if (packing === 'gzip') {
    const gunzip = createGunzip({ chunkSize: PIECE });
    // An error of the file destroys gunzip, which throws it in the loop below; the promise only repeats it.
    pipeline(Readable.from(pieces(file, onRead)), gunzip).catch(() => {});
    yield* gunzip;
  } else yield* pieces(file, onRead);
}

/** The most bytes that one piece may unpack to. Maps reach a fifth of it; a decompression bomb exceeds any bound. */
const BURST = 64 * 2 ** 20;

/** Unpacks bzip2. The package's stream emits data synchronously in `write`, so `ready` is the output of one piece. */
async function* unbzip2(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = unbzip2Stream();
  let ready: Buffer[] = [];
  let size = 0;
  let fault: unknown = null;
  stream.on('data', (bytes: Buffer) => {
    ready.push(bytes);
    size += bytes.length;
    // The package catches this, stops and emits it as its error.
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

/** Reads exactly `size` bytes at `position` of a file. @throws Error if the file is too short */
export async function readExactly(file: FileHandle, position: number, size: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(size);
  for (let done = 0; done < size; ) {
    const { bytesRead } = await file.read(buffer, done, size - done, position + done);
    if (bytesRead === 0) throw new Error('the file ends within a blob: it is truncated');
    done += bytesRead;
  }
  return buffer;
}

/** A streaming UTF-8 decoder. It throws on malformed bytes and, in `end`, on an incomplete character. */
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
