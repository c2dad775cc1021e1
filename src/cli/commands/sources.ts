import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import type { Recipe, SourceFile } from '../../sources/catalog.ts';
import type { RemovedSource, StoredSource } from '../../sources/stored.ts';
import { inCatalog } from '../catalog.ts';
import { command } from '../context.ts';

const nameOf = (recipe: Recipe, { part }: SourceFile): string => (part === '' ? recipe.name : `${recipe.name}/${part}`);

/** A line for each source of the catalog. */
function listText(catalog: readonly Recipe[]): string {
  const width = Math.max(...catalog.map(({ name }) => name.length));
  const lines = catalog.map(
    ({ name, title, publisher, edition, verified }) =>
      `${name.padEnd(width)}  ${title} (${publisher}), ${edition}${verified ? '' : '; not tried'}`,
  );
  return `${lines.join('\n')}\n\nboundary sources show NAME says what is in one; boundary import @NAME[/PART] imports it.\n`;
}

/** What is known of a source. */
function recipeText(recipe: Recipe): string {
  const { title, publisher, homepage, license, attribution, redistribution, edition, verified, notes, files } = recipe;
  const about: (readonly [string, string])[] = [
    ['publisher', `${publisher}, ${homepage}`],
    ['license', `${license}${redistribution ? '' : '; others may not pass the data on'}`],
    ['attribution', attribution],
    ['edition', edition],
    ['tried', verified ? 'yes' : 'no: the addresses and columns are those of the documentation'],
    ...notes.map((note) => ['note', note] as const),
  ];
  const lines = files.map((file) => {
    const { holds, crs, size_mb: size, admin_level: level, address, layer } = file;
    const facts = [
      level === undefined ? null : `admin_level ${level}`,
      crs ?? null,
      layer === undefined ? null : `layer ${layer}`,
      size === undefined ? null : `${size} MB`,
    ];
    const where = address ?? 'no address that stays: give the file with --from';
    return `  @${nameOf(recipe, file)}: ${[holds, ...facts.filter((fact) => fact !== null)].join(', ')}\n    ${where}`;
  });
  const head = about.map(([key, value]) => `${`${key}:`.padEnd(13)}${value}`);
  return `${title}\n${head.join('\n')}\nfiles:\n${lines.join('\n')}\n`;
}

const boundariesText = (count: number): string => `${count} ${count === 1 ? 'boundary' : 'boundaries'}`;

/** A line for each stored source, in their order. */
function storedText(stored: readonly StoredSource[]): string {
  if (stored.length === 0) return 'No source is stored; boundary sources lists those that are ready to import.\n';
  const lines = stored.map((one) => {
    const accuracy = one.accuracy_m === null ? 'accuracy not known' : `within ${one.accuracy_m} m`;
    const system =
      one.reference_system === null ? 'reference system not stated' : `${one.reference_system}, ${accuracy}`;
    const countries = one.countries.slice(0, MOST_COUNTRIES).join(' ');
    const more = one.countries.length > MOST_COUNTRIES ? ` and ${one.countries.length - MOST_COUNTRIES} more` : '';
    const place = one.position === null ? '-' : String(one.position);
    const edition = one.edition === null ? '' : ` edition ${one.edition};`;
    return `${place.padStart(2)} ${one.id}:${edition} ${boundariesText(one.boundaries)} (${countries}${more}); ${system}; imported ${one.imported_at.slice(0, 10)}`;
  });
  return `${lines.join('\n')}\n`;
}

/** The most countries of a source that a line lists. */
const MOST_COUNTRIES = 8;

/** Adds `boundary sources`. */
export function addSourcesCommand(cli: Command, config: Config): void {
  const sources = cli.command('sources').description('list the sources of boundaries that are ready to import');
  sources.option('--json', 'print them as JSON').action(async ({ json }: { json?: boolean }) => {
    const { readCatalog } = await import('../../sources/catalog.ts');
    const catalog = readCatalog();
    process.stdout.write(json ? `${JSON.stringify(catalog)}\n` : listText(catalog));
  });
  sources
    .command('show')
    .description('show what a source holds, its license, its files and what is known to be wrong with it')
    .argument('<name>')
    .option('--json', 'print it as JSON')
    .action(async (name: string, { json }: { json?: boolean }) => {
      const { findRecipe } = await import('../../sources/catalog.ts');
      const recipe = inCatalog(() => findRecipe(name.replace(/^@/, '')));
      process.stdout.write(json ? `${JSON.stringify(recipe)}\n` : recipeText(recipe));
    });
  const show = (stored: unknown, json: boolean | undefined) => {
    process.stdout.write(json ? `${JSON.stringify(stored)}\n` : storedText(stored as StoredSource[]));
  };
  sources
    .command('stored')
    .description('list the sources that are stored: their order, reference system, countries')
    .option('--json', 'print them as JSON')
    .action(async ({ json }: { json?: boolean }) => show(await command(config, 'sources_stored', {}), json));
  sources
    .command('prefer')
    .description('set the order in which stored sources answer for the same place: a search, an ISO code, other codes')
    .argument('<sources>', 'their short names, the most preferred first: overture,osm')
    .option('--json', 'print the stored sources as JSON')
    .action(async (text: string, { json }: { json?: boolean }) => {
      const named = text.split(',').map((one) => one.trim()); // an empty text clears the order
      show(await command(config, 'sources_prefer', { sources: named.filter((one) => one !== '') }), json);
    });
  sources
    .command('remove')
    .description('remove a stored source with all its boundaries; seed boundaries whose places it took come back')
    .argument('<name>')
    .option('--json', 'print what was removed as JSON')
    .action(async (name: string, { json }: { json?: boolean }) => {
      const removed = (await command(config, 'sources_remove', { source: name })) as RemovedSource;
      const back = removed.restored === 0 ? '' : `; back from the seed data: ${boundariesText(removed.restored)}`;
      const text = `${removed.id} was removed with ${boundariesText(removed.boundaries)}${back}.`;
      process.stdout.write(`${json ? JSON.stringify(removed) : text}\n`);
    });
}
