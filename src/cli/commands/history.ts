import type { Command } from 'commander';
import { isDate } from '../../common/dates.ts';
import type { Config } from '../../config.ts';
import { invalidInput } from '../../core/errors.ts';
import type { Keep, Pruned, PrunedRecords } from '../../sources/prune.ts';
import { command } from '../context.ts';

const keepText = (keep: Keep): string => {
  if ('since' in keep) return `the editions that answer as of ${keep.since} and later`;
  if ('all' in keep) return 'all editions';
  return keep.editions === 0 ? 'no edition' : `the last ${keep.editions} editions of each level of a source`;
};

/** What the words of `history keep` mean. @throws invalid_input */
function keepOf(what: string, date: string | undefined): Keep {
  if (date === undefined && what === 'all') return { all: true };
  if (date === undefined && what === 'none') return { editions: 0 };
  if (date === undefined && /^[1-9]\d{0,4}$/.test(what)) return { editions: Number(what) };
  if (date !== undefined && what === 'since' && isDate(date)) return { since: date };
  throw invalidInput([
    { path: 'keep', code: 'invalid_value', message: 'must be all, none, a number of editions, or since and a date' },
  ]);
}

/** What pruning removed or would remove, for a person. */
function prunedText({ keep, applied, layers, editions, states, shapes, arcs, bytes }: Pruned): string {
  if (layers.length === 0) return `Nothing to remove: ${keepText(keep)} are kept.\n`;
  const lines = layers.map(({ source, valid_from, type, admin_level, boundaries }) => {
    const level = admin_level === null ? 'no admin_level' : `admin_level ${admin_level}`;
    return `${source} ${valid_from}: ${boundaries} of ${type === 'administrative' ? level : type}`;
  });
  const sum = `${states} states of boundaries, ${shapes} shapes and ${arcs} arcs, ${(bytes / 1e6).toFixed(1)} MB`;
  const what = applied ? `Removed ${editions} editions: ${sum}.` : `Would remove ${editions} editions: ${sum}.`;
  return `${lines.join('\n')}\n${what}\n${applied ? '' : 'Nothing was changed: add --apply to remove it.\n'}`;
}

interface PruneFlags {
  readonly apply?: boolean;
  readonly json?: boolean;
  readonly recordedBefore?: string;
}

/** The same of rows that were replaced. */
function recordsText({ applied, first, rows, bytes }: PrunedRecords): string {
  const what = `${rows} replaced rows, ${(bytes / 1e6).toFixed(1)} MB`;
  const from = `Answers of moments from ${first ?? 'now'} on are kept.`;
  return applied
    ? `Removed ${what}. ${from}\n`
    : `Would remove ${what}. ${from}\nNothing was changed: add --apply to remove it.\n`;
}

/** Adds `boundary history`. */
export function addHistoryCommand(cli: Command, config: Config): void {
  const history = cli.command('history').description('which editions of the past are kept');
  const show = (keep: unknown, json: boolean | undefined) => {
    process.stdout.write(json ? `${JSON.stringify(keep)}\n` : `Kept: ${keepText(keep as Keep)}.\n`);
  };
  history
    .option('--json', 'print it as JSON')
    .action(async ({ json }: { json?: boolean }) => show(await command(config, 'history_kept', {}), json));
  history
    .command('keep')
    .description('set which editions pruning keeps: all, the last N, those that answer since a date, or none')
    .argument('<what>', 'all, N, since or none')
    .argument('[date]', 'after since: 2015-01-01')
    .option('--json', 'print it as JSON')
    .action(async (what: string, date: string | undefined, { json }: { json?: boolean }) => {
      show(await command(config, 'history_keep', { keep: keepOf(what, date) }), json);
    });
  history
    .command('prune')
    .description('report what of the past is not kept and how much it frees; with --apply, remove it')
    .option('--apply', 'remove it')
    .option('--recorded-before <moment>', 'instead: what only answers of earlier moments need (2026-11-25T10:00:00Z)')
    .option('--json', 'print the report as JSON')
    .action(async ({ apply = false, json, recordedBefore: before }: PruneFlags) => {
      if (before !== undefined) {
        const records = (await command(config, 'history_prune_records', { apply, before })) as PrunedRecords;
        process.stdout.write(json ? `${JSON.stringify(records)}\n` : recordsText(records));
        return;
      }
      const pruned = (await command(config, 'history_prune', { apply })) as Pruned;
      process.stdout.write(json ? `${JSON.stringify(pruned)}\n` : prunedText(pruned));
    });
}
