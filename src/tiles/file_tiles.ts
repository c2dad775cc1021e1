import { DRAWN_FORMATS, type DrawnFormat } from '../../workers/formats/registry.ts';
import { invalidInput, problem } from '../core/errors.ts';
import type { FileEntry } from '../domain/library/model.ts';
import type { Tile } from '../geometry/cached.ts';
import type { Services } from '../services.ts';
import { MAX_ZOOM, type TilePlace, tileOf } from './boundary_tiles.ts';

/** The largest file that is drawn. It is read into memory first, and takes ten times its size while it is read. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The format of a file if tiles can be drawn from it. @throws invalid_input for other formats; too_large */
export function drawnFormat({ format, bytes }: Pick<FileEntry, 'format' | 'bytes'>): DrawnFormat {
  const drawn = DRAWN_FORMATS.find((one) => one === format);
  if (drawn === undefined) {
    const message = `must be a file of ${DRAWN_FORMATS.join(', ')} or pmtiles; this one is ${format}`;
    throw invalidInput([{ path: 'id', code: 'invalid_value', message }]);
  }
  if (bytes > MOST_BYTES) {
    throw problem(
      'too_large',
      `The file has ${bytes} bytes; tiles are drawn for files up to ${MOST_BYTES} bytes. Save it at a lower detail.`,
    );
  }
  return drawn;
}

/**
 * A tile of a file of the library. The caller must have checked that the user may read the file: the cache is keyed by
 * content, not by owner.
 * @throws as drawnFormat() does; invalid_input for a file that cannot be read; rate_limited when the queue is full
 */
export async function fileTile(
  { cache, engine, files }: Pick<Services, 'cache' | 'engine' | 'files'>,
  entry: FileEntry,
  place: TilePlace,
  signal?: AbortSignal,
): Promise<Tile> {
  const format = drawnFormat(entry);
  const { pool } = engine;
  const { z, x, y } = place;
  return cache.getOrMake(
    'tiles',
    `file ${entry.sha256} ${format} ${z}/${x}/${y}`,
    async (stop) => {
      const { source } = await cache.getOrMake(
        'sources',
        `${entry.sha256} ${format}`,
        async (readSignal) => {
          pool.admit();
          const read = await pool.run('readSource', { bytes: await files.content(entry), format }, readSignal);
          if (read.kind === 'source') return read;
          throw invalidInput([{ path: 'id', code: 'unreadable', message: `the file cannot be read: ${read.reason}` }]);
        },
        stop,
      );
      const { bytes } = await pool.run('fileTile', { source, place, maxZoom: MAX_ZOOM }, stop);
      return tileOf(bytes);
    },
    signal,
  );
}
