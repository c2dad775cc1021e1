import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OnProgress } from './bytes.ts';
import type { OsmExtract } from './collect.ts';
import { readPbf } from './pbf-file.ts';

/**
 * Reads a PBF file that is gzipped or bzip2ed. The blobs of a PBF are visited out of order and are compressed already,
 * so it is unpacked to a temporary file, which is removed again. `bytes` is the size of the packed file.
 */
export async function readPackedPbf(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
  onProgress?: OnProgress,
): Promise<OsmExtract> {
  // Packing gains next to nothing on compressed blobs: far more is an attempt to fill the disk.
  const limit = 64 * 1024 * 1024 + 20 * bytes;
  const folder = await mkdtemp(join(tmpdir(), 'boundary-pbf-'));
  try {
    const file = await open(join(folder, 'unpacked.osm.pbf'), 'wx+', 0o600);
    try {
      let size = 0;
      for await (const piece of pieces) {
        if (size + piece.length > limit) throw new Error(`the file unpacks to more than ${limit} bytes`);
        await file.writeFile(piece);
        size += piece.length;
      }
      const extract = await readPbf(file, size, onProgress);
      extract.read.bytes = bytes;
      return extract;
    } finally {
      await file.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
