import { availableParallelism, totalmem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { filesOfTheDay } from './test/setup/days.ts';
import { divideTests } from './test/setup/projects.ts';
import { LongestFirst } from './test/setup/sequence.ts';

// Proofs take minutes: they run where the command line names them (npm run test:proof, or a file of theirs).
const named = process.argv.some((word) => word.includes('proof'));
// Elsewhere, tests that draw their cases take a tenth of them; by npm run test:proof they run whole as well.
if (!named) process.env.PROOF_ROUNDS ??= '0.1';
const { database, drawing, either, program, proof, unit } = filesOfTheDay(
  divideTests(import.meta.dirname),
  process.argv.slice(3),
  Boolean(process.env.TEST_DATABASE_URL),
);
const whole = process.env.PROOF_ROUNDS === undefined ? [...proof, ...drawing] : proof;
// One process more than processors, as tests also wait; one with an embedded database of its own may take 3 GB.
const processes = Math.max(2, Math.min(availableParallelism() + 1, Math.floor(totalmem() / 4e9)));

export default defineConfig({
  test: {
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    maxWorkers: processes,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // What is polled for comes, or never does: a busy machine only makes it late.
    expect: { poll: { timeout: 30_000 } },
    globalSetup: ['test/setup/global.ts'],
    setupFiles: ['test/setup/answers.ts'],
    projects: [
      // One process runs file after file: what they import, and the machine code of the embedded database, stay.
      { extends: true, test: { name: 'unit', include: unit, isolate: false } },
      { extends: true, test: { name: 'program', include: program, isolate: false } },
      { extends: true, test: { name: 'either', include: either, isolate: false } },
      { extends: true, test: { name: 'database', include: database, isolate: false } },
      ...(named ? [{ extends: true as const, test: { name: 'proof', include: whole, isolate: false } }] : []),
    ],
  },
});
