import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { defined, only } from '../../src/common/elements.ts';
import { drawPanels, type Panel } from '../growth/picture.ts';
import { run, versionOf } from '../import/command.ts';
import { BenchDatabase, query, server } from '../import/native.ts';
import { STYLE } from '../import/style.ts';
import { compared, type Options, type Result } from '../measure.ts';
import { type MadeWorld, writeWorld } from './file.ts';
import type { Imported, QueryFigures } from './work.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SEED = 1;
const CALLS = 400;

/** Countries, and segments per side of a municipality: three sizes of one density, and one that is denser. */
const SIZES: readonly (readonly [countries: number, segments: number])[] = [
  [2, 16],
  [7, 16],
  [23, 16],
  [2, 128],
];

/** As many boundaries as the real planet, enabled by PLANET_ALL=1: a quarter of an hour, 4 GB of disk. */
const WHOLE = [224, 16] as const;

/** The real planet: boundaries and border vertices (issue and engine figures), for extrapolation. */
const PLANET = { boundaries: 600_000, vertices: 250e6 };

/** The figures of one generated world. */
export interface PlanetFigures extends MadeWorld, Imported, QueryFigures {
  readonly segments: number;
  /** Size of the database in bytes, minus that of an empty one. */
  readonly database: number;
  readonly tables: Readonly<Record<string, number>>;
  /** Seconds of osm2pgsql on the same server, polygons and tags only; null when it is not installed. */
  readonly osm2pgsql: number | null;
}

/**
 * Imports generated worlds of growing size (world.ts), up to 61,709 boundaries or with PLANET_ALL=1 600,992, into a
 * native PostGIS. Measures import time and memory, the size of the database, and the latency of search, reverse lookup
 * and union, each in its own process. Prints the figures and an extrapolation to the planet, writes them to
 * benchmarks/results/planet.json and draws docs/planet.svg. The rows compare the imports with osm2pgsql; the answers
 * are the same if the number of polygons is equal and their areas are alike.
 */
export async function benchPlanet(options: Options): Promise<Result[]> {
  const home = server();
  if (!home) {
    process.stderr.write('planet: no PostGIS to import into (set TEST_DATABASE_URL)\n');
    return [];
  }
  const measured: PlanetFigures[] = [];
  const results: Result[] = [];
  const sizes = process.env.PLANET_ALL ? [...SIZES, WHOLE] : SIZES;
  for (const [countries, segments] of options.smoke ? ([[1, 4]] as const) : sizes) {
    const { figures, same } = await measure(home, { countries, segments, seed: SEED }, options.smoke ? 20 : CALLS);
    measured.push(figures);
    process.stderr.write(`planet: ${lineOf(figures)}\n`);
    if (figures.osm2pgsql === null) continue;
    const name = `made world of ${figures.boundaries} boundaries, ${Math.round(figures.vertices / 1e3)} k vertices`;
    const ours = { median: 1000 * figures.seconds, spread: 0 };
    results.push(compared(name, ours, 'osm2pgsql (polygons and tags alone)', { median: figures.osm2pgsql }, same));
  }
  const text = `${JSON.stringify(measured, null, 2)}\n`;
  const picture = drawPlanet(measured);
  if (!options.smoke) {
    mkdirSync(join(ROOT, 'benchmarks/results'), { recursive: true });
    writeFileSync(join(ROOT, 'benchmarks/results/planet.json'), text);
    writeFileSync(join(ROOT, 'docs/planet.svg'), picture);
    process.stderr.write(extrapolate(measured));
  }
  return results;
}

async function measure(
  home: string,
  size: { countries: number; segments: number; seed: number },
  calls: number,
): Promise<{ figures: PlanetFigures; same: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-planet-'));
  const [ours, theirs] = [new BenchDatabase(home, 'planet'), new BenchDatabase(home, 'planet_osm2pgsql')];
  try {
    const path = join(folder, 'planet.osm.pbf');
    const world = await writeWorld(path, size);
    await ours.empty();
    await theirs.empty();
    const empty = await sizeOf(ours);
    const imported: Imported = await apart('import', ours.url, path);
    const asked: QueryFigures = await apart('ask', ours.url, String(calls));
    const database = (await sizeOf(ours)) - empty;
    const tables = await tablesOf(ours);
    let osm2pgsql: number | null = null;
    let same = true;
    if ((await versionOf('osm2pgsql')) !== null) {
      const style = join(folder, 'boundary.lua');
      await writeFile(style, STYLE);
      const started = performance.now();
      await run('osm2pgsql', ['-d', theirs.url, '-O', 'flex', '-S', style, path]);
      osm2pgsql = performance.now() - started;
      same = await sameAreas(ours, theirs);
    }
    const figures = { ...world, ...imported, ...asked, segments: size.segments, database, tables, osm2pgsql };
    return { figures, same };
  } finally {
    await ours.drop();
    await theirs.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The heap limit that Node chooses on a machine of 4 GB, in MiB. */
const HEAP = 2048;

async function apart<T>(...args: readonly string[]): Promise<T> {
  const script = [`--max-old-space-size=${HEAP}`, '--import', 'tsx', 'benchmarks/planet/work.ts', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: ROOT, maxBuffer: 2 ** 24 });
  return JSON.parse(stdout) as T;
}

async function sizeOf({ url, name }: BenchDatabase): Promise<number> {
  const { size } = only(await query<{ size: string }>(url, `select pg_database_size('${name}') as size`));
  return Number(size);
}

async function tablesOf({ url }: BenchDatabase): Promise<Record<string, number>> {
  const rows = await query<{ name: string; size: string }>(
    url,
    `select relname as name, pg_total_relation_size(oid) as size from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc limit 8`,
  );
  return Object.fromEntries(rows.map(({ name, size }) => [name, Number(size)]));
}

async function sameAreas(ours: BenchDatabase, theirs: BenchDatabase): Promise<boolean> {
  const sum = (url: string, from: string) =>
    query<{ count: number; area: number }>(
      url,
      `select count(*)::int as count, sum(st_area(geom)) as area from ${from}`,
    );
  const [[mine], [others]] = [
    await sum(ours.url, "boundary_shape where boundary_id like 'r%'"),
    await sum(theirs.url, "boundary where osm_type = 'R'"),
  ];
  const same =
    defined(mine).count === defined(others).count && Math.abs(defined(mine).area / defined(others).area - 1) < 1e-9;
  if (!same) process.stderr.write(`planet: ${JSON.stringify(mine)}, osm2pgsql ${JSON.stringify(others)}\n`);
  return same;
}

const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
const ms = ([p50, p95]: readonly [number, number]) => `${p50.toFixed(1)} / ${p95.toFixed(1)} ms`;

function lineOf(one: PlanetFigures): string {
  return [
    `${one.boundaries} boundaries (${one.broken} broken), ${(one.vertices / 1e6).toFixed(2)} M vertices`,
    `pbf ${mb(one.bytes)}`,
    `import ${one.seconds.toFixed(1)} s (osm2pgsql ${one.osm2pgsql === null ? '-' : (one.osm2pgsql / 1000).toFixed(1)} s)`,
    `peak ${mb(one.peakRss)}`,
    `database ${mb(one.database)}`,
    `p50 / p95: search ${ms(one.search)} (by statements ${ms(one.searchDatabase)}), reverse ${ms(one.reverse)}, union ${ms(one.union)}`,
    `in memory: ${one.names.count} names ${mb(one.names.bytes)} read in ${one.names.seconds.toFixed(1)} s, boxes ${mb(one.boxes)}, resident ${mb(one.rss)}`,
  ].join(', ');
}

/**
 * Cost per boundary and per vertex, solved from the largest world and the densest, and the resulting cost of the
 * planet.
 */
export function planetOf<T extends Pick<PlanetFigures, 'boundaries' | 'vertices'>>(
  measured: readonly T[],
  cost: (one: T) => number,
): { aBoundary: number; aVertex: number; planet: number } {
  const many = measured.reduce((a, b) => (b.boundaries > a.boundaries ? b : a));
  const dense = measured.reduce((a, b) => (b.vertices / b.boundaries > a.vertices / a.boundaries ? b : a));
  const determinant = many.boundaries * dense.vertices - dense.boundaries * many.vertices;
  const aBoundary = (cost(many) * dense.vertices - cost(dense) * many.vertices) / determinant;
  const aVertex = (many.boundaries * cost(dense) - dense.boundaries * cost(many)) / determinant;
  return { aBoundary, aVertex, planet: aBoundary * PLANET.boundaries + aVertex * PLANET.vertices };
}

function extrapolate(measured: readonly PlanetFigures[]): string {
  const time = planetOf(measured, (one) => one.seconds);
  const space = planetOf(measured, (one) => one.database);
  const [n, v] = [PLANET.boundaries, PLANET.vertices / 1e6];
  return [
    `planet: ${n} boundaries, ${v} M vertices`,
    `  import ${(1e3 * time.aBoundary).toFixed(2)} ms a boundary, ${(1e6 * time.aVertex).toFixed(2)} µs a vertex: ` +
      `${((n * time.aBoundary) / 60).toFixed(0)} + ${((v * 1e6 * time.aVertex) / 60).toFixed(0)} = ${(time.planet / 60).toFixed(0)} minutes`,
    `  database ${(space.aBoundary / 1e3).toFixed(2)} kB a boundary, ${space.aVertex.toFixed(1)} bytes a vertex: ` +
      `${((n * space.aBoundary) / 1e9).toFixed(1)} + ${((v * 1e6 * space.aVertex) / 1e9).toFixed(1)} = ${(space.planet / 1e9).toFixed(1)} GB\n`,
  ].join('\n');
}

/** An SVG with six panels by number of boundaries, without the denser world. */
function drawPlanet(measured: readonly PlanetFigures[]): string {
  const least = Math.min(...measured.map(({ segments }) => segments));
  const row = measured.filter(({ segments }) => segments === least);
  const of = 'boundaries';
  const panel = (
    title: string,
    unit: Panel['unit'],
    y: (one: PlanetFigures) => number,
    rival?: (one: PlanetFigures) => number | null,
  ): Panel => ({
    title,
    of,
    unit,
    ours: row.map((one) => ({ x: one.boundaries, y: y(one) })),
    theirs: rival ? row.map((one) => ({ x: one.boundaries, y: rival(one) })) : [],
  });
  return drawPanels('A made planet: import, size and latency', 'osm2pgsql (polygons and tags alone)', [
    [
      panel(
        'Import',
        'time',
        (one) => 1000 * one.seconds,
        (one) => one.osm2pgsql,
      ),
      panel('Most memory of the import', 'size', (one) => one.peakRss),
      panel('Database', 'size', (one) => one.database),
    ],
    [
      panel('Search, 95 of 100', 'time', (one) => one.search[1]),
      panel('Reverse, 95 of 100', 'time', (one) => one.reverse[1]),
      panel('Union of 16, 95 of 100', 'time', (one) => one.union[1]),
    ],
  ]);
}
