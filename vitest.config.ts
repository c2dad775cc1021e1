import { defineConfig } from 'vitest/config';
import { divideTests } from './test/setup/projects.ts';
import { LongestFirst } from './test/setup/sequence.ts';

const { database, program, proof, unit } = divideTests(import.meta.dirname);

// Proofs take minutes: they run where the command line names them (npm run test:proof, or a file of theirs).
const named = process.argv.some((word) => word.includes('proof'));

// A PGlite instance takes about 1 GB: two test processes at most, each with its own.
export default defineConfig({
  test: {
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    globalSetup: ['test/setup/global.ts'],
    setupFiles: ['test/setup/answers.ts'],
    projects: [
      // One process runs file after file: what they import, and the machine code of the embedded database, stay.
      { extends: true, test: { name: 'unit', include: unit, isolate: false } },
      { extends: true, test: { name: 'program', include: program, isolate: false } },
      { extends: true, test: { name: 'database', include: database, isolate: false } },
      ...(named ? [{ extends: true as const, test: { name: 'proof', include: proof, isolate: false } }] : []),
    ],
  },
});
