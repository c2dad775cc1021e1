import type { Logger } from 'pino';
import { boundedBlobs, cacheBlobs, permanentBlobs } from '../adapters/blobs.ts';
import { openStorage } from '../adapters/open_storage.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/connect.ts';
import { createFileBlobs } from '../domain/library/blobs.ts';
import { createFiles } from '../domain/library/files.ts';
import type { Cache } from '../geometry/cached.ts';

/** Disk quota of tiles, as a share of EXPORT_BYTES and in addition to it. */
const TILES_SHARE = 0.1;

/** Opens what holds bytes: exports, files of the library, tiles and the files of jobs. `cache` keeps some in memory. */
export async function openStores(
  config: Config,
  { db, log, cache }: { readonly db: Database; readonly log: Logger; readonly cache: Cache },
) {
  const [exports, library, tiles, jobStorage] = await Promise.all([
    openStorage(config.STORAGE_URL ?? null, config.DATA_DIR, 'exports'),
    openStorage(config.STORAGE_URL ?? null, config.DATA_DIR, 'library'),
    // Tiles stay on the local disk: fetching one from a bucket takes longer than drawing it again.
    openStorage(null, config.DATA_DIR, 'tiles'),
    openStorage(config.STORAGE_URL ?? null, config.DATA_DIR, 'jobs'),
  ]);
  const fileBlobs = createFileBlobs(db, library, cacheBlobs(permanentBlobs(library), cache, 'library'));
  const notRemoved = (err: unknown): void => log.warn({ err }, 'unreferenced content was not removed');
  return {
    blobs: cacheBlobs(boundedBlobs(exports, config.EXPORT_BYTES), cache, 'exports'),
    tileBlobs: boundedBlobs(tiles, config.EXPORT_BYTES * TILES_SHARE),
    files: createFiles(db, fileBlobs, notRemoved),
    fileBlobs,
    jobStorage,
  };
}
