import { basename } from 'node:path';
import type { Database } from '../db/connect.ts';
import type { Engine } from '../geometry/engine.ts';
import { checkFile } from './check_file.ts';
import type { Cleaner } from './coverage/cleaner.ts';
import type { CoverageOptions } from './coverage/options.ts';
import { type Overlap, type Repaired, readCoverage } from './coverage/read.ts';
import { coverageInput } from './coverage_input.ts';
import { type EditionSummary, storeEdition } from './editions.ts';
import { readInlandWater, type WaterOfFile, wholeOf } from './inland_water.ts';
import { type LandOptions, readLand } from './land_file.ts';
import { decodeInPool } from './osm/decode.ts';
import type { PartSize } from './osm/parts.ts';
import { openOsmFile } from './osm/read.ts';
import { OSM_SOURCE } from './osm/source.ts';
import { toSourceBoundaries } from './osm/tags.ts';
import { SEED_SETS, type SeedSet, seedBoundaries } from './seed/all.ts';
import { type Parts, storeBoundaries, storeParts, type Whole } from './store/boundaries.ts';
import type { WaterStored } from './store/inland.ts';
import type { WholeBoundary } from './store/inland_model.ts';
import { boxText, coveredBox, extentOfLand, type LandExtent } from './store/land_extent.ts';
import { MOST_LISTED, type StoreInput, type StoreSummary } from './store/source_rows.ts';
import { type PolygonSet, storeOsmWater, storePolygons } from './store/stored_land.ts';
import { requireUse } from './stored.ts';

export interface ImportSummary extends StoreSummary, Partial<Omit<EditionSummary, keyof StoreSummary>> {
  readonly file: string;
  /** Objects of the file that turned out not to be boundaries, with the reason. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  /** Messages about parts of a coverage that were left out or look wrong. */
  readonly notices: readonly string[];
  /** How many shapes of a coverage had to be cleaned. */
  readonly repairs: number;
  /** What was cleaned, largest change first; empty for seed data. */
  readonly repaired: readonly Repaired[];
  /** Overlaps between boundaries of one level in a coverage, where both keep the area; largest first. */
  readonly overlaps: readonly Overlap[];
  readonly seconds: number;
  /** Peak resident memory of this process during the import, in bytes. */
  readonly peakRss: number;
}

type Progress = (message: string) => void;
type Deps = { readonly db: Database; readonly engine: Engine };

/**
 * Imports one file: .osm.pbf, .osm, Overpass JSON or XML, each also gzipped or bzip2ed, or (with `coverage`) a coverage
 * in any format that is read. It is idempotent: importing the same file again resumes an import that was killed.
 * `accept` lists ids of boundaries whose area may shrink below half or grow above double; `partSize` overrides the
 * default bound on memory. With `validFrom`, a date, the file is stored as an edition (editions.ts). With `waterKm2`, lakes
 * and rivers of at least that size are read from a file of OpenStreetMap, too.
 * @throws Error when the file cannot be read in its format; nothing is stored then
 */
export async function importFile(
  deps: Deps,
  path: string,
  coverage: CoverageOptions | null,
  progress: Progress = () => {},
  accept: readonly string[] = [],
  partSize?: PartSize,
  validFrom: string | null = null,
  waterKm2: number | null = null,
): Promise<ImportSummary> {
  const started = performance.now();
  const file = basename(path);
  const accepted = new Set(accept);
  await checkFile(path, file, coverage !== null);
  const memory = watchMemory();
  try {
    return await importKnown(deps, path, {
      ...{ coverage, progress, accepted, partSize, validFrom, waterKm2, file, started, memory },
    });
  } finally {
    memory.end();
  }
}

interface ImportContext {
  readonly coverage: CoverageOptions | null;
  readonly progress: Progress;
  readonly accepted: ReadonlySet<string>;
  readonly partSize: PartSize | undefined;
  readonly validFrom: string | null;
  readonly waterKm2: number | null;
  readonly file: string;
  readonly started: number;
  readonly memory: Memory;
}

async function importKnown(
  deps: Deps,
  path: string,
  { coverage, progress, accepted, partSize, validFrom, waterKm2, file, started, memory }: ImportContext,
): Promise<ImportSummary> {
  const store = (about: Whole, parts: Parts) =>
    validFrom === null
      ? storeParts(deps, about, parts, progress)
      : storeEdition(deps, about, parts, validFrom, progress);
  if (coverage) {
    await requireUse(deps.db, coverage.source, 'boundaries');
    const given = { ...postcodeFile(file), ...coverage };
    const show = reading(progress);
    const read = await readCoverage(path, given, ({ done, total, phase }) => show(done, total, phase), cleanerOf(deps));
    const input = coverageInput(read, coverage, { file, accept: accepted });
    const summary = await store(input, [input]);
    const { skipped, notices, repaired, overlaps } = read;
    return finish(summary, { file, skipped, notices, repaired, overlaps, repairs: repaired.length, started, memory });
  }
  // Read before anything is stored: a file without inland water is refused.
  const water =
    waterKm2 === null
      ? null
      : await readInlandWater(deps.engine, path, waterKm2, { onProgress: reading(progress), size: partSize });
  const whole: WholeBoundary[] = [];
  const decode = decodeInPool(deps.engine.pool);
  const opened = await openOsmFile(path, {
    decode,
    onProgress: reading(progress),
    ...(partSize ? { size: partSize } : {}),
  });
  const skipped: { id: string; reason: string }[] = [];
  async function* parts(): AsyncGenerator<StoreInput> {
    let part = 0;
    for await (const extract of opened.extracts()) {
      if (opened.parts > 1) progress(`part ${++part}/${opened.parts}`);
      const { boundaries, skipped: some } = toSourceBoundaries(extract);
      skipped.push(...some);
      const { relations, ways, nodes } = extract;
      if (water !== null) {
        for (const one of wholeOf(boundaries, extract)) whole.push(one);
        water.seen.noteBorders(ways);
      }
      const coast = (extract.coast ?? []).flatMap(({ id, version, coords }) =>
        coords ? [{ id, version, coords }] : [],
      );
      const cutCoast = (extract.coast ?? []).flatMap(({ id, coords }) => (coords ? [] : [id]));
      const { timestamp, bbox } = opened;
      const about = { source: OSM_SOURCE, file, timestamp, bbox, accept: accepted };
      yield { ...about, boundaries, relations, ways, nodes, coast, cutCoast };
    }
  }
  try {
    const about = { source: OSM_SOURCE, file, timestamp: opened.timestamp };
    const summary = await store(about, parts());
    const notices: string[] = [];
    if (water !== null && waterKm2 !== null) {
      const found = { ...water, leastKm2: waterKm2, whole };
      const stored = await storeOsmWater(deps, OSM_SOURCE.id, found, summary, progress);
      notices.push(...waterNotices(water, waterKm2, stored));
    }
    return finish(summary, { file, skipped, notices, repaired: [], overlaps: [], repairs: 0, started, memory });
  } finally {
    await opened.close();
  }
}

/**
 * Imports a file of polygons, in any format of areas that is read: of land, with which the land of boundaries is worked
 * out for which no coastline of OpenStreetMap decides; or of inland water, which is cut out of the land of those for which
 * no file of OpenStreetMap says it. Importing a set again replaces it.
 * @throws Error when the file cannot be read, or the source is one of boundaries; nothing is stored then
 */
export async function importLand(
  deps: Deps,
  path: string,
  options: LandOptions,
  progress: Progress = () => {},
  what: PolygonSet['what'] = 'land',
): Promise<ImportSummary> {
  const started = performance.now();
  const file = basename(path);
  await checkFile(path, file, true);
  const memory = watchMemory();
  try {
    const { source: id, name = id, url = null, license, attribution } = options;
    await requireUse(deps.db, id, what);
    const lines = await readLand(path, options);
    const { bbox } = options;
    const [west = 0, south = 0, east = 0, north = 0] = (bbox ?? []).map((degrees) => Math.round(degrees * 1e7));
    const extent = bbox ? { box: [west, south, east, north] as const, stated: true } : extentOfLand(lines);
    const source = { id, name, url, license, attribution, resolution: null, seed: false };
    const summary = await storePolygons(deps, { what, source, file, lines, extent }, progress);
    const notice = what === 'land' ? coverageNotice(id, extent) : waterNotice(id, extent);
    const none = { skipped: [], notices: [notice], repaired: [], overlaps: [], repairs: 0 };
    return finish(summary, { file, ...none, started, memory });
  } finally {
    memory.end();
  }
}

/** Says what a set of land polygons covers. */
function coverageNotice(id: string, extent: LandExtent): string {
  const covers = `${id} covers ${boxText(coveredBox(extent))}`;
  const beyond = 'the land of boundaries that reach beyond is not worked out with it';
  return extent.stated
    ? `${covers}, as stated: ${beyond}`
    : `${covers}, the extent of its polygons and 30 nautical miles around: ${beyond} (--bbox states another extent)`;
}

/** Says what was read of inland water, and what of it is not known. */
function waterNotices({ water, smaller }: WaterOfFile, leastKm2: number, { covered, notices }: WaterStored): string[] {
  const broken = water.flatMap(({ id, reason }) => (reason === undefined ? [] : [`inland water ${id}: ${reason}`]));
  const read = `${water.length - broken.length} lakes and rivers of at least ${leastKm2} km2, ${smaller.size} smaller ones`;
  const all = [...notices, ...broken];
  const more = all.length > MOST_LISTED ? [`${all.length - MOST_LISTED} more about inland water`] : [];
  const said = `inland water of ${covered} boundaries that the file has: ${read} left in the land`;
  return [said, ...all.slice(0, MOST_LISTED), ...more];
}

/** Says what a file of inland water covers. */
function waterNotice(id: string, { box, stated }: LandExtent): string {
  const covers = `${id} covers ${boxText(box)}, ${stated ? 'as stated' : 'the extent of its polygons'}`;
  const beyond = 'no inland water is known by it of boundaries that reach beyond';
  return `${covers}: ${beyond}${stated ? '' : ' (--bbox states another extent)'}`;
}

/** Type and country from the name of a Nominatim postcode file (`de_postcodes_geometry.jsonl`); null for any other. */
export function postcodeFile(file: string): { type: 'postal_code'; country: string } | null {
  const [, country] = /^([a-z]{2})_postcodes_geometry\.jsonl(?:\.gz)?$/.exec(file) ?? [];
  return country === undefined ? null : { type: 'postal_code', country: country.toUpperCase() };
}

/** Cleans coverages in the worker pool, because this process may have requests to answer. */
const cleanerOf =
  ({ engine }: Deps): Cleaner =>
  (features, slivers) =>
    engine.pool.runPatiently('clean', { features, slivers });

/** Imports the seed data: the world's countries and the subdivisions of two, from installed npm packages. */
export async function importSeed(
  deps: Deps,
  progress: Progress = () => {},
  sets: readonly SeedSet[] = SEED_SETS,
): Promise<ImportSummary[]> {
  const summaries: ImportSummary[] = [];
  let started = performance.now();
  const memory = watchMemory();
  try {
    for (const { source, boundaries, repairs } of await seedBoundaries(
      (step) => progress(`${step.source} ${step.done}/${step.total}`),
      cleanerOf(deps),
      sets,
    )) {
      const summary = await storeBoundaries(
        deps,
        { source: { ...source, seed: true }, file: source.id, boundaries },
        (message) => progress(`${source.name}: ${message}`),
      );
      const none = { skipped: [], notices: [], repaired: [], overlaps: [] };
      summaries.push(finish(summary, { file: source.id, ...none, repairs, started, memory }));
      started = performance.now();
    }
    return summaries;
  } finally {
    memory.end();
  }
}

/** Peak resident memory of this process since the watch began, in bytes. */
interface Memory {
  peak(): number;
  end(): void;
}

/** Interval between samples of resident memory, in milliseconds. */
const MEMORY_EVERY = 200;

function watchMemory(): Memory {
  // maxRSS is the peak since the process began, in kilobytes on Linux and macOS alike (Node converts).
  const before = process.resourceUsage().maxRSS * 1024;
  let seen = process.memoryUsage.rss();
  const look = () => {
    seen = Math.max(seen, process.memoryUsage.rss());
  };
  const timer = setInterval(look, MEMORY_EVERY).unref();
  return {
    peak() {
      look();
      const now = process.resourceUsage().maxRSS * 1024;
      return now > before ? now : seen;
    },
    end: () => clearInterval(timer),
  };
}

function reading(progress: Progress) {
  let shown = 0;
  return (done: number, total: number, phase: string) => {
    const now = Date.now();
    if (now - shown < 200 && done < total) return;
    shown = now;
    progress(`${phase} ${total > 0 ? Math.floor((100 * done) / total) : 100} %`);
  };
}

function finish(
  summary: StoreSummary,
  about: Pick<ImportSummary, 'file' | 'skipped' | 'notices' | 'repaired' | 'overlaps' | 'repairs'> & {
    started: number;
    memory: Memory;
  },
): ImportSummary {
  const { started, memory, ...rest } = about;
  return {
    ...summary,
    ...rest,
    seconds: Math.round((performance.now() - started) / 10) / 100,
    peakRss: memory.peak(),
  };
}
