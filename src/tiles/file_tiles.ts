import { DRAWN_FORMATS, type DrawnFormat } from '../../workers/formats/registry.ts';
import { invalidInput, problem } from '../core/errors.ts';
import { DataMoved, type Snapshot } from '../domain/boundaries/reads.ts';
import { seaAround } from '../domain/boundaries/sea.ts';
import type { FileEntry } from '../domain/library/file_entry.ts';
import { ArcsMoved } from '../geometry/arc_leases.ts';
import type { Tile } from '../geometry/cached.ts';
import { seaOutlines } from '../geometry/sea_outlines.ts';
import type { Services } from '../services.ts';
import { MAX_ZOOM, type TilePlace, tileOf } from './boundary_tiles.ts';

type Needed = Pick<Services, 'boundaries' | 'cache' | 'engine' | 'files'>;

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
  services: Needed,
  entry: FileEntry,
  place: TilePlace,
  signal?: AbortSignal,
): Promise<Tile> {
  drawnFormat(entry);
  const { boundaries, cache, engine } = services;
  const { z, x, y } = place;
  return boundaries.withSnapshot((reading) =>
    cache.getOrMake(
      'tiles',
      `file ${entry.sha256} ${entry.format} ${reading.revision} ${z}/${x}/${y}`,
      async (stop) => {
        const { source } = await markedSource(services, reading, entry, stop);
        const { bytes } = await engine.pool.run('fileTile', { source, place, maxZoom: MAX_ZOOM }, stop);
        return tileOf(bytes);
      },
      signal,
    ),
  );
}

/** The areas of a file; its lines are marked where those of the same boundaries of today are at sea. */
async function markedSource(services: Needed, reading: Snapshot, entry: FileEntry, signal: AbortSignal) {
  const { cache, engine } = services;
  return cache.getOrMake(
    'sources',
    `${entry.sha256} ${entry.format} ${reading.revision}`,
    async (stop) => {
      const { source, known = [], size } = await readSource(services, entry, stop);
      const shapes = await shapesOf(reading, known);
      const { boundaries, maritime } = await seaAround(reading, [...shapes.values()]);
      const outlines = await seaOutlines(engine, boundaries, maritime, stop).catch((error) => {
        throw error instanceof ArcsMoved ? new DataMoved() : error;
      });
      if (outlines.every((one) => one === null)) return { source, size };
      return engine.pool.run('markSource', { source, places: [...shapes.keys()], outlines }, stop);
    },
    signal,
  );
}

/** The shapes of the boundaries that features of a file have the ids of, by their places in it. */
async function shapesOf(reading: Snapshot, known: readonly (readonly [place: number, id: string])[]) {
  const found = new Map((await reading.byIds(known.map(([, id]) => id))).map((one) => [one.id, one]));
  const shapes = new Map<number, Parameters<typeof seaAround>[1][number]>();
  for (const [place, id] of known) {
    const one = found.get(id);
    const { ring_hash: ringHash = null, west, south, east, north } = one ?? {};
    if (ringHash === null) continue;
    shapes.set(place, { id, ringHash, box: [west ?? 0, south ?? 0, east ?? 0, north ?? 0] });
  }
  return shapes;
}

/** The areas of a file, read once. @throws invalid_input for a file that cannot be read */
async function readSource({ cache, engine, files }: Needed, entry: FileEntry, signal: AbortSignal) {
  const format = drawnFormat(entry);
  const { pool } = engine;
  return cache.getOrMake(
    'sources',
    `${entry.sha256} ${format}`,
    async (stop) => {
      pool.admit();
      const read = await pool.run('readSource', { bytes: await files.content(entry), format }, stop);
      if (read.kind === 'source') return read;
      throw invalidInput([{ path: 'id', code: 'unreadable', message: `the file cannot be read: ${read.reason}` }]);
    },
    signal,
  );
}
