import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { cleanCoverage, type RepairReason } from '../../../workers/arcs/clean.ts';
import { SLIVER_METERS, SLIVER_SHARE } from '../../../workers/arcs/slivers.ts';
import type { PlacingRecord } from '../../../workers/projections/notices.ts';
import { codeIdsOf } from '../../common/code_ids.ts';
import { countryCodeOf } from '../countries.ts';
import type { SourceBoundary } from '../types.ts';
import type { Cleaner } from './cleaner.ts';
import { listed } from './codes.ts';
import { feed, readingError } from './feed.ts';
import { pathsBeside } from './files.ts';
import { type Area, Levels } from './levels.ts';
import type { ReadOptions } from './options.ts';
import { checkMap } from './properties.ts';
import { Reader } from './reader.ts';

export interface CoverageProgress {
  readonly phase: 'read' | 'clean';
  /** Bytes read of `total` while reading; 0 of the number of features while cleaning. */
  readonly done: number;
  readonly total: number;
}

export interface Coverage {
  readonly boundaries: SourceBoundary[];
  /** Features left out, by id, and why. */
  readonly skipped: { readonly id: string; readonly reason: string }[];
  /** Messages about values of the file that were left out or look wrong. */
  readonly notices: readonly string[];
  readonly placing: PlacingRecord;
  /** Boundaries whose rings were changed so that neighbors match, largest change of area first. */
  readonly repaired: readonly Repaired[];
  /** Pairs of boundaries of one level that overlap by more than a sliver, largest first. Both keep the overlap. */
  readonly overlaps: readonly Overlap[];
}

/** What cleaning did to a boundary. */
export interface Repaired {
  /** Its id within the source. */
  readonly id: string;
  readonly reason: string;
  readonly km2Before: number;
  readonly km2After: number;
}

/** Two boundaries that overlap, by their ids within the source, and the area of the overlap. */
export interface Overlap {
  readonly a: string;
  readonly b: string;
  readonly km2: number;
}

const REASONS: Readonly<Record<RepairReason, string>> = {
  vertices: 'vertices were added to its border where another border meets it',
  rings: 'its border crossed, touched or repeated itself',
  overlap: 'slivers of overlap were given to neighbors',
  gap: 'gaps of at most 2 cm were added to it',
};

/**
 * Reads a coverage file: areas that share their borders, of one level or (with `admin_level` mapped) of several. The
 * file is in any format that is read (workers/formats), gzipped or not, in longitude and latitude on WGS 84
 * or in the reference system that it or `crs` names. GeoJSON is read piece by piece; other files are in memory, their features one at a time.
 *
 * The coverage is cleaned as a whole (workers/arcs/clean.ts): afterwards neighbors match exactly, and areas of one
 * level overlap only as `overlaps` lists. The id of a feature is the mapped property, else its `id`, else its property
 * `id`. Ids are required, so that the file can be imported again. Rows with the same id are parts of one area and are
 * merged if their mapped columns agree (rows.ts); if not, the file is refused.
 *
 * Skipped with a reason: features without a geometry or name, whose geometry is not an area or not closed, or of which
 * cleaning leaves nothing.
 *
 * @param most the most areas that are read, for a look at a file; default: all
 * @returns boundaries in file order, before them those of coarser `levels`; `version` is a hash of the file's bytes, so the same file has the same version
 * @throws Error that says what is wrong with the file, the map or the options
 */
export async function readCoverage(
  path: string,
  options: ReadOptions,
  onProgress?: (progress: CoverageProgress) => void,
  clean: Cleaner = cleanCoverage,
  most?: number,
): Promise<Coverage> {
  const map = options.map ?? {};
  checkMap(map);
  const type = options.type ?? 'administrative';
  const country = options.country === undefined ? null : countryCodeOf(options.country);
  if (options.country !== undefined && country === null) {
    throw new Error(`"${options.country}" is not an ISO 3166-1 code such as AT or AUT`);
  }
  const levels = options.levels === undefined ? null : new Levels(options.levels);
  if (type === 'administrative' && options.adminLevel === undefined && map.admin_level === undefined && !levels) {
    throw new Error('an admin_level is needed: --admin-level 8, or --map admin_level=PROPERTY');
  }
  const { values = {}, where = {} } = options;
  const defaults = { type, adminLevel: options.adminLevel ?? null, country, values, where };
  const fileName = basename(path).replace(/(\.[a-z]+)?(\.gz)?$/i, '');
  // Of a file with several levels all is read: the coarser areas are whole only then.
  const few = most === undefined || levels ? {} : { most };
  const { bbox, crs, lone } = options;
  const reader = new Reader(map, defaults, { fileName, crs, levels, bbox, lone, ...few });
  const onRead = (done: number, total: number) => onProgress?.({ phase: 'read', done, total });
  const { encoding, geometry, layer = options.object } = options;
  const given = {
    ...(encoding && { encoding }),
    ...(geometry && { geometry }),
    ...(layer && { layer }),
    rowNumbers: Object.values(map).includes('fid'),
  };
  try {
    await feed(path, reader.frames, given, onRead);
    reader.finish();
    if (options.strict) reader.frames.placing.requireTrue();
    if (country !== null) reader.checkPlace(country);
  } catch (error) {
    throw await readingError(error, path, { ...given, crs: options.crs });
  }

  const { raw, skipped } = reader;
  onProgress?.({ phase: 'clean', done: 0, total: raw.length });
  const layered = raw.map(({ shape, description }) => ({ ...shape, layer: description.adminLevel ?? 0 }));
  const { features, repairs, overlaps: pairs } = await clean(layered);
  const overlaps = pairs.map(({ a, b, km2 }) => ({ a: raw[a]!.sourceId, b: raw[b]!.sourceId, km2 }));
  if (options.strict && overlaps.length > 0) throw new Error(`${path}: ${overlapping(overlaps)}`);
  const version = await editionOf(path);
  const rows = raw.map(({ sourceId, description }, i): Area => ({ sourceId, description, rings: features[i]!.rings }));
  for (const { sourceId, rings } of rows) {
    if (rings.length === 0) skipped.push({ id: sourceId, reason: 'it has no area on the grid of 1e-7 degrees' });
  }
  const areas = levels ? await levels.dissolved(rows, clean) : rows;
  const boundaries = areas
    .filter(({ rings }) => rings.length > 0)
    .map(({ sourceId, description, rings }): SourceBoundary => {
      const own = [sourceId, description.codes[0] ?? sourceId].flatMap((code) => codeIdsOf(options.source, code));
      const codeIds = [...new Set([...(description.codeIds ?? []), ...own])];
      return { id: null, sourceId, version, type, ...description, codeIds, subareas: [], border: { rings } };
    });
  const repaired = repairs
    .filter(({ feature }) => features[feature]!.rings.length > 0)
    .map(({ feature, reasons, km2Before, km2After }) => ({
      id: raw[feature]!.sourceId,
      reason: reasons.map((one) => REASONS[one]).join('; '),
      km2Before,
      km2After,
    }))
    .sort((p, q) => changeOf(q) - changeOf(p));
  return {
    boundaries,
    skipped,
    notices: reader.notices(),
    placing: reader.frames.placing.record(),
    repaired,
    overlaps,
  };
}

const changeOf = ({ km2Before, km2After }: Repaired) => Math.abs(km2After - km2Before);

/** The message for overlaps in strict mode. */
function overlapping(overlaps: readonly Overlap[]): string {
  const pairs = overlaps.map(({ a, b, km2 }) => `${a} and ${b} by ${Number(km2.toPrecision(6))} km2`);
  return (
    `${overlaps.length} pairs of one level overlap by more than ${SLIVER_METERS} m on average or ` +
    `${100 * SLIVER_SHARE} % of an area: ${listed(pairs)}`
  );
}

/** The edition of a file: `sha256:` and the first 64 bits of the SHA-256 of its bytes. */
async function editionOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const files = [path, ...pathsBeside(path).map(([, file]) => file)];
  for (const file of files) for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return `sha256:${hash.digest('hex').slice(0, 16)}`;
}
