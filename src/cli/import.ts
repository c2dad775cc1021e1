import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { Config } from '../config.ts';
import type { ImportSummary } from '../sources/import.ts';
import { oneOf } from '../transports/options.ts';
import { command } from './context.ts';
import { collect } from './update.ts';

/** One line of what an import did. */
export function summaryLine(summary: ImportSummary): string {
  const parts = [
    `${summary.read} read`,
    `${summary.added} added`,
    `${summary.replaced} replaced`,
    `${summary.unchanged} unchanged`,
  ];
  if (summary.older > 0) parts.push(`${summary.older} older than what is stored`);
  if (summary.reassembled > 0) parts.push(`${summary.reassembled} made anew`);
  if (summary.retiered > 0) parts.push(`${summary.retiered} arcs near them simplified anew`);
  if (summary.mended > 0) parts.push(`${summary.mended} mended`);
  if (summary.aliased > 0) parts.push(`${summary.aliased} starter shapes replaced`);
  if (summary.doubles > 0) parts.push(`${summary.doubles} starter shapes beside them`);
  if (summary.skipped.length > 0) parts.push(`${summary.skipped.length} skipped`);
  if (summary.broken.length > 0) parts.push(`${summary.broken.length} without a polygon`);
  const memory = Math.round(summary.peakRss / 2 ** 20);
  return `${summary.file}: ${parts.join(', ')}; ${summary.arcs} arcs, ${summary.seconds} s, peak memory ${memory} MiB`;
}

/** What an import left out, and why: each boundary once, the place where it is to be mended. */
function troubles(summary: ImportSummary): string {
  const lines = summary.broken.map(({ id, name, reason, lat, lon }) => {
    const place = lat === null || lon === null ? '' : ` at ${lat},${lon}`;
    return `  ${id} ${name}: ${reason}${place}`;
  });
  for (const { id, reason } of summary.skipped) lines.push(`  ${id} skipped: ${reason}`);
  const most = 20;
  if (lines.length > most) lines.splice(most, lines.length, `  … and ${lines.length - most} more (--json lists all)`);
  return lines.map((line) => `${line}\n`).join('');
}

function showImport(summaries: readonly ImportSummary[], json: boolean): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(summaries)}\n`);
    return;
  }
  for (const summary of summaries) {
    process.stdout.write(`${summaryLine(summary)}\n`);
    process.stderr.write(troubles(summary));
  }
}

interface ImportFlags {
  source?: string;
  name?: string;
  url?: string;
  licence?: string;
  attribution?: string;
  map?: string;
  adminLevel?: string;
  country?: string;
  type?: 'administrative' | 'postal_code';
  object?: string;
  accept?: string[];
  json?: boolean;
}

/** `id=code,name=nom` as an object. */
function readMap(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [key, ...rest] = part.split('=');
      return [key.trim(), rest.join('=').trim()];
    }),
  );
}

function coverageOf(flags: ImportFlags): object | null {
  const { json: _json, accept: _accept, map, adminLevel, ...rest } = flags;
  if (!flags.source) return null;
  return {
    ...rest,
    licence: flags.licence ?? 'unknown',
    attribution: flags.attribution ?? flags.name ?? flags.source,
    ...(map === undefined ? {} : { map: readMap(map) }),
    ...(adminLevel === undefined ? {} : { adminLevel: Number(adminLevel) }),
  };
}

/** `boundary import` and `boundary starter`. */
export function addImportCommands(cli: Command, config: Config): void {
  cli
    .command('import')
    .description(
      'import boundaries: .osm.pbf, .osm(.gz, .bz2), Overpass JSON or XML; with --source GeoJSON or TopoJSON',
    )
    .argument('<file...>')
    .option('--source <id>', 'the file is a coverage (GeoJSON, TopoJSON) of this source, a short name')
    .option('--name <name>', 'full name of the source')
    .option('--url <url>', 'address of the source or its licence')
    .option('--licence <licence>', 'licence of the data')
    .option('--attribution <text>', 'attribution that goes into every file')
    .option('--map <pairs>', 'which property is what: id=code,name=nom')
    .option('--admin-level <level>', 'admin_level of all features')
    .option('--country <code>', 'ISO 3166-1 alpha-2 country of all features')
    .addOption(
      oneOf(new Option('--type <type>', 'administrative (default) or postal_code'), ['administrative', 'postal_code']),
    )
    .option('--object <name>', 'the object of a TopoJSON file')
    .option('--accept <id>', 'publish this boundary although its area changed much; repeatable', collect)
    .option('--json', 'print the summary as JSON')
    .action(async (files: string[], flags: ImportFlags) => {
      const summaries: ImportSummary[] = [];
      for (const file of files) {
        const input = { file: resolve(file), coverage: coverageOf(flags), accept: flags.accept ?? [] };
        summaries.push((await command(config, 'import', input)) as ImportSummary);
      }
      showImport(summaries, flags.json === true);
    });
  cli
    .command('starter')
    .description('load the starter set: the world, the United States, Spain')
    .option('--json', 'print the summaries as JSON')
    .action(async (flags: { json?: boolean }) => {
      showImport((await command(config, 'starter', {})) as ImportSummary[], flags.json === true);
    });
}
