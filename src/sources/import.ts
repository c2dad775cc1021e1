import { basename } from 'node:path';
import type { Database } from '../db/connect.ts';
import type { Engine } from '../geometry/engine.ts';
import { type Cleaner, type Overlap, type Repaired, readCoverage } from './coverage/read.ts';
import { lookAtFile } from './look.ts';
import { decodeInPool } from './osm/decode.ts';
import type { PartSize } from './osm/parts.ts';
import { openOsmFile } from './osm/read.ts';
import { OSM_SOURCE } from './osm/source.ts';
import { toSourceBoundaries } from './osm/tags.ts';
import { SEED_SETS, type SeedSet, seedBoundaries } from './seed/all.ts';
import { storeBoundaries, storeParts } from './store/boundaries.ts';
import type { SourceInfo, StoreInput, StoreSummary } from './store/model.ts';

/** How a coverage file (GeoJSON, TopoJSON) is read; absent for OSM files. */
export interface CoverageOptions {
  /** Short name of the source: `ign-communes`. */
  readonly source: string;
  readonly name?: string;
  readonly url?: string;
  readonly license: string;
  readonly attribution: string;
  /** Which property is what: `{id: 'code', name: 'nom'}`. */
  readonly map?: Readonly<Record<string, string>>;
  readonly adminLevel?: number;
  readonly country?: string;
  readonly type?: 'administrative' | 'postal_code';
  /** The object of a TopoJSON file. */
  readonly object?: string;
  /** Refuse a file in which boundaries of one level overlap by more than a sliver. */
  readonly strict?: boolean;
  /** Of the file's text; UTF-8 if absent. */
  readonly encoding?: string;
}

export interface ImportSummary extends StoreSummary {
  readonly file: string;
  /** What the file holds that is not a boundary after all, with the reason. */
  readonly skipped: readonly { readonly id: string; readonly reason: string }[];
  /** What of a coverage was left out or looks wrong, in words. */
  readonly notices: readonly string[];
  /** Shapes of a coverage that had to be cleaned: how many, and for those of a file what was done, largest change first. */
  readonly repairs: number;
  readonly repaired: readonly Repaired[];
  /** Boundaries of one level in a coverage that overlap and both keep it, largest first. */
  readonly overlaps: readonly Overlap[];
  readonly seconds: number;
  /** Largest resident memory of this process while it ran, in bytes. */
  readonly peakRss: number;
}

type Progress = (message: string) => void;
type Deps = { readonly db: Database; readonly engine: Engine };

/**
 * Imports one file: .osm.pbf, .osm, Overpass JSON or XML, each also gzipped or bzip2ed, or (with `coverage`) a GeoJSON
 * or TopoJSON coverage. Again is idempotent, and resumes what was killed.
 * Boundaries named in `accept` may have less than half or more than double the area they had; `partSize` bounds the
 * memory otherwise than usual.
 * @throws Error when the file cannot be read as what it is; nothing is stored then
 */
export async function importFile(
  deps: Deps,
  path: string,
  coverage: CoverageOptions | null,
  progress: Progress = () => {},
  accept: readonly string[] = [],
  partSize?: PartSize,
): Promise<ImportSummary> {
  const started = performance.now();
  const file = basename(path);
  const accepted = new Set(accept);
  await lookAtFile(path, file, coverage !== null);
  const memory = watchMemory();
  try {
    return await importKnown(deps, path, { coverage, progress, accepted, partSize, file, started, memory });
  } finally {
    memory.end();
  }
}

interface Going {
  readonly coverage: CoverageOptions | null;
  readonly progress: Progress;
  readonly accepted: ReadonlySet<string>;
  readonly partSize: PartSize | undefined;
  readonly file: string;
  readonly started: number;
  readonly memory: Memory;
}

async function importKnown(
  deps: Deps,
  path: string,
  { coverage, progress, accepted, partSize, file, started, memory }: Going,
): Promise<ImportSummary> {
  if (coverage) {
    const given = { ...postcodeFile(file), ...coverage };
    const show = reading(progress);
    const read = await readCoverage(path, given, ({ done, total, phase }) => show(done, total, phase), cleanerOf(deps));
    const source: SourceInfo = {
      id: coverage.source,
      name: coverage.name ?? coverage.source,
      url: coverage.url ?? null,
      license: coverage.license,
      attribution: coverage.attribution,
      resolution: null,
      seed: false,
    };
    const input = { source, file, boundaries: read.boundaries, accept: accepted };
    const summary = await storeBoundaries(deps, input, progress);
    const { skipped, notices, repaired, overlaps } = read;
    return finish(summary, { file, skipped, notices, repaired, overlaps, repairs: repaired.length, started, memory });
  }
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
      yield { source: OSM_SOURCE, file, boundaries, relations, ways, nodes, accept: accepted };
    }
  }
  try {
    const about = { source: OSM_SOURCE, file, timestamp: opened.timestamp };
    const summary = await storeParts(deps, about, parts(), progress);
    return finish(summary, { file, skipped, notices: [], repaired: [], overlaps: [], repairs: 0, started, memory });
  } finally {
    await opened.close();
  }
}

/** Nominatim's name of a file of postcode areas says what it holds: `de_postcodes_geometry.jsonl`. */
export function postcodeFile(file: string): { type: 'postal_code'; country: string } | null {
  const [, country] = /^([a-z]{2})_postcodes_geometry\.jsonl(?:\.gz)?$/.exec(file) ?? [];
  return country === undefined ? null : { type: 'postal_code', country: country.toUpperCase() };
}

/** Coverages are cleaned in the pool: this process may have requests to answer. */
const cleanerOf =
  ({ engine }: Deps): Cleaner =>
  (features, slivers) =>
    engine.pool.runPatiently('clean', { features, slivers });

/** Loads the seed data: the world's countries and two countries' subdivisions, from packages that are installed. */
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

/** The largest resident memory of this process since it was begun to be watched. */
interface Memory {
  peak(): number;
  end(): void;
}

/** How often resident memory is looked at, in milliseconds. */
const MEMORY_EVERY = 200;

function watchMemory(): Memory {
  // ru_maxrss is in kilobytes on Linux and macOS alike (Node converts): the peak of the process since it began.
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
