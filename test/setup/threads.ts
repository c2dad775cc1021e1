import { join } from 'node:path';
import { build } from 'vite';
import { packageRoot } from '../../src/common/package_root.ts';

/** The entries of our threads in workers. */
const ENTRIES = { thread: 'tasks/thread', collection_writer: 'collection_writer' };

/**
 * Bundles the programs of our threads into a folder of the cache, and gives its path: `BUNDLED_THREADS` tells it to
 * their *.dev.js files. A thread that starts from its sources translates fifty files, which takes 0.4 s more of a processor;
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
        input: Object.fromEntries(
          Object.entries(ENTRIES).map(([name, file]) => [name, join(root, 'workers', `${file}.ts`)]),
        ),
      },
    },
  });
  return outDir;
}
