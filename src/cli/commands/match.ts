import { readFileSync, writeFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { KINDS } from '../../common/kinds.ts';
import { SAFE_CSV, safeCsv } from '../../common/safe_csv.ts';
import { fileTrouble } from '../../common/system_errors.ts';
import { problem } from '../../core/errors.ts';
import { requireSuccess, type StreamTarget } from '../../transports/call.ts';
import { requireExtension } from '../formats.ts';
import { placeOptions } from '../options.ts';
import type { Terminal } from '../render/terminal.ts';

/** Options of `boundary match`. */
export interface MatchFlags {
  readonly output?: string;
  readonly country?: string;
  readonly within?: string;
  readonly level?: string;
  readonly kind?: string;
  readonly language?: string;
  readonly nameColumn?: string;
  readonly codeColumn?: string;
  readonly withinColumns?: string;
  readonly typeColumn?: string;
  readonly alone?: boolean;
  readonly dryRun?: boolean;
  readonly safeCsv?: boolean;
}

const CSV = 'text/csv';

/** Adds the arguments and flags of `boundary match` to its command. */
export function declareMatch(command: Command): Command {
  command
    .argument('<file>', 'a CSV file with a column of names or codes of places')
    .option('-o, --output <file>', 'the CSV file to write: the same rows with columns added')
    .option('--dry-run', 'show the columns, what is decided, and ten rows; write nothing')
    .option('--country <code>', 'all rows are in this country (ISO 3166-1 alpha-2)')
    .option('--within <id>', 'all rows are inside of this boundary')
    .option('--level <number>', 'all rows are of this admin level')
    .addOption(new Option('--kind <kind>', 'all rows are of this kind').choices(KINDS))
    .option('--language <code>', 'the language of the names, where it tells places apart')
    .option('--alone', 'match each row alone: other rows decide nothing')
    .option('--name-column <name>', 'the column with the names, where its name does not say it')
    .option('--code-column <name>', 'the column with codes or ids')
    .option('--within-columns <names>', 'the columns with places around them, the innermost first, comma-separated')
    .option('--type-column <name>', 'the column with a word for the kind, or an admin level')
    .option('--safe-csv', SAFE_CSV);
  return placeOptions(command).addHelpText('after', '\nExample:\n  boundary match places.csv -o matched.csv\n');
}

/**
 * `boundary match`: adds to each row of a CSV file the boundary that it means.
 * @throws what the operation fails with; invalid_input for an unreadable file
 */
export async function runMatch(
  target: StreamTarget,
  input: string,
  flags: MatchFlags,
  terminal: Pick<Terminal, 'stdout' | 'stderr'>,
): Promise<void> {
  const { output, dryRun = false, safeCsv: isSafe = false } = flags;
  if (output === undefined && !dryRun) throw problem('invalid_input', 'Give -o FILE, or --dry-run.');
  if (output !== undefined) requireExtension(output, [CSV]);
  const given: Readonly<Record<string, string | undefined>> = {
    country: flags.country,
    within: flags.within,
    admin_level: flags.level,
    kind: flags.kind,
    language: flags.language,
    decide: flags.alone ? 'row' : undefined,
    name_column: flags.nameColumn,
    code_column: flags.codeColumn,
    within_columns: flags.withinColumns,
    type_column: flags.typeColumn,
    dry_run: dryRun ? 'true' : undefined,
  };
  const query = new URLSearchParams(
    Object.entries(given).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
  );
  const answer = await target.stream('match_names', '/match', query, { contentType: CSV, body: fileOf(input) });
  requireSuccess(answer);
  const text = Buffer.from(answer.body).toString();
  if (dryRun || output === undefined) {
    terminal.stdout(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    return;
  }
  writeFileSync(output, isSafe ? safeCsv(text, separatorOf(text)) : text);
  terminal.stderr(`${output}: ${answer.headers['boundary-match'] ?? ''}\n`);
}

/** The separator is in front of the first added column. */
function separatorOf(text: string): string {
  const head = text.slice(0, text.indexOf('\n'));
  return head.charAt(head.lastIndexOf('match_id') - 1) || ',';
}

function fileOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw problem('invalid_input', fileTrouble(error) ?? (error as Error).message);
  }
}
