import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import type { StaleBoundary } from '../../domain/boundaries/freshness.ts';
import { command } from '../context.ts';

/** Adds `boundary admin stale`, which lists the boundaries that keep an older shape. */
export function addStaleCommand(admin: Command, config: Config): void {
  admin
    .command('stale')
    .description('boundaries that keep an older shape because the new one is broken: reason, place, time')
    .option('--json', 'print them as JSON')
    .action(async (flags: { json?: boolean }) => {
      const stale = (await command(config, 'admin_stale', {})) as StaleBoundary[];
      if (flags.json) process.stdout.write(`${JSON.stringify(stale)}\n`);
      else if (stale.length === 0) process.stdout.write('No boundary is stale.\n');
      for (const { id, name, stale: why } of flags.json ? [] : stale) {
        const place = why.lat === null || why.lon === null ? '' : ` at ${why.lat},${why.lon}`;
        process.stdout.write(`${id} ${name}: ${why.reason}${place}, since ${why.since}\n`);
      }
    });
}
