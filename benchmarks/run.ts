/**
 * `npm run bench [-- name] [--json] [--smoke] [--record]`: measures ours against rivals in one run, after checking that both give
 * the same answer. Results of a group are written to results/groups, for docs/benchmarks.md; a smoke run writes none,
 * and with PROOF_ROUNDS below 1 takes a fourteenth of the groups, other ones each day.
 * `guard` compares counts of work with recorded ones (results/guard.json), without a clock; --record writes them.
 * Reads the real data from REAL_DATA_DIR (default ../shared/data). Uses the PostGIS of TEST_DATABASE_URL; if that is
 * not set, starts one for the run if it is installed.
 */
import { execFileSync, fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { ofTheDay } from '../test/proof/rounds.ts';
import { GROUPS, type GroupName } from './groups.ts';
import { type GuardRow, guardTable } from './http/guard_table.ts';
import { type StageRow, stageTable } from './http/stages.ts';
import { hasData } from './kernels/worlds.ts';
import type { Options, Result } from './measure.ts';
import { startPostgis } from './postgis.ts';
import { installRivals } from './rivals/install.ts';
import { table } from './table.ts';

type Bench = (data: string, options: Options) => Promise<Result[]>;

/** Loads each group only when it runs. */
const BENCHMARKS: Readonly<Record<GroupName, () => Promise<Bench>>> = {
  null: async () => (await import('./kernels/generated.ts')).benchNull,
  union: async () => (await kernelUnions()).benchUnion,
  countries: async () => (await kernelUnions()).benchCountries,
  dissolve: async () => {
    installRivals();
    return (await import('./kernels/dissolve.ts')).benchDissolve;
  },
  crosswalk: async () => {
    const { benchCrosswalk } = await import('./kernels/crosswalk.ts');
    const { benchHttpCrosswalk } = await import('./http/crosswalk.ts');
    return async (data, options) => [
      ...(await benchCrosswalk(data, options)),
      ...(await benchHttpCrosswalk(data, options)),
    ];
  },
  outline: async () => (await import('./kernels/generated.ts')).benchOutline,
  made: async () => (await import('./kernels/generated.ts')).benchMade,
  tiers: async () => (await import('./kernels/boundaries.ts')).benchTiers,
  area: async () => (await import('./kernels/boundaries.ts')).benchArea,
  reverse: async () => (await import('./kernels/boundaries.ts')).benchReverse,
  locate: async () => {
    const [{ benchLocate }, { benchPoints }] = [await import('./kernels/locate.ts'), await import('./http/points.ts')];
    return async (data, options) => [...(await benchLocate(data, options)), ...(await benchPoints(data, options))];
  },
  match: async () => {
    const { benchMatch } = await import('./http/match.ts');
    return (_data, options) => benchMatch(options);
  },
  formats: async () => (await import('./kernels/formats.ts')).benchFormats,
  handover: async () => {
    const { benchHandover } = await import('./kernels/handover.ts');
    return (_data, options) => benchHandover(options);
  },
  http: async () => (await import('./http/union.ts')).benchHttpUnion,
  land: async () => (await import('./http/land.ts')).benchLandUnion,
  areas: async () => (await import('./http/areas.ts')).benchAreas,
  hot: async () => (await import('./http/hot.ts')).benchHotExport,
  front: async () => (await import('./http/front.ts')).benchFront,
  tiles: async () => (await import('./http/tiles.ts')).benchTiles,
  reads: async () => (await import('./http/reads.ts')).benchReads,
  as_of: async () => (await import('./http/as_of.ts')).benchAsOf,
  search: async () => (await import('./search.ts')).benchSearch,
  limiter: async () => (await import('./http/limiter.ts')).benchLimiter,
  load: async () => (await import('./http/load.ts')).benchLoad,
  hostile: async () => (await import('./http/hostile.ts')).benchHostile,
  library: async () => (await import('./library.ts')).benchLibrary,
  startup: async () => (await import('./cli/startup.ts')).benchStartup,
  starts: async () => (await import('./cli/first_start.ts')).benchFirstStart,
  import: async () => (await import('./import/import.ts')).benchImport,
  growth: async () => (await import('./growth/growth.ts')).benchGrowth,
  planet: async () => {
    const { benchPlanet } = await import('./planet/planet.ts');
    return (_data, options) => benchPlanet(options);
  },
};

/** What has a table of its own. */
const ALONE: readonly string[] = ['stages', 'guard'];

/** Loads benchmarks whose rivals are not dependencies of the project, after installing those. */
async function kernelUnions(): Promise<typeof import('./kernels/union.ts')> {
  installRivals();
  return import('./kernels/union.ts');
}

const flags = new Set(process.argv.slice(2).filter((argument) => argument.startsWith('--')));
const only = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
const unknown = [...flags].filter((flag) => !['--json', '--smoke', '--record'].includes(flag));
if (unknown.length > 0) {
  process.stderr.write(`there is no ${unknown.join(', ')}: npm run bench [-- name] [--json] [--smoke] [--record]\n`);
  process.exit(2);
}
const options: Options = { smoke: flags.has('--smoke') };
const data = process.env.REAL_DATA_DIR ?? '../shared/data';
if (only !== undefined && !ALONE.includes(only) && !Object.hasOwn(BENCHMARKS, only)) {
  process.stderr.write(`no benchmark is called ${only}: ${[...Object.keys(BENCHMARKS), ...ALONE].join(', ')}\n`);
  process.exit(2);
}
if (!hasData(data)) {
  process.stderr.write(
    `no data in ${data} (set REAL_DATA_DIR): kernels are measured on the shapes of es-atlas and us-atlas, which are ` +
      'coarser, and imports of real files are left out\n',
  );
}

const own = process.env.TEST_DATABASE_URL || only === 'null' ? null : await startPostgis();
if (own) process.env.TEST_DATABASE_URL = own.url;
const results: Result[] = [];
let stages: StageRow[] | null = null;
let guard: GuardRow[] = [];
try {
  const some = only !== undefined ? GROUPS.filter((name) => name === only) : options.smoke ? ofTheDay(GROUPS) : GROUPS;
  if (options.smoke && only === undefined && some.length < GROUPS.length) {
    process.stderr.write(`${some.length} of ${GROUPS.length} groups: the others have their turn on another day\n`);
  }
  for (const name of some) {
    if (!flags.has('--json')) process.stderr.write(`${name} …\n`);
    const began = performance.now();
    const bench = await BENCHMARKS[name]();
    const measured = await bench(data, options);
    results.push(...measured);
    if (!flags.has('--json')) process.stderr.write(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
    if (!options.smoke && measured.length > 0) saveResults(name, measured);
  }
  if (only === undefined || only === 'guard') {
    guard = await guardRows(flags.has('--record'));
  }
  if (only === undefined || only === 'stages') stages = await (await import('./http/stages.ts')).benchStages(options);
} finally {
  await own?.stop();
}

/** The rows of the guard, from a process of its own: it counts what is executed from the start on. */
async function guardRows(record: boolean): Promise<GuardRow[]> {
  const child = fork(new URL('./http/guard_process.ts', import.meta.url), record ? ['--record'] : []);
  return new Promise((done, fail) => {
    child.once('message', (rows) => done(rows as GuardRow[]));
    child.once('exit', (code) => fail(new Error(`the guard ended with status ${code}`)));
  });
}

/** Commit, versions and machine of a run. */
function runEnvironment() {
  return {
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim(),
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
  };
}

/** Writes the results of a group to its file, for the table: a group without rows keeps those of its last run. */
function saveResults(name: string, measured: readonly Result[]): void {
  const folder = new URL('./results/groups/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const report = { name, ...runEnvironment(), results: measured };
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify(report, null, 2)}\n`);
}

const report = {
  name: only ?? 'all',
  ...runEnvironment(),
  results,
  stages,
  guard,
};
if (flags.has('--json')) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
else {
  const tables = [
    ...(results.length > 0 ? [table(results)] : []),
    ...(stages ? [stageTable(stages)] : []),
    ...(guard.length > 0 ? [guardTable(guard)] : []),
  ];
  process.stdout.write(tables.join('\n'));
}
// A note states what the rival gets wrong. A difference without a note may be our mistake.
if (results.some((one) => !one.same_answer && one.note === undefined)) {
  process.exitCode = 1;
}
if (!flags.has('--record') && guard.some(({ grown }) => grown.length > 0)) {
  process.stderr.write(
    'calls do more work than recorded: make them do less, or record it: npm run bench -- guard --record\n',
  );
  process.exitCode = 1;
}
