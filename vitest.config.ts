import { availableParallelism, totalmem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { proofDay } from './test/proof/rounds.ts';
import { changedFiles } from './test/setup/changed.ts';
import { COMPILE_ONCE } from './test/setup/compiled.ts';
import { filesOfTheDay, filesThatWait, namedOn, testedDatabase } from './test/setup/days.ts';
import { divideTests, type Projects, testsOfChange } from './test/setup/projects.ts';
import { LongestFirst } from './test/setup/sequence.ts';

const root = import.meta.dirname;
const words = namedOn(process.argv);
/** The projects whose files run: those that SUITES names (.ci/run), or all. */
const suites = process.env.SUITES?.split(',') as (keyof Projects)[] | undefined;
// Proofs take minutes: they run where the command line names them (npm run test:proof, or a file of theirs).
const named = suites?.includes('proof') || process.argv.slice(2).some((word) => word.toLowerCase().includes('proof'));
// Elsewhere, tests that draw their cases take a tenth of them; by npm run test:proof they run whole as well.
if (!named) process.env.PROOF_ROUNDS ??= '0.1';
// All processes of a run draw on the same day, whether or not it ends meanwhile.
process.env.PROOF_DAY ??= String(proofDay());
const divided = divideTests(root);
const today = filesOfTheDay(
  divided,
  [...words, ...testsOfChange(root, changedFiles(root))],
  testedDatabase(process.env),
);
const { drawing, proof } = today;
const counting = new Set(today.counting);
// Vitest loads this file again for each project.
const loads = globalThis as { isWaitingSaid?: true };
const waiting = filesThatWait(divided, today).filter((path) => named || !divided.proof.includes(path)).length;
if (words.length === 0 && waiting > 0 && !loads.isWaitingSaid) {
  loads.isWaitingSaid = true;
  console.error(
    `${waiting} test files are left out as they are slow, unless they are named or a change concerns them (test/setup/days.ts)`,
  );
}
const whole = process.env.PROOF_ROUNDS === undefined ? [...proof, ...drawing] : proof;
const DAILY = ['unit', 'program', 'either', 'database'] as const;
/** Where the command line chooses projects, each is one. */
const isChosen = process.argv.some((word) => word.startsWith('--project'));
/**
 * Flags of V8 for the processes of tests. More room for young objects takes a twentieth less of the processors. WebAssembly
 * that is compiled once and not optimized meanwhile takes a quarter less to open the embedded database; where that one is
 * not used, or where proofs run GEOS for hours, optimized code is worth its time.
 */
const execArgv = [
  '--max-semi-space-size=64',
  ...(testedDatabase(process.env) === 'native' || named ? [] : [COMPILE_ONCE]),
];
// One process more than processors, as tests also wait; one with an embedded database of its own may take 3 GB.
const processes = Math.max(2, Math.min(availableParallelism() + 1, Math.floor(totalmem() / 4e9)));

/**
 * Two projects at most, as each has processes of its own. One process runs file after file: what they import, and the
 * machine code of the embedded database, stay (that alone is ten seconds of a processor). A file that counts work has a
 * process of its own, which counts what it executes from its start on.
 */
function projects(name: string, files: readonly string[]) {
  const [counted, others] = [files.filter((path) => counting.has(path)), files.filter((path) => !counting.has(path))];
  const setupFiles = ['test/setup/counted.ts'];
  return [
    { extends: true as const, test: { name, include: others, isolate: false } },
    ...(counted.length > 0
      ? [{ extends: true as const, test: { name: `${name}-counted`, include: counted, setupFiles } }]
      : []),
  ];
}

export default defineConfig({
  test: {
    pool: 'forks',
    execArgv,
    sequence: { sequencer: LongestFirst },
    maxWorkers: processes,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // What is polled for comes, or never does: a busy machine only makes it late.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/setup/global.ts'],
    setupFiles: ['test/setup/answers.ts'],
    projects: isChosen
      ? [...DAILY.flatMap((name) => projects(name, today[name])), ...(named ? projects('proof', whole) : [])]
      : projects(
          'suite',
          suites?.flatMap((name) => today[name]) ?? [...DAILY.flatMap((name) => today[name]), ...(named ? whole : [])],
        ),
  },
});
