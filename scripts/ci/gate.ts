/**
 * Proves a checkout: `npm run ci` runs all steps, `npm run ci -- NAME…` some of them, and so does `npm run ci:NAME`.
 * The last line is "N passed, N failed": the tests of all runs, and each other step that failed as one. Steps whose
 * tools are not installed are left out and listed; with all tools and the real data (REAL_DATA_DIR), a test that was
 * skipped in every run fails.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { type PrivatePostgis, startPostgis } from '../../benchmarks/postgis.ts';
import { proofDay } from '../../test/proof/rounds.ts';
import { changedFiles } from '../../test/setup/changed.ts';
import { filesOfTheDay, testedDatabase } from '../../test/setup/days.ts';
import { divideTests, type Projects, testsOfChange } from '../../test/setup/projects.ts';
import { count, filesToRepeat, type Run, readEnded, readReport, slowestFiles } from './count.ts';
import { makeMemoryFolder } from './memory_folder.ts';

/** What a step needs beyond Node, and how to see whether it is there. */
const TOOLS = {
  postgresql: () => existsSync('/usr/lib/postgresql'),
  gdal: () => has('ogr2ogr'),
  osmium: () => has('osmium'),
  chromium: () => has('chromium'),
  nginx: () => has('nginx'),
  promtool: () => has('promtool'),
  'systemd-analyze': () => has('systemd-analyze'),
  bzip2: () => has('bzip2'),
  zsh: () => has('zsh'),
  fish: () => has('fish'),
  python3: () => has('python3'),
} as const;

const CONFORMANCE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
/** The tool needs a newer Node than ours may be. */
const NEWER_NODE = '22.23.3';

/** The share of random cases and of maps: below 1, what runs in turn takes a fourteenth as well (test/proof/rounds.ts). */
process.env.PROOF_ROUNDS ??= '0.1';
/** All steps draw on the day on which the first began. */
process.env.PROOF_DAY ??= String(proofDay());

const root = resolve(import.meta.dirname, '../..');
const memory = makeMemoryFolder();
if (memory !== null) process.env.TMPDIR = memory;
const temporary = mkdtempSync(join(tmpdir(), 'boundary-gate-'));
const image = join(temporary, 'image');
const started = Date.now();
const missing = Object.entries(TOOLS).flatMap(([name, isThere]) => (isThere() ? [] : [name]));
const data = process.env.REAL_DATA_DIR ?? join(root, '../shared/data');
const leftOut = [
  ...missing.map((tool) => `tests that need ${tool}, which is not installed`),
  ...(process.getuid?.() === 0 ? [] : ['tests that need root']),
  ...(existsSync(data) ? [] : ['tests on real map data: set REAL_DATA_DIR']),
];
const complete = leftOut.length === 0;
const env: NodeJS.ProcessEnv = { ...process.env };
// The steps start a native database of their own, and the embedded one runs without.
delete env.TEST_DATABASE_URL;
if (existsSync(data)) env.REAL_DATA_DIR = data;
// With CI set, a proof that cannot run fails instead of being skipped.
if (complete) env.CI = 'true';
else delete env.CI;

const children = new Set<ChildProcess>();
const runs: Run[] = [];
const failures: string[] = [];
let server: PrivatePostgis | null = null;

interface Step {
  readonly title: string;
  /** Runs beside the steps up to the next tests, as it mostly waits; its output goes to a log until then. */
  readonly beside?: true;
  /** Runs alone: it starts when the steps beside have ended. */
  readonly alone?: true;
  /** @param log the file for its output; null: this program's own output */
  run(log: string | null): Promise<void>;
}

/** The steps in their order. package.json has a script for each: ci:NAME. */
const STEPS: Readonly<Record<string, Step>> = {
  image: {
    title: 'the Dockerfile, and the program as the image starts it',
    beside: true,
    async run(log) {
      await command('npx', ['tsx', 'scripts/ci/image.ts', image], log);
      // Built from the same sources: the checkout takes it.
      cpSync(join(image, 'build/dist'), join(root, 'dist'), { recursive: true });
      env.PREPARED_SEED = join(image, 'build/dist/prepared');
    },
  },
  agents: { title: 'conformance of the MCP server', beside: true, run: conformance },
  check: { title: 'types and lint', run: () => command('npm', ['run', 'check']) },
  // The steps beside wait for the network and for single processes: these tests take what they leave of the processors.
  unit: {
    title: 'tests of the day without a database',
    async run() {
      const { oracle } = await postgres();
      await tests(['unit'], { ORACLE_DATABASE_URL: oracle, BESIDE_NATIVE: '1' });
    },
  },
  embedded: {
    title: 'tests of the day that a database decides, on the embedded one',
    alone: true,
    run: () => tests(['database'], { BESIDE_NATIVE: '1' }),
  },
  native: {
    title: 'all other tests of the day, those with a database on a native one',
    alone: true,
    async run() {
      const { url, oracle } = await postgres();
      const native = { TEST_DATABASE_URL: url, ORACLE_DATABASE_URL: oracle };
      await tests(['program', 'either', 'database', 'proof'], native);
    },
  },
  bench: {
    title: 'a fourteenth of the benchmarks once, briefly',
    alone: true,
    async run() {
      const { url } = await postgres();
      await command('npm', ['run', 'bench', '--', '--smoke'], null, { TEST_DATABASE_URL: url });
    },
  },
};

/**
 * A private PostgreSQL on a free port, started once, with a database for the oracle.
 * @throws Error when no server is installed
 */
async function postgres(): Promise<{ url: string; oracle: string }> {
  if (server === null) {
    // What tests store outlives no crash; each file has a database of its own, copied from a template.
    server = await startPostgis({
      settings: { full_page_writes: 'off', max_wal_size: '1GB', checkpoint_timeout: '1h' },
    });
    if (server === null) throw new Error('PostgreSQL is not installed');
    await query(server.url, 'create database oracle');
    await query(server.url.replace(/postgres$/, 'oracle'), 'create extension postgis');
  }
  return { url: server.url, oracle: server.url.replace(/postgres$/, 'oracle') };
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/**
 * Runs projects of the suite (vitest.config.ts), and failed files a second time, each alone in a process: timeouts can
 * be too short on a busy machine. The end of the output lists what passed only then.
 */
async function tests(projects: readonly (keyof Projects)[], more: NodeJS.ProcessEnv): Promise<void> {
  const once = async (files: readonly string[], extra: NodeJS.ProcessEnv) => {
    const file = join(temporary, `report-${runs.length}-${files.length}.json`);
    const ended = join(temporary, `ended-${runs.length}-${files.length}.json`);
    const words = ['test', '--', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    words.push('--reporter=./scripts/ci/reporter.ts', ...files);
    const suites = { SUITES: projects.join() };
    const status = await exitOf('npm', words, null, { ...more, ...extra, ...suites, ENDED_FILE: ended });
    return { status, report: readReport(file), ...readEnded(ended) };
  };
  const divided = divideTests(root);
  const today = filesOfTheDay(divided, testsOfChange(root, changedFiles(root)), testedDatabase(more));
  const due = projects.flatMap((name) => today[name]);
  const first = await once([], {});
  for (const line of slowestFiles(first.report, first.milliseconds, root)) console.log(line);
  const files = filesToRepeat(first);
  let again: Run['again'] = null;
  if (files.length > 0) {
    say(`again, alone: ${files.join(', ')}`);
    again = await once(['--isolate', ...files], { VITEST_MAX_WORKERS: '1' });
  }
  runs.push({ ...first, due, again });
  const later = projects.flatMap((name) => divided[name].filter((path) => !due.includes(path)));
  if (later.length > 0) leftOut.push(`${later.length} files whose turn is another day: ${later.join(', ')}`);
}

/** Runs the official conformance tool for MCP servers, with a Node that it runs on. */
async function conformance(log: string | null): Promise<void> {
  const folder = join(temporary, 'conformance');
  mkdirSync(folder);
  const packages = [CONFORMANCE];
  const isNew = Number(process.versions.node.split('.')[0]) >= 22;
  if (!isNew) packages.push(`node-${process.platform}-${process.arch}@${NEWER_NODE}`);
  const words = ['120', 'npm', 'install', '--no-audit', '--no-fund', '--prefix', folder, ...packages];
  // A download of 50 MB that is not part of this package: if it fails, that says nothing about this checkout.
  if ((await exitOf('timeout', words, log)) !== 0 && (await exitOf('timeout', words, log)) !== 0) {
    leftOut.push('conformance of the MCP server: the tool did not arrive');
    return;
  }
  await command('npm', ['run', 'conformance', '--', folder], log);
}

function has(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

function say(title: string): void {
  console.log(`\n== ${title} (${Math.round((Date.now() - started) / 1000)} s)`);
}

/**
 * Runs a program in the checkout.
 * @param log the file that gets its output; null: this program's own output
 * @throws Error when its exit status is not 0
 */
async function command(program: string, words: string[], log: string | null = null, more: NodeJS.ProcessEnv = {}) {
  const status = await exitOf(program, words, log, more);
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: status ${status}`);
}

/** The exit status of a program; it runs in a process group of its own, which ends with this process. */
async function exitOf(
  program: string,
  words: string[],
  log: string | null = null,
  more: NodeJS.ProcessEnv = {},
): Promise<number> {
  const out = log === null ? 'inherit' : openSync(log, 'a');
  const child = spawn(program, words, {
    cwd: root,
    env: { ...env, ...more },
    stdio: ['ignore', out, out],
    detached: true,
  });
  children.add(child);
  return new Promise((done) => {
    child.once('error', (error) => {
      console.error(error.message);
      children.delete(child);
      done(127);
    });
    child.once('exit', (code) => {
      children.delete(child);
      done(code ?? 1);
    });
  });
}

/** Runs a step; a failure is counted, and later steps still run. */
async function attempt(name: string, log: string | null): Promise<void> {
  try {
    await STEPS[name]?.run(log);
  } catch (error) {
    const line = `failed: ${name}: ${error instanceof Error ? error.message : error}`;
    failures.push(line);
    console.log(line);
  }
}

const changes = () => spawnSync('git', ['status', '--porcelain'], { cwd: root }).stdout?.toString() ?? '';

async function runSteps(names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (!Object.hasOwn(STEPS, name)) throw new Error(`no step is called ${name}: ${Object.keys(STEPS).join(', ')}`);
  }
  const before = changes();
  let beside: { name: string; log: string; done: Promise<void> }[] = [];
  const finishBeside = async () => {
    for (const { name, log, done } of beside) {
      await done;
      say(`${name}: ${STEPS[name]?.title}`);
      process.stdout.write(readFileSync(log));
    }
    beside = [];
  };
  for (const name of names) {
    if (STEPS[name]?.beside && names.length > 1) {
      const log = join(temporary, `${name}.log`);
      beside.push({ name, log, done: attempt(name, log) });
      continue;
    }
    // Tests take the machine for themselves.
    if (STEPS[name]?.alone) await finishBeside();
    say(`${name}: ${STEPS[name]?.title}`);
    await attempt(name, null);
  }
  await finishBeside();
  if (changes() !== before) failures.push('failed: git status differs: a step wrote files that are not ignored');
}

/** Prints failures, what was left out, and the counts; the last line is what CI reads. */
function report(): boolean {
  const reruns = new Set(
    readFileSync(join(root, '.ci/reruns'), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#')),
  );
  const counts = count(runs, { complete, reruns, root });
  say('done');
  for (const line of [...failures, ...counts.lines]) console.log(line);
  for (const line of leftOut) console.log(`left out: ${line}`);
  const failed = counts.failed + failures.length;
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  console.log(`${counts.passed} passed, ${failed} failed${skipped}`);
  return failed === 0;
}

/** Ends what this process started. */
function end(): void {
  for (const { pid } of children) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGTERM');
    } catch {
      // It has just ended.
    }
  }
  for (const folder of [temporary, memory])
    if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

process.once('exit', end);
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));

const words = process.argv.slice(2);
try {
  await runSteps(words.length > 0 ? words : Object.keys(STEPS));
} catch (error) {
  failures.push(`failed: ${error instanceof Error ? error.message : error}`);
}
await (server as PrivatePostgis | null)?.stop();
process.exitCode = report() ? 0 : 1;
