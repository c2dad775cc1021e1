import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { packageRoot } from '../../src/common/package_root.ts';

/** The entries of our threads, and of the processes that a server forks. */
const ENTRIES = {
  thread: 'workers/tasks/thread',
  collection_writer: 'workers/collection_writer',
  read_isolated_process: 'src/sources/read_isolated_process',
};

/**
 * Bundles the programs of our threads and forked processes into a folder of the cache, and gives its path:
 * `BUNDLED_THREADS` tells it to their *.dev.js files. One that starts from its sources translates fifty files, which takes
 * 0.4 s more of a processor; each test file with an engine starts two or three threads.
 */
export async function bundleThreads(run: string): Promise<string> {
  const root = packageRoot();
  // In the repository, for packages to be found.
  const outDir = join(root, '.test-cache', `threads-${run}`);
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        // A module finds files beside itself, by the address of its source.
        name: 'own-address',
        transform(code, id) {
          if (!id.startsWith(root) || !id.endsWith('.ts') || !code.includes('import.meta.url')) return null;
          return { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)), map: null };
        },
      },
    ],
    build: {
      outDir,
      ssr: true,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(root, `${file}.ts`)])),
      },
    },
  });
  return outDir;
}
