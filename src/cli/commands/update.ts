import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../../config.ts';
import type { ChangeSummary } from '../../sources/update/apply.ts';
import type { ReplicationSummary } from '../../sources/update/replication.ts';
import { command } from '../context.ts';

interface UpdateFlags {
  from?: string;
  sequence?: number;
  most?: number;
  accept?: string[];
  json?: boolean;
}

/** Adds `boundary update`: applies map changes from files or a replication folder, or supplies missing objects. */
export function addUpdateCommand(cli: Command, config: Config): void {
  cli
    .command('update')
    .description('apply map changes: OsmChange files or, with --from, a replication folder')
    .argument('[file...]', '.osc, .osc.gz or .osc.bz2, in order')
    .option('--from <address>', 'a replication folder (file: or http: address), or an .osm.pbf with missing objects')
    .option('--sequence <number>', 'the last change that the data already contains; required the first time', whole)
    .option('--most <number>', 'apply at most this many changes', wholeFrom1)
    .option('--accept <id>', 'publish this boundary even if its area changed a lot; repeatable', collect)
    .option('--json', 'print the summaries as JSON')
    .action(async (files: string[], flags: UpdateFlags) => {
      const { accept = [], from, json } = flags;
      const done: unknown[] = [];
      const show = (summary: object, text: string) => {
        done.push(summary);
        if (!json) process.stdout.write(`${text}\n`);
      };
      for (const file of files) {
        const summary = (await command(config, 'update_file', { file: resolve(file), accept })) as ChangeSummary;
        show(summary, changeLine(summary));
      }
      if (from && /^(https?|file):/.test(from)) {
        const { sequence, most } = flags;
        const input = {
          from,
          accept,
          ...(sequence === undefined ? {} : { sequence }),
          ...(most === undefined ? {} : { most }),
        };
        const summary = (await command(config, 'update_replication', input)) as ReplicationSummary;
        const lines = summary.changes.map(changeLine);
        show(summary, [...lines, `${summary.from}: at change ${summary.sequence} of ${summary.latest}`].join('\n'));
      } else if (from) {
        const summary = (await command(config, 'update_supply', { file: resolve(from) })) as {
          supplied: string[];
          waiting: string[];
        };
        show(summary, `${summary.supplied.length} boundaries supplied, ${summary.waiting.length} still wait`);
      } else if (files.length === 0) {
        cli.error('error: give OsmChange files, or a replication folder with --from');
      }
      if (files.length > 0 || from) await command(config, 'update_refetch', {});
      if (json) process.stdout.write(`${JSON.stringify(done)}\n`);
    });
}

/** Collects the values of a repeatable option. */
export const collect = (value: string, before: readonly string[] = []) => [...before, value];

function whole(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function wholeFrom1(text: string): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  if (value === 0) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return value;
}

/** Summarizes a change in one line. */
function changeLine(summary: ChangeSummary): string {
  const counts = [
    `${summary.relevant} of ${summary.objects} objects matter`,
    `${summary.added} added`,
    `${summary.replaced} replaced`,
    `${summary.reassembled} reassembled`,
    `${summary.deleted} deleted`,
  ];
  if (summary.broken.length > 0) counts.push(`${summary.broken.length} without a new polygon`);
  const { water, coast } = summary.leftOut;
  const left = [
    ...(water.count > 0 ? [`left out ${listed(water, 'lakes and rivers')}: import a file with --inland-water`] : []),
    ...(coast.count > 0 ? [`left out ${listed(coast, 'coastlines')}: import a file with them`] : []),
  ];
  const line = `${summary.file}${summary.timestamp ? ` (${summary.timestamp})` : ''}: ${counts.join(', ')}`;
  return [line, ...left.map((one) => `  ${one}`)].join('\n');
}

/** A number of things that changed, with the first of them. */
function listed({ count, first }: { readonly count: number; readonly first: readonly string[] }, what: string): string {
  return `${count} ${what} that changed (${first.join(', ')}${count > first.length ? ', …' : ''})`;
}
