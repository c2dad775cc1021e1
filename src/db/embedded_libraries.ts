import type { Extension } from '@electric-sql/pglite';

/** The libraries of PostGIS that no statement of ours calls; each is 16 MB that would be compiled and relocated at every start. */
const UNUSED = /\/postgis_(?:raster|topology)-3\.so$/;

/** Takes the files of an extension as they are unpacked (Emscripten, "preloadPlugins"); the first that can handles a file. */
interface PreloadPlugin {
  canHandle(path: string): boolean;
  handle(bytes: Uint8Array, path: string, done: (bytes: Uint8Array) => void): void;
}

/** Leaves the unused libraries of PostGIS out of a PGlite that is opened with this extension: their files are empty. */
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
