import { join } from 'node:path';
import { build } from 'vite';
import { packageRoot } from '../../src/db/root.ts';

/** The entries of our threads (workers/*.dev.js). */
const ENTRIES = ['geometry', 'collection_writer'];

/**
 * Bundles the programs of our threads into a folder of the cache, and gives its path: `BUNDLED_THREADS` tells it to
 * workers/*.dev.js. A thread that starts from its sources translates fifty files, which takes 0.4 s more of a processor;
 * each test file with an engine starts two or three.
 */
export async function bundleThreads(run: string): Promise<string> {
  const root = packageRoot();
  // In the repository, for packages to be found.
  const outDir = join(root, '.test-cache', `threads-${run}`);
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      ssr: true,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(ENTRIES.map((name) => [name, join(root, 'workers', `${name}.ts`)])),
      },
    },
  });
  return outDir;
}
