import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Extension } from '@electric-sql/pglite';
import { postgis as whole } from '@electric-sql/pglite-postgis';
import { packageRoot } from '../common/package_root.ts';

/** PostGIS libraries that no statement here calls. Each has 16 MB, to be compiled and relocated at every start. */
const UNUSED = /\/postgis_(?:raster|topology)-3\.so$/;

/** Handles files of an extension as they are unpacked (Emscripten, "preloadPlugins"); the first that can, does. */
interface PreloadPlugin {
  canHandle(path: string): boolean;
  handle(bytes: Uint8Array, path: string, done: (bytes: Uint8Array) => void): void;
}

/** An extension that leaves out the unused PostGIS libraries: their files are empty. */
export const leaveOutLibraries: Extension = {
  name: 'unused libraries',
  setup: async (_database: unknown, options: { preloadPlugins?: PreloadPlugin[] }) => {
    const leaveOut: PreloadPlugin = {
      canHandle: (path) => UNUSED.test(path),
      handle: (_bytes, _path, done) => done(new Uint8Array(0)),
    };
    options.preloadPlugins = [leaveOut, ...(options.preloadPlugins ?? [])];
    return { emscriptenOpts: options };
  },
};

/**
 * PostGIS from the files that a build chose (scripts/make_postgis.ts), or from all of its package where the program runs
 * from its sources: a database holds each file in memory, and unpacks it at every start.
 */
export const postgis: Extension = {
  ...whole,
  setup: async (database, options) => {
    const made = await whole.setup(database, options);
    const chosen = join(packageRoot(), 'dist', 'postgis.tar.gz');
    const isBuilt = import.meta.url.endsWith('.js') && existsSync(chosen);
    return isBuilt ? { ...made, bundlePath: pathToFileURL(chosen) } : made;
  },
};
