import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { SLIVER_METERS, SLIVER_SHARE } from '../../../workers/arcs/slivers.ts';
import { READABLE } from '../../../workers/formats/registry.ts';
import type { Config } from '../../config.ts';
import { problem } from '../../core/errors.ts';
import type { CoverageOptions } from '../../sources/coverage/options.ts';
import type { ImportSummary } from '../../sources/import_summary.ts';
import type { Preview } from '../../sources/preview.ts';
import { command } from '../context.ts';
import { addFetchOptions, type FileInput, withFetched } from '../fetched.ts';
import { coverageOf, type ImportFlags } from '../import_flags.ts';
import { ENCODING, GEOMETRY, LAYER, oneOf } from '../options.ts';
import { importNotes, namesakeNote, previewText, summaryLine } from '../render/import_report.ts';
import { hasTerminal, saysYes } from '../render/terminal.ts';
import { collect } from './update.ts';

function showImport(summaries: readonly ImportSummary[], flags: { json?: boolean; verbose?: boolean }): void {
  if (flags.json) {
    process.stdout.write(`${JSON.stringify(summaries)}\n`);
    return;
  }
  for (const summary of summaries) {
    process.stdout.write(`${summaryLine(summary)}\n`);
    process.stderr.write(importNotes(summary, flags.verbose === true));
    if (summary.namesakes.length > 0) process.stderr.write(namesakeNote(summary));
  }
}

/** Sets the summary's duration to that of the whole command, which includes opening or creating the database. */
async function timed(work: () => Promise<unknown>): Promise<ImportSummary> {
  const started = performance.now();
  const summary = (await work()) as ImportSummary;
  return { ...summary, seconds: Math.round((performance.now() - started) / 10) / 100 };
}

/** A file and how it is read; null for files of OpenStreetMap. */
interface ImportFile {
  readonly path: string;
  readonly coverage: CoverageOptions | null;
}

/** Checks the files before the database is opened. @throws invalid_input */
async function checkFiles(files: readonly ImportFile[]): Promise<void> {
  const { checkFile } = await import('../../sources/check_file.ts');
  for (const { path, coverage } of files) {
    try {
      await checkFile(resolve(path), path, coverage !== null);
    } catch (error) {
      throw problem('invalid_input', (error as Error).message);
    }
  }
}

/** Shows what an import of coverages would store. @throws invalid_input */
async function showPreviews(files: readonly ImportFile[], flags: ImportFlags): Promise<void> {
  const [{ previewCoverage }, { parseInput }, { coverageOptions }] = await Promise.all([
    import('../../sources/preview.ts'),
    import('../operator/command.ts'),
    import('../../sources/coverage/options.ts'),
  ]);
  const previews: Preview[] = [];
  for (const { path, coverage } of files) {
    if (!coverage)
      throw problem(
        'invalid_input',
        '--dry-run is for files of areas (GeoJSON, a Shapefile …), not of OpenStreetMap: add --source NAME.',
      );
    parseInput(coverageOptions, coverage, ['coverage']);
    try {
      previews.push(await previewCoverage(resolve(path), coverage));
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

/** Asks whether areas shall replace seed boundaries of their names. */
async function wantsReplaced(summary: ImportSummary): Promise<boolean> {
  process.stderr.write(namesakeNote(summary));
  return saysYes('Replace them? They pass on what the file does not state. [y/N] ');
}

/** @throws InvalidArgumentError for a text that is not a box in degrees */
function boxOption(text: string): [number, number, number, number] {
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN, ...more] = text
    .split(',')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const isBox = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  if (isBox && south <= north && more.length === 0) return [west, south, east, north];
  throw new InvalidArgumentError('it must be west,south,east,north in degrees, such as 5.9,45.8,10.5,47.8.');
}

/** @throws InvalidArgumentError for a text that is not an area in km2 */
function sizeOption(text: string): number {
  const km2 = Number(text);
  if (text.trim() !== '' && km2 >= 0 && km2 <= 1e6) return km2;
  throw new InvalidArgumentError('it must be an area in km2 of 0 to 1000000.');
}

/** Overlap that --strict refuses, for --help. */
const SLIVER =
  `by more than ${SLIVER_METERS} m on average or ${100 * SLIVER_SHARE} % of either area ` +
  '(such overlaps are kept otherwise; narrower ones go to the smaller area)';

/** Adds `boundary import` and `boundary seed`. */
export function addImportCommands(cli: Command, config: Config): void {
  addFetchOptions(
    cli
      .command('import')
      .description(
        `import boundaries: .osm.pbf, .osm(.gz, .bz2), Overpass JSON or XML; areas in ${READABLE.join(', ')}, also gzipped or in a zip: without --source, by what their columns say`,
      )
      .argument(
        '<file...>',
        'files, their addresses (https://…), or files of the catalog (@nuts/3; see boundary sources)',
      )
      .option('--source <id>', 'short name of the source; the other flags then say all')
      .option('--name <name>', 'full name of the source')
      .option('--url <url>', 'URL of the source or its license')
      .option('--license <license>', 'license of the data')
      .option('--attribution <text>', 'attribution, written into every exported file')
      .option('--edition <text>', 'edition of the data, such as 2024; kept with the source')
      .option('--map <pairs>', 'properties of the file to read: id=code,name=nom')
      .option('--admin-level <level>', 'admin_level of all features')
      .option(
        '--levels <list>',
        'a file whose rows name the areas that they are parts of: for each admin_level the columns of its id and name, such as 2=GID_0:NAME_0,4=GID_1:NAME_1; without --source also only the levels: 4,6',
      )
      .addOption(
        new Option(
          '--bbox <west,south,east,north>',
          'read only areas whose box meets this one, in degrees (with --land: what the land polygons cover, if not the extent of the file); of a GeoParquet file at an address only groups of rows that may have some are fetched, also with --country',
        ).argParser(boxOption),
      )
      .option('--country <code>', 'ISO 3166-1 country of all features: AT or AUT')
      .addOption(
        oneOf(new Option('--type <type>', 'administrative (default) or postal_code'), [
          'administrative',
          'postal_code',
        ]),
      )
      .addOption(LAYER)
      .addOption(new Option('--object <name>', 'the same as --layer').hideHelp())
      .addOption(GEOMETRY)
      .addOption(ENCODING)
      .option('--crs <system>', 'reference system of the file, whatever it says: EPSG:2154, WKT, PROJJSON')
      .option(
        '--strict',
        `refuse a file in which areas of one level overlap (${SLIVER}), or whose coordinates need a grid that is not here`,
      )
      .option(
        '--valid-from <date>',
        'store the file as the edition of its source that is valid from this date (2015-01-01), beside what is stored of today',
      )
      .option('--land', 'the areas are land: they say which part of boundaries is land; needs --source')
      .option('--water', 'the areas are lakes and rivers, which water=inland cuts out of the land; needs --source')
      .addOption(
        new Option(
          '--inland-water [km2]',
          'of files of OpenStreetMap: also read lakes and rivers of at least this size, which water=inland cuts out of the land (default size: 1)',
        ).argParser(sizeOption),
      )
      .option('--replace', 'let areas take the place of seed boundaries that match only in name, country and place')
      .option('--yes', 'import a file without --source as its columns are understood, without asking')
      .option('--dry-run', 'show the first boundaries of a file of areas as they would be stored; store nothing')
      .option('--verbose', 'list everything that was left out')
      .option('--accept <id>', 'publish this boundary even if its area changed a lot; repeatable', collect)
      .option('--json', 'print the summary as JSON'),
  ).action(async (files: string[], flags: ImportFlags) => {
    await withFetched(files, flags, (inputs) => importFiles(config, inputs, flags));
  });
  cli
    .command('seed')
    .description('load the seed data: the world, the United States, Spain')
    .option('--json', 'print the summaries as JSON')
    .action(async (flags: { json?: boolean }) => {
      showImport((await command(config, 'seed', {})) as ImportSummary[], flags);
    });
}

/** How a file is read; null for files of OpenStreetMap, which say all themselves. @throws invalid_input */
async function coverageFor(input: FileInput, flags: ImportFlags): Promise<CoverageOptions | null> {
  const { chosen } = input;
  if (chosen) {
    const known = (await import('../../sources/catalog.ts')).coverageOf(chosen);
    // A file that the caller has may be of another edition than the recipe's.
    const edition = flags.from === undefined ? { edition: chosen.recipe.edition } : {};
    return known && coverageOf(flags, { ...known, ...edition });
  }
  if (flags.source !== undefined) return coverageOf(flags, null);
  return (await import('../proposed.ts')).agreedCoverage(input, flags);
}

/** Imports a file of land or of inland water in place of what its source had. @throws invalid_input */
async function importPolygons(config: Config, inputs: readonly FileInput[], flags: ImportFlags): Promise<void> {
  const { source, name, url, layer, encoding, crs, bbox } = flags;
  const what = flags.land ? 'land' : 'water';
  if (flags.land && flags.water) throw problem('invalid_input', 'Give --land or --water, not both.');
  if (source === undefined || inputs.length !== 1)
    throw problem('invalid_input', `--${what} takes one file, and --source NAME, such as osm-${what}.`);
  if (flags.validFrom !== undefined)
    throw problem('invalid_input', `--${what} has no --valid-from: ${what} is stored only of today.`);
  if (flags.dryRun)
    throw problem('invalid_input', `--${what} has no --dry-run: import the file to see what it changes.`);
  if (flags.inlandWater !== undefined)
    throw problem('invalid_input', `Give --${what} or --inland-water, which is for files of OpenStreetMap, not both.`);
  const { license = 'unknown', attribution = name ?? source } = flags;
  const polygons = Object.fromEntries(
    Object.entries({ source, name, url, license, attribution, layer, encoding, crs, bbox }).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const summaries: ImportSummary[] = [];
  for (const { path } of inputs)
    summaries.push(await timed(() => command(config, 'import', { file: resolve(path), [what]: polygons })));
  showImport(summaries, flags);
}

async function importFiles(config: Config, inputs: readonly FileInput[], flags: ImportFlags): Promise<void> {
  if (flags.land || flags.water) return importPolygons(config, inputs, flags);
  const waterKm2 = flags.inlandWater === undefined ? null : flags.inlandWater === true ? 1 : Number(flags.inlandWater);
  if (waterKm2 !== null && flags.validFrom !== undefined)
    throw problem('invalid_input', '--inland-water has no --valid-from: water is stored only of today.');
  const files: ImportFile[] = [];
  for (const input of inputs) {
    const coverage = await coverageFor(input, flags);
    const where = input.where && { where: { ...coverage?.where, ...input.where } };
    files.push({ path: input.path, coverage: coverage && { ...coverage, ...where } });
  }
  await checkFiles(files);
  if (waterKm2 !== null && files.some(({ coverage }) => coverage !== null))
    throw problem('invalid_input', '--inland-water is for files of OpenStreetMap: take --water for files of lakes.');
  if (flags.dryRun) return showPreviews(files, flags);
  const summaries: ImportSummary[] = [];
  for (const { path, coverage } of files) {
    const { accept = [], validFrom = null } = flags;
    const input = { file: resolve(path), coverage, accept, validFrom, waterKm2 };
    const summary = await timed(() => command(config, 'import', input));
    const isAsked = summary.namesakes.length > 0 && !flags.json && coverage !== null && hasTerminal();
    summaries.push(isAsked ? { ...summary, namesakes: [] } : summary);
    if (!isAsked || !(await wantsReplaced(summary))) continue;
    summaries.push(
      await timed(() => command(config, 'import', { ...input, coverage: { ...coverage, replace: true } })),
    );
  }
  showImport(summaries, flags);
}
