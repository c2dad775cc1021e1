/**
 * Whether the tests notice faults: `npm run test:mutants` plants those of faults.ts one at a time in a temporary copy of
 * this checkout, runs the tests that must then fail, and lists the faults that they did not notice. With words, only
 * the faults whose area, file or name has one of them: `npm run test:mutants -- billing`. TEST_DATABASE_URL and
 * REAL_DATA_DIR are those of the suite. The exit status is 1 when a fault was not noticed or could not be tried.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { FAULTS, type Fault } from './faults.ts';

/** Longest time for the tests of one fault: one that never ends was noticed. */
const MOST_MS = 600_000;
const ROOT = resolve(import.meta.dirname, '../..');

const words = process.argv.slice(2);
const chosen = FAULTS.filter(({ area, file, name }) => {
  return words.length === 0 || words.some((word) => area === word || file.includes(word) || name.includes(word));
});
if (chosen.length === 0) throw new Error(`no fault is of ${words.join(', ')}`);

const copy = mkdtempSync(join(tmpdir(), 'boundary-mutants-'));
let running: number | undefined;
process.once('exit', () => {
  if (running !== undefined) process.kill(-running, 'SIGKILL');
  rmSync(copy, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
copyCheckout();

const files = [...new Set(chosen.flatMap(({ tests }) => tests))];
const broken = new Set<string>();
for (const file of files) {
  const { failed, said } = await run([file]);
  if (failed === 0) continue;
  broken.add(file);
  console.log(`${file} fails without a fault:\n${said}`);
}

let missed = 0;
for (const fault of chosen) {
  const verdict = fault.tests.some((file) => broken.has(file)) ? 'not tried' : await judge(fault);
  if (!verdict.startsWith('noticed')) missed++;
  console.log(`${verdict.padEnd(26)} ${fault.area.padEnd(8)} ${fault.file}: ${fault.name}`);
}
console.log(`${chosen.length - missed} of ${chosen.length} faults were noticed`);
process.exitCode = missed === 0 ? 0 : 1;

/** Copies what git knows or would add; packages and prepared databases are shared. */
function copyCheckout(): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = spawnSync('git', list, { cwd: ROOT, maxBuffer: 2 ** 27 });
  for (const name of stdout.toString().split('\0')) {
    if (name === '' || !existsSync(join(ROOT, name))) continue;
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    cpSync(join(ROOT, name), join(copy, name));
  }
  mkdirSync(join(ROOT, '.test-cache'), { recursive: true });
  for (const name of ['node_modules', '.test-cache']) symlinkSync(join(ROOT, name), join(copy, name));
}

/** Plants a fault, runs its tests, and takes it away. */
async function judge({ file, text, instead, tests }: Fault): Promise<string> {
  const path = join(copy, file);
  const before = readFileSync(path, 'utf8');
  if (before.split(text).length !== 2) return 'not planted';
  writeFileSync(
    path,
    before.replace(text, () => instead),
  );
  try {
    const { failed, loaded, ended } = await run(tests);
    if (!ended) return 'noticed: never ended';
    if (failed === 0) return 'MISSED';
    return loaded ? `noticed by ${failed} ${failed === 1 ? 'test' : 'tests'}` : 'not loaded';
  } finally {
    writeFileSync(path, before);
  }
}

interface Outcome {
  /** Tests that failed; 1 when the run failed without one. */
  readonly failed: number;
  /** Whether a test ran: a fault that keeps a file from loading would be noticed by anything. */
  readonly loaded: boolean;
  readonly ended: boolean;
  /** The end of what it printed. */
  readonly said: string;
}

/** Runs test files of the copy in one process of vitest. */
async function run(tests: readonly string[]): Promise<Outcome> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const paths = tests.map((name) => join('test', name));
  const args = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...paths];
  const child = spawn(process.execPath, [...args, '--reporter=json', `--outputFile=${report}`], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its processes end with it.
    detached: true,
  });
  running = child.pid;
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      said = (said + part).slice(-4_000);
    });
  }
  let ended = true;
  const timer = setTimeout(() => {
    ended = false;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, MOST_MS);
  const status = await new Promise<number | null>((done) => child.once('exit', done));
  clearTimeout(timer);
  running = undefined;
  if (!existsSync(report)) return { failed: 1, loaded: false, ended, said };
  const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>;
  const failed = numFailedTests ?? 0;
  return {
    failed: failed === 0 && status !== 0 ? 1 : failed,
    loaded: failed + (numPassedTests ?? 0) > 0,
    ended,
    said,
  };
}
