import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** Reports progress: `done` of `total` bytes of the file in this phase. */
export type OnProgress = (done: number, total: number, phase: string) => void;

const PIECE = 256 * 1024;

/** The bytes of an open file from its start, in pieces; unpacked when `gzipped`. May be called again for another pass. */
export async function* fileBytes(
  file: FileHandle,
  gzipped: boolean,
  onRead?: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  if (!gzipped) {
    yield* pieces(file, onRead);
    return;
  }
  const gunzip = createGunzip({ chunkSize: PIECE });
  // A fault of the file destroys gunzip and so ends the loop below; the promise only repeats it.
  pipeline(Readable.from(pieces(file, onRead)), gunzip).catch(() => {});
  yield* gunzip;
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
