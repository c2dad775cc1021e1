import { defineConfig } from 'vitest/config';

// A PGlite instance takes about 1 GB: two test processes at most, each with its own.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    globalSetup: ['test/setup/global.ts'],
    setupFiles: ['test/setup/answers.ts'],
  },
});
