import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import type { CountryCompleteness, UnknownKind } from '../../domain/boundaries/completeness.ts';
import { command } from '../context.ts';

/**
 * Adds `boundary admin kinds` and `boundary admin coverage`, which show what is stored and what the kinds table lacks.
 */
export function addCompletenessCommands(admin: Command, config: Config): void {
  admin
    .command('kinds')
    .description('stored boundaries whose country and admin_level are not in the kinds table')
    .requiredOption('--unknown', 'list them (list-kinds shows the table)')
    .option('--json', 'print them as JSON')
    .action(async (flags: { json?: boolean }) => {
      const unknown = (await command(config, 'admin_unknown_kinds', {})) as UnknownKind[];
      if (flags.json) process.stdout.write(`${JSON.stringify(unknown)}\n`);
      else if (unknown.length === 0) process.stdout.write('Every stored boundary is in the kinds table.\n');
      for (const { country, admin_level, boundaries, examples } of flags.json ? [] : unknown) {
        const where = `${country ?? 'no country'}, admin_level ${admin_level ?? 'none'}`;
        process.stdout.write(`${where}: ${boundaries} (${examples.join(', ')})\n`);
      }
    });
  admin
    .command('coverage')
    .description('what is stored for each country: levels, postcode areas, broken and stale boundaries')
    .argument('[country]', 'ISO 3166-1 alpha-2 code')
    .option('--json', 'print it as JSON')
    .action(async (country: string | undefined, flags: { json?: boolean }) => {
      const input = country === undefined ? {} : { country: country.toUpperCase() };
      const report = (await command(config, 'admin_coverage', input)) as CountryCompleteness[];
      if (flags.json) process.stdout.write(`${JSON.stringify(report)}\n`);
      else if (report.length === 0) process.stdout.write('No boundaries are stored.\n');
      for (const one of flags.json ? [] : report) process.stdout.write(`${coverageLine(one)}\n`);
    });
}

function coverageLine({ country, levels, postal_code, broken, stale, sources }: CountryCompleteness): string {
  const counts = levels.map(({ admin_level, boundaries }) => `${boundaries} at ${admin_level ?? 'no level'}`);
  const share = postal_code.share === null ? '' : `, ${Math.round(100 * postal_code.share)} % of the country`;
  const postcodes =
    postal_code.state === 'mapped' ? `${postal_code.boundaries} postcode areas${share}` : 'postcode areas not mapped';
  const troubles = [broken > 0 ? `${broken} without a polygon` : '', stale > 0 ? `${stale} stale` : ''];
  const parts = [...counts, postcodes, ...troubles].filter((part) => part !== '');
  return `${country ?? '--'}: ${parts.join('; ')} (${sources.join(', ')})`;
}
