import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { latitudeOf, longitudeOf } from '../../workers/arcs/mercator.ts';
import { type Entry, frontOf, tileId } from '../../workers/formats/tile/pmtiles.ts';
import { defined, four } from '../common/elements.ts';
import { problem } from '../core/errors.ts';
import { PART_NAMES, type Part } from '../domain/boundaries/land.ts';
import { DataMoved } from '../domain/boundaries/reads.ts';
import { findTileBoundaries } from '../domain/boundaries/tiles.ts';
import type { Services } from '../services.ts';
import { boundaryTile, type TilePlace, tileBox } from './boundary_tiles.ts';

type TileServices = Pick<Services, 'boundaries' | 'cache' | 'db' | 'engine' | 'log' | 'tileBlobs'>;

/** The content of an archive. */
export interface ArchiveOptions {
  /** The last zoom, 0 to 14. */
  readonly maxZoom: number;
  /** West, south, east, north in degrees: only tiles that meet this box; null for the world. */
  readonly bbox: readonly [number, number, number, number] | null;
  /** Languages for names, best first; BCP 47. */
  readonly prefer: readonly string[];
  readonly part: Part;
  /** Metadata of the archive: name, attribution, vector_layers, as in TileJSON. */
  readonly metadata: object;
}

/** The number of tiles in an archive and its size in bytes. */
export interface Archive {
  readonly tiles: number;
  readonly bytes: number;
}

/** The most tiles of an archive; more would need too much memory for their entries, and days. */
const MOST_TILES = 4_000_000;
/** Tiles drawn concurrently: some wait for the database while others are drawn. */
const AT_ONCE = 8;
const WHOLE_WORLD = [-180, -85.0511, 180, 85.0511] as const;
/** Every admin_level, and boundaries without one. */
const ALL_LEVELS = 13;

const zipped = promisify(gzip);

/**
 * Writes the vector tiles of all boundaries to a PMTiles archive. The file is replaced atomically when the archive is
 * complete. Equal tiles are stored once; empty tiles are left out.
 * @throws rate_limited when the boundaries change meanwhile, not_found if the area has no boundary, invalid_input for
 *   more than four million tiles
 */
export async function writeArchive(
  services: TileServices,
  file: string,
  options: ArchiveOptions,
  progress: (message: string) => void,
): Promise<Archive> {
  const part = `${file}.part`;
  const data = await open(part, 'w');
  try {
    const { entries, ...counts } = await drawAll(services, data, options, progress);
    if (entries.length === 0) {
      const what = options.part === 'all' ? 'no boundary' : `no boundary whose ${PART_NAMES[options.part]} is known`;
      throw problem('not_found', `There is ${what} in that area.`);
    }
    const { maxZoom, bbox, metadata } = options;
    const front = frontOf(entries, { metadata, maxZoom, bounds: bbox ?? WHOLE_WORLD, ...counts });
    const whole = `${file}.whole`;
    try {
      const out = createWriteStream(whole);
      out.write(front);
      await pipeline(createReadStream(part), out);
      await rename(whole, file);
    } catch (error) {
      await rm(whole, { force: true });
      throw error;
    }
    return { tiles: counts.addressed, bytes: front.length + counts.tileBytes };
  } finally {
    await data.close();
    await rm(part, { force: true });
  }
}

interface Drawn {
  readonly entries: Entry[];
  readonly addressed: number;
  readonly contents: number;
  readonly tileBytes: number;
}

async function drawAll(
  services: TileServices,
  data: FileHandle,
  { maxZoom, bbox, prefer, part }: ArchiveOptions,
  progress: (message: string) => void,
): Promise<Drawn> {
  const entries: Entry[] = [];
  const kept = new Map<string, { readonly offset: number; readonly length: number }>();
  let [addressed, tileBytes] = [0, 0];
  const state = await revisionOf(services);

  async function put(place: TilePlace, bytes: Uint8Array): Promise<void> {
    const name = createHash('sha256').update(bytes).digest('base64');
    let at = kept.get(name);
    if (at === undefined) {
      const packed = await zipped(bytes);
      await data.appendFile(packed);
      at = { offset: tileBytes, length: packed.length };
      tileBytes += packed.length;
      kept.set(name, at);
    }
    addressed++;
    const id = tileId(place.z, place.x, place.y);
    const last = entries.at(-1);
    if (last !== undefined && last.offset === at.offset && last.id + last.run === id) last.run++;
    else entries.push({ id, run: 1, ...at });
  }

  /** The bytes of a tile, and whether later zooms may have boundaries in it. */
  async function draw(place: TilePlace): Promise<{ bytes: Uint8Array; goesOn: boolean }> {
    const { bytes } = await boundaryTile(services, place, { prefer, part });
    if (bytes.length > 0 || place.z === maxZoom) return { bytes, goesOn: true };
    const box = tileBox(place);
    const found = await findTileBoundaries(services.db, state, { box, deepest: ALL_LEVELS, prefer: [] }).catch(moved);
    return { bytes, goesOn: found.length > 0 };
  }

  let level: TilePlace[] = [{ z: 0, x: 0, y: 0 }];
  for (let z = 0; z <= maxZoom; z++) {
    const next: TilePlace[] = [];
    for (let from = 0; from < level.length; from += AT_ONCE) {
      const some = level.slice(from, from + AT_ONCE);
      const drawn = await Promise.all(some.map(draw));
      for (const [i, { bytes, goesOn }] of drawn.entries()) {
        if (bytes.length > 0) await put(defined(some[i]), bytes);
        if (goesOn && z < maxZoom) next.push(...childrenOf(defined(some[i])).filter((child) => meets(child, bbox)));
      }
      progress(`zoom ${z}: ${Math.min(from + AT_ONCE, level.length)} of ${level.length} tiles`);
    }
    if (addressed + next.length > MOST_TILES) {
      const message = `An archive can have ${MOST_TILES} tiles. End with zoom ${z}, or choose a smaller area.`;
      throw problem('invalid_input', message);
    }
    level = next.sort((a, b) => tileId(a.z, a.x, a.y) - tileId(b.z, b.x, b.y));
  }
  if ((await revisionOf(services)) !== state) moved(new DataMoved());
  return { entries, addressed, contents: kept.size, tileBytes };
}

/** Rethrows an error; DataMoved as rate_limited, with an explanation. */
function moved(error: unknown): never {
  if (!(error instanceof DataMoved)) throw error;
  throw problem('rate_limited', 'The boundaries changed while their tiles were drawn. Try again.', {
    retry_after: 1,
  });
}

const revisionOf = ({ boundaries }: TileServices): Promise<number> =>
  boundaries.withSnapshot(async ({ revision }) => revision);

function childrenOf({ z, x, y }: TilePlace): TilePlace[] {
  return [0, 1].flatMap((low) => [0, 1].map((right) => ({ z: z + 1, x: 2 * x + right, y: 2 * y + low })));
}

/** Whether a tile, without its buffer, meets a box that does not cross the antimeridian. */
function meets({ z, x, y }: TilePlace, bbox: ArchiveOptions['bbox']): boolean {
  if (bbox === null) return true;
  const [west, south, east, north] = four(bbox.map((degrees) => degrees * 1e7));
  const world = 2 ** z;
  return (
    longitudeOf(x, world) <= east &&
    longitudeOf(x + 1, world) >= west &&
    latitudeOf(y + 1, world) <= north &&
    latitudeOf(y, world) >= south
  );
}
