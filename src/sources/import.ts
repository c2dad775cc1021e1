import { basename } from 'node:path';
import type { Database } from '../db/connect.ts';
import type { Engine } from '../geometry/engine.ts';
import { checkFile } from './check_file.ts';
import type { Cleaner } from './coverage/cleaner.ts';
import type { CoverageOptions } from './coverage/options.ts';
import { readCoverage } from './coverage/read.ts';
import { coverageInput } from './coverage_input.ts';
import { storeEdition } from './editions.ts';
import {
  finish,
  type ImportSummary,
  type Progress,
  type RunningImport,
  reading,
  watchMemory,
} from './import_summary.ts';
import { readInlandWater, type WaterOfFile, wholeOf } from './inland_water.ts';
import { decodeInPool } from './osm/decode.ts';
import type { PartSize } from './osm/parts.ts';
import { type OsmFile, openOsmFile } from './osm/read.ts';
import { OSM_SOURCE } from './osm/source.ts';
import { toSourceBoundaries } from './osm/tags.ts';
import { SEED_SETS, type SeedSet, seedBoundaries } from './seed/all.ts';
import { type Parts, storeBoundaries, storeParts, type Whole } from './store/boundaries.ts';
import type { WaterStored } from './store/inland.ts';
import type { WholeBoundary } from './store/inland_model.ts';
import type { StoreInput } from './store/source_rows.ts';
import { storeOsmWater } from './store/stored_land.ts';
import { MOST_LISTED } from './store/summary.ts';
import { requireUse } from './stored.ts';

type Deps = { readonly db: Database; readonly engine: Engine };

/** How a file is imported. */
export interface ImportOptions {
  readonly progress?: Progress;
  /** Ids of boundaries whose area may shrink below half or grow above double. */
  readonly accept?: readonly string[];
  /** Overrides the default bounds of memory. */
  readonly partSize?: PartSize | undefined;
  /** A date: the file is stored as an edition (editions.ts). Null or absent: it is of today. */
  readonly validFrom?: string | null | undefined;
  /** Lakes and rivers of at least this size are read from a file of OpenStreetMap, too. Null or absent: none are. */
  readonly waterKm2?: number | null | undefined;
}

/** An import of one file that runs. */
interface FileImport extends RunningImport {
  readonly deps: Deps;
  readonly path: string;
  readonly progress: Progress;
  readonly options: ImportOptions;
  readonly accept: ReadonlySet<string>;
  /** Stores parts as the boundaries of today, or as an edition. */
  readonly store: (about: Whole, parts: Parts) => ReturnType<typeof storeParts>;
}

/**
 * Imports one file: .osm.pbf, .osm, Overpass JSON or XML, each also gzipped or bzip2ed, or (with `coverage`) a coverage
 * in any format that is read. It is idempotent: importing the same file again resumes an import that was killed.
 * @throws Error when the file cannot be read in its format; nothing is stored then
 */
export async function importFile(
  deps: Deps,
  path: string,
  coverage: CoverageOptions | null,
  options: ImportOptions = {},
): Promise<ImportSummary> {
  const started = performance.now();
  const { progress = () => {}, accept = [], validFrom = null } = options;
  const file = basename(path);
  await checkFile(path, file, coverage !== null);
  const memory = watchMemory();
  const store = (about: Whole, parts: Parts) =>
    validFrom === null
      ? storeParts(deps, about, parts, progress)
      : storeEdition(deps, about, parts, validFrom, progress);
  const running = { deps, path, progress, options, accept: new Set(accept), store, file, started, memory };
  try {
    return await (coverage ? importCoverage(running, coverage) : importOsm(running));
  } finally {
    memory.end();
  }
}

async function importCoverage(running: FileImport, coverage: CoverageOptions): Promise<ImportSummary> {
  const { deps, path, progress, accept, store, file } = running;
  await requireUse(deps.db, coverage.source, 'boundaries');
  const given = { ...postcodeFile(file), ...coverage };
  const show = reading(progress);
  const read = await readCoverage(path, given, ({ done, total, phase }) => show(done, total, phase), cleanerOf(deps));
  const input = coverageInput(read, coverage, { file, accept });
  const summary = await store(input, [input]);
  const { skipped, notices, repaired, overlaps } = read;
  return finish(running, summary, { skipped, notices, repaired, overlaps, repairs: repaired.length });
}

/** The inland water of a file, and the boundaries of the file that have all of their ways in it. */
interface WaterRead extends WaterOfFile {
  readonly leastKm2: number;
  readonly whole: WholeBoundary[];
}

async function importOsm(running: FileImport): Promise<ImportSummary> {
  const { deps, path, progress, options, accept, store, file } = running;
  const { partSize: size, waterKm2: leastKm2 = null } = options;
  // Read before anything is stored: a file without inland water is refused.
  const water: WaterRead | null =
    leastKm2 === null
      ? null
      : {
          ...(await readInlandWater(deps.engine, path, leastKm2, { onProgress: reading(progress), size })),
          ...{ leastKm2, whole: [] },
        };
  const decode = decodeInPool(deps.engine.pool);
  const opened = await openOsmFile(path, { decode, onProgress: reading(progress), ...(size ? { size } : {}) });
  try {
    const skipped: { id: string; reason: string }[] = [];
    const whole = { source: OSM_SOURCE, file, timestamp: opened.timestamp };
    const about = { ...whole, bbox: opened.bbox, accept };
    const summary = await store(whole, partsOf(opened, { about, water, skipped, progress }));
    const notices: string[] = [];
    if (water !== null)
      notices.push(...waterNotices(water, await storeOsmWater(deps, OSM_SOURCE.id, water, summary, progress)));
    return finish(running, summary, { skipped, notices });
  } finally {
    await opened.close();
  }
}

/** The parts of a file of OpenStreetMap. Objects that turn out not to be boundaries are added to `skipped`. */
async function* partsOf(
  opened: OsmFile,
  {
    about,
    water,
    skipped,
    progress,
  }: {
    readonly about: Pick<StoreInput, 'source' | 'file' | 'timestamp' | 'bbox' | 'accept'>;
    readonly water: WaterRead | null;
    readonly skipped: { id: string; reason: string }[];
    readonly progress: Progress;
  },
): AsyncGenerator<StoreInput> {
  let part = 0;
  for await (const extract of opened.extracts()) {
    if (opened.parts > 1) progress(`part ${++part}/${opened.parts}`);
    const { boundaries, skipped: some } = toSourceBoundaries(extract);
    skipped.push(...some);
    const { relations, ways, nodes } = extract;
    if (water !== null) {
      for (const one of wholeOf(boundaries, extract)) water.whole.push(one);
      water.seen.noteBorders(ways);
    }
    const coast = (extract.coast ?? []).flatMap(({ id, version, coords }) => (coords ? [{ id, version, coords }] : []));
    const cutCoast = (extract.coast ?? []).flatMap(({ id, coords }) => (coords ? [] : [id]));
    yield { ...about, boundaries, relations, ways, nodes, coast, cutCoast };
  }
}

/** Says what was read of inland water, and what of it is not known. */
function waterNotices({ water, smaller, leastKm2 }: WaterRead, { covered, notices }: WaterStored): string[] {
  const broken = water.flatMap(({ id, reason }) => (reason === undefined ? [] : [`inland water ${id}: ${reason}`]));
  const read = `${water.length - broken.length} lakes and rivers of at least ${leastKm2} km2, ${smaller.size} smaller ones`;
  const all = [...notices, ...broken];
  const more = all.length > MOST_LISTED ? [`${all.length - MOST_LISTED} more about inland water`] : [];
  const said = `inland water of ${covered} boundaries that the file has: ${read} left in the land`;
  return [said, ...all.slice(0, MOST_LISTED), ...more];
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
      summaries.push(finish({ file: source.id, started, memory }, summary, { repairs }));
      started = performance.now();
    }
    return summaries;
  } finally {
    memory.end();
  }
}
