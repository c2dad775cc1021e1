/**
 * Builds the dashboard (web/) and stores each file uncompressed, with gzip and with brotli, for the server to send:
 *
 *   npx tsx scripts/make_web.ts [FOLDER]     # the output folder; default dist/web
 *
 * Builds nothing if the folder was built from the same sources.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';
import { usedMapCss } from './map_css.ts';

const root = resolve(import.meta.dirname, '..');
const sources = join(root, 'web');
const target = resolve(process.argv[2] ?? join(root, 'dist/web'));
const mark = join(target, '.sources');
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Server sources that the dashboard imports: vocabulary that both must share. */
const SHARED = [
  ...['src/core/roles.ts', 'src/core/audit_actions.ts', 'data/reference_systems.tsv'].map((file) => join(root, file)),
  ...filesIn(join(root, 'src/common/shared_texts')),
];
/** Where the readers, converters and writers of files are, which run in a worker of the page, and the classes and colors of maps. */
const WORKERS = join(root, 'workers');
/** What they use of Node, and what stands for it in a browser. */
const NODE = [
  { find: 'node:zlib', replacement: join(sources, 'reading/zlib.ts') },
  { find: 'util', replacement: join(sources, 'reading/util.ts') },
  { find: 'node:buffer', replacement: join(sources, 'reading/buffer.ts') },
  {
    find: /^node:(?:path|module|fs|fs\/promises|url|crypto|os|stream|stream\/promises)$/,
    replacement: join(sources, 'reading/node.ts'),
  },
];
/** Packages bundled into the files. */
const BUNDLED = [
  'vite',
  'preact',
  'maplibre-gl',
  'buffer',
  'fflate',
  'hyparquet',
  'hyparquet-writer',
  'geos-wasm',
  '@turf/simplify',
  'd3-scale',
  'd3-scale-chromatic',
  'geographiclib-geodesic',
];
const COMPRESSED = /\.(?:js|css|svg|html|json|tsv)$/;

/** A hash of all inputs of the build. */
function sourceHash(): string {
  const hash = createHash('sha256');
  for (const file of [
    import.meta.filename,
    join(root, 'scripts/map_css.ts'),
    ...SHARED,
    ...filesIn(WORKERS),
    ...filesIn(sources),
  ]) {
    const bytes = readFileSync(file);
    hash.update(`${file.slice(root.length)} ${bytes.length}\n`).update(bytes);
  }
  for (const name of BUNDLED) hash.update(readFileSync(join(root, 'node_modules', name, 'package.json')));
  return hash.digest('hex');
}

async function compress(file: string): Promise<void> {
  const bytes = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  writeFileSync(`${file}.br`, br);
  writeFileSync(`${file}.gz`, gz);
}

const mapCss: Plugin = {
  name: 'map-css',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('/maplibre-gl.css') ? usedMapCss(code) : null),
};

/** Refuses modules that the hash of the sources does not contain: after a change of one, nothing would be built. */
const hashedOnly = (): Plugin => ({
  name: 'hashed-only',
  moduleParsed({ id }) {
    const [file = ''] = id.split('?');
    const isHashed = [sources, WORKERS, join(root, 'node_modules')].some((folder) => file.startsWith(`${folder}/`));
    if (file.startsWith(`${root}/`) && !isHashed && !SHARED.includes(file)) {
      this.error(`${file} is not among the sources that the build is hashed by: add it to SHARED.`);
    }
  },
});

/** Leaves out the writer of tiles, which needs most of the kernels: a page writes the other formats. */
const withoutTiles = (): Plugin => ({
  name: 'without-tiles',
  enforce: 'pre',
  resolveDynamicImport: (target, importer) =>
    target === './write.ts' && importer?.endsWith('/pmtiles/format.ts') ? '\0nothing' : null,
  resolveId: (id) => (id === '\0nothing' ? id : null),
  load: (id) => (id === '\0nothing' ? 'export {}' : null),
});

/** The scripts of pages that the server renders, with the map that one of them loads. */
const SCRIPTS = ['docs', 'view', 'view_map'].map((name) => join(sources, `src/${name}.ts`));

/** The modules that some modules import at once, also by way of others, and themselves. */
function importedBy(entries: readonly string[], modules: Rolldown.ChunkingContext): Set<string> {
  const all = new Set(entries);
  for (const id of all) for (const next of modules.getModuleInfo(id)?.importedIds ?? []) all.add(next);
  return all;
}

/**
 * The chunk of a module of the first load: `first`, or `common` for what the scripts of the server's pages import too.
 * Without this, it would be one for each set of pages that import the same modules: 17 requests.
 */
const chunkOf = (id: string, modules: Rolldown.ChunkingContext): string | null => {
  if (!importedBy([join(sources, 'index.html'), join(sources, 'src/main.tsx')], modules).has(id)) return null;
  return importedBy(SCRIPTS, modules).has(id) ? 'common' : 'first';
};

// Also where a test builds it, so that it is what users get.
process.env.NODE_ENV = 'production';
const hash = sourceHash();
if (!existsSync(mark) || readFileSync(mark, 'utf8') !== hash) {
  // Build in a temporary folder next to the target, then rename it.
  const draft = `${target}.${process.pid}`;
  await build({
    root: sources,
    configFile: false,
    logLevel: 'error',
    // Relative, because the service may run under a path.
    base: './',
    plugins: [mapCss, hashedOnly()],
    resolve: { alias: NODE },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    worker: { format: 'es', plugins: () => [withoutTiles(), hashedOnly()] },
    build: {
      outDir: draft,
      emptyOutDir: true,
      target: 'es2022',
      // The Content-Security-Policy of the page forbids data: style sheets, scripts and fonts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1500,
      rolldownOptions: {
        // The server renders the pages under /docs, /ogc and /tiles and loads their scripts by fixed names.
        input: {
          index: join(sources, 'index.html'),
          docs: join(sources, 'src/docs.ts'),
          view: join(sources, 'src/view.ts'),
        },
        output: {
          codeSplitting: { groups: [{ name: chunkOf }] },
          // The server names the texts of the browser's language in the page.
          chunkFileNames: ({ facadeModuleId }) =>
            `assets/${/\/texts\/\w+\.ts$/.test(facadeModuleId ?? '') ? 'texts-' : ''}[name]-[hash].js`,
          entryFileNames: ({ name }) => (name === 'docs' || name === 'view' ? `${name}.js` : 'assets/[name]-[hash].js'),
        },
      },
    },
  });
  await Promise.all(
    filesIn(draft)
      .filter((file) => COMPRESSED.test(file))
      .map(compress),
  );
  writeFileSync(join(draft, '.sources'), hash);
  rmSync(target, { recursive: true, force: true });
  renameSync(draft, target);
}
