import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { SLIVER_METERS, SLIVER_SHARE } from '../../../workers/kernels/slivers.ts';
import type { Config } from '../../config.ts';
import { problem } from '../../core/errors.ts';
import type { ImportSummary } from '../../sources/import.ts';
import type { Preview } from '../../sources/preview.ts';
import { command } from '../context.ts';
import { oneOf } from '../options.ts';
import { importNotes, previewText, summaryLine } from '../render/import_report.ts';
import { collect } from './update.ts';

function showImport(summaries: readonly ImportSummary[], flags: { json?: boolean; verbose?: boolean }): void {
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(summaries)}\n`);
    return;
  }
  for (const summary of summaries) {
    process.stdout.write(`${summaryLine(summary)}\n`);
    process.stderr.write(importNotes(summary, flags.verbose === true));
  }
}

/** Sets the summary's duration to that of the whole command, which includes opening or creating the database. */
async function timed(work: () => Promise<unknown>): Promise<ImportSummary> {
  const started = performance.now();
  const summary = (await work()) as ImportSummary;
  return { ...summary, seconds: Math.round((performance.now() - started) / 10) / 100 };
}

/** Checks the files before the database is opened. Throws invalid_input. */
async function checkFiles(files: readonly string[], isCoverage: boolean): Promise<void> {
  const { checkFile } = await import('../../sources/check_file.ts');
  for (const file of files) {
    try {
      await checkFile(resolve(file), file, isCoverage);
    } catch (error) {
      throw problem('invalid_input', (error as Error).message);
    }
  }
}

/** Shows what an import of coverages would store. Throws invalid_input. */
async function showPreviews(files: readonly string[], flags: ImportFlags): Promise<void> {
  const options = coverageOf(flags);
  if (!options) throw problem('invalid_input', '--dry-run is for GeoJSON and TopoJSON: add --source NAME.');
  const { previewCoverage } = await import('../../sources/preview.ts');
  const previews: Preview[] = [];
  for (const file of files) {
    try {
      previews.push(await previewCoverage(resolve(file), options));
    } catch (error) {
      throw problem('invalid_input', (error as Error).message);
    }
  }
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(previews)}\n`);
    return;
  }
  for (const preview of previews) {
    process.stdout.write(previewText(preview));
    process.stderr.write(importNotes({ ...preview, broken: [] }, flags.verbose === true));
  }
}

interface ImportFlags {
  source?: string;
  name?: string;
  url?: string;
  license?: string;
  attribution?: string;
  map?: string;
  adminLevel?: string;
  country?: string;
  type?: 'administrative' | 'postal_code';
  object?: string;
  strict?: boolean;
  encoding?: string;
  dryRun?: boolean;
  verbose?: boolean;
  accept?: string[];
  json?: boolean;
}

/** Parses `id=code,name=nom`. */
function readMap(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [key = '', ...rest] = part.split('=');
      return [key.trim(), rest.join('=').trim()];
    }),
  );
}

function coverageOf(flags: ImportFlags) {
  const { json: _json, accept: _accept, dryRun: _dryRun, verbose: _verbose, map, adminLevel, source, ...rest } = flags;
  if (!source) return null;
  return {
    ...rest,
    source,
    license: flags.license ?? 'unknown',
    attribution: flags.attribution ?? flags.name ?? source,
    ...(map === undefined ? {} : { map: readMap(map) }),
    ...(adminLevel === undefined ? {} : { adminLevel: Number(adminLevel) }),
  };
}

/** Overlap that --strict refuses, for --help. */
const SLIVER =
  `by more than ${SLIVER_METERS} m on average or ${100 * SLIVER_SHARE} % of either area ` +
  '(such overlaps are kept otherwise; narrower ones go to the smaller area)';

/** Adds `boundary import` and `boundary seed`. */
export function addImportCommands(cli: Command, config: Config): void {
  cli
    .command('import')
    .description(
      'import boundaries: .osm.pbf, .osm(.gz, .bz2), Overpass JSON or XML; with --source GeoJSON or TopoJSON',
    )
    .argument('<file...>')
    .option('--source <id>', 'short name of the source; the file is GeoJSON or TopoJSON')
    .option('--name <name>', 'full name of the source')
    .option('--url <url>', 'URL of the source or its license')
    .option('--license <license>', 'license of the data')
    .option('--attribution <text>', 'attribution, written into every exported file')
    .option('--map <pairs>', 'properties of the file to read: id=code,name=nom')
    .option('--admin-level <level>', 'admin_level of all features')
    .option('--country <code>', 'ISO 3166-1 alpha-2 country of all features')
    .addOption(
      oneOf(new Option('--type <type>', 'administrative (default) or postal_code'), ['administrative', 'postal_code']),
    )
    .option('--object <name>', 'the object of a TopoJSON file')
    .option('--encoding <name>', 'encoding of the file when it is not UTF-8: latin1, windows-1250, koi8-r …')
    .option('--strict', `refuse a file in which areas of one level overlap: ${SLIVER}`)
    .option(
      '--dry-run',
      'show the first boundaries of a GeoJSON or TopoJSON file as they would be stored; store nothing',
    )
    .option('--verbose', 'list everything that was left out')
    .option('--accept <id>', 'publish this boundary even if its area changed a lot; repeatable', collect)
    .option('--json', 'print the summary as JSON')
    .action(async (files: string[], flags: ImportFlags) => {
      await checkFiles(files, flags.source !== undefined);
      if (flags.dryRun) return showPreviews(files, flags);
      const summaries: ImportSummary[] = [];
      for (const file of files) {
        const input = { file: resolve(file), coverage: coverageOf(flags), accept: flags.accept ?? [] };
        summaries.push(await timed(() => command(config, 'import', input)));
      }
      showImport(summaries, flags);
    });
  cli
    .command('seed')
    .alias('starter')
    .description('load the seed data: the world, the United States, Spain')
    .option('--json', 'print the summaries as JSON')
    .action(async (flags: { json?: boolean }) => {
      showImport((await command(config, 'seed', {})) as ImportSummary[], flags);
    });
}
