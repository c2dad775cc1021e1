import type { Gathered } from './gathered.ts';
import { type PbfReading, readPbf } from './pbf_file.ts';
import { temporaryFile } from './temporary.ts';

/**
 * Reads a PBF file that is gzipped or bzip2ed, by unpacking it to a temporary file, because the blobs of a PBF file are
 * read out of order. `bytes` is the size of the packed file.
 * @throws Error if it unpacks to more than 64 MiB + 20 * `bytes`
 */
export async function readPackedPbf(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
  reading: PbfReading,
): Promise<Gathered> {
  // Blobs are compressed already, so packing hardly shrinks them: a larger result is an attempt to fill the disk.
  const limit = 64 * 1024 * 1024 + 20 * bytes;
  const file = await temporaryFile();
  try {
    let size = 0;
    for await (const piece of pieces) {
      if (size + piece.length > limit) throw new Error(`the file unpacks to more than ${limit} bytes`);
      await file.writeFile(piece);
      size += piece.length;
    }
    const gathered = await readPbf(file, size, reading);
    gathered.read.bytes = bytes;
    return gathered;
  } finally {
    await file.close();
  }
}
