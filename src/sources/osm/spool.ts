import type { Gathered } from './gathered.ts';
import { type PbfReading, readPbf } from './pbf-file.ts';
import { temporaryFile } from './temporary.ts';

/**
 * Reads a PBF file that is gzipped or bzip2ed. The blobs of a PBF are visited out of order and are compressed already,
 * so it is unpacked to a temporary file, which is removed again. `bytes` is the size of the packed file.
 */
export async function readPackedPbf(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
  reading: PbfReading,
): Promise<Gathered> {
  // Packing gains next to nothing on compressed blobs: far more is an attempt to fill the disk.
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
