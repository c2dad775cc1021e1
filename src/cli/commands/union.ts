import { type Command, Option } from 'commander';
import { DETAILS } from '../../../workers/contract.ts';
import { defined } from '../../common/elements.ts';
import { KINDS } from '../../common/kinds.ts';
import { problem } from '../../core/errors.ts';
import { type CallAnswer, type CallTarget, requireSuccess } from '../../transports/call.ts';
import { printableJson, visible } from '../../transports/visible.ts';
import { detailOf, fileFormatOf, WRITABLE } from '../formats.ts';
import { Ambiguous, type ResolvedName, resolveNames, type SearchFilter, type SearchMatch } from '../names.ts';
import { fileUrl } from '../op_command.ts';
import { oneOf, placeOptions } from '../options.ts';
import { renderJson } from '../render/table.ts';
import type { Terminal } from '../render/terminal.ts';

/** Options of `boundary union`. */
export interface UnionFlags {
  readonly exclude?: readonly string[];
  readonly output?: string;
  readonly format?: string;
  readonly detail?: string;
  readonly toleranceM?: string;
  readonly country?: string;
  readonly kind?: string;
  readonly adminLevel?: string;
  readonly near?: string;
  readonly json?: boolean;
}

/** Adds the flags that narrow the search for a name. */
export function addFilterOptions(command: Command): Command {
  return command
    .option('--country <codes>', 'look for names in these countries only (ISO 3166-1 alpha-2, comma-separated)')
    .addOption(oneOf(new Option('--kind <kind>', 'look for names of this kind only'), KINDS))
    .option('--admin-level <level>', 'look for names at this admin level only')
    .option('--near <lat,lon>', 'prefer names near this place');
}

/** Converts those flags to fields of search_boundaries. */
export function searchFilterOf({
  country,
  kind,
  adminLevel,
  near,
}: Pick<UnionFlags, 'country' | 'kind' | 'adminLevel' | 'near'>): SearchFilter {
  const all = { country, kind, admin_level: adminLevel === undefined ? undefined : Number(adminLevel), near };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Adds the flags of `boundary union` to its command. */
export function declareUnion(command: Command): Command {
  command
    .argument(
      '<names...>',
      'names or ids; "Paris, Texas" is the one in Texas; - reads one per line from standard input',
    )
    .option('--exclude <names...>', 'boundaries to cut out')
    .option('-o, --output <file>', 'output file; its extension sets the format')
    .addOption(oneOf(new Option('--format <format>', 'default: from the extension, else geojson'), WRITABLE))
    .addOption(oneOf(new Option('--detail <detail>', 'default: medium'), DETAILS))
    .option('--tolerance-m <meters>', 'a power of two, instead of --detail')
    .option('--json', 'print a summary as JSON');
  return addFilterOptions(placeOptions(command)).addHelpText(
    'after',
    '\nExamples:\n  boundary union Vaduz Schaan -o area.kml\n  boundary union iso:LU --exclude "Luxembourg, Luxembourg" --detail full -o rest.geojson\n',
  );
}

/** `boundary union`: resolves names, merges the boundaries, and writes the result to a file or standard output. */
export async function runUnion(
  target: CallTarget,
  names: readonly string[],
  flags: UnionFlags,
  terminal: Terminal,
): Promise<void> {
  const { output } = flags;
  const isFile = output !== undefined && output !== '-';
  const isChosen = isFile || flags.format !== undefined;
  const format = isChosen ? fileFormatOf(flags.format, output, { flag: 'format', choices: WRITABLE }) : 'geojson';
  const words = withLines(names, terminal);
  if (words.length === 0) throw problem('invalid_input', 'Name at least one boundary.');
  const excluded = flags.exclude ?? [];
  const named = await reportAmbiguous(terminal, flags.json, () =>
    resolveNames(target, [...words, ...excluded], searchFilterOf(flags)),
  );
  for (const one of named) if (one.found) terminal.stderr(`${visible(one.given, true)}: ${inWords(one)}\n`);
  const input = {
    include: named.slice(0, words.length).map(({ id }) => id),
    ...(excluded.length > 0 ? { exclude: named.slice(words.length).map(({ id }) => id) } : {}),
    ...(flags.detail === undefined ? {} : { detail: detailOf(flags.detail) }),
    ...(flags.toleranceM === undefined ? {} : { tolerance_m: Number(flags.toleranceM) }),
    format,
  };
  const answer = await target.call('union_boundaries', input);
  requireSuccess(answer);
  const file = await fileOf(target, answer);
  if (isFile) terminal.writeFile(output, file.body);
  else terminal.stdout(terminal.isTerminal ? visible(Buffer.from(file.body).toString()) : file.body);
  const { length: bytes } = file.body;
  if (isFile && flags.json) terminal.stdout(`${printableJson({ file: output, bytes, ...input })}\n`);
  else if (isFile) terminal.stderr(`${output}: ${bytes} bytes, ${visible(file.contentType, true)}\n`);
}

/** Downloads the file that an answer links to, or returns the answer if it is the file. */
export async function fileOf(target: CallTarget, answer: CallAnswer): Promise<CallAnswer> {
  const url = fileUrl(answer);
  if (url === null) return answer;
  const file = await target.download(url);
  requireSuccess(file);
  return file;
}

/** Runs `work`. If a name is ambiguous, lists its candidates on standard error and throws invalid_input. */
export async function reportAmbiguous<T>(
  terminal: Terminal,
  json: boolean | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Ambiguous) {
      const look = { colors: terminal.colors.err };
      // With --json they are in the problem document.
      if (!json) terminal.stderr(renderJson({ items: error.candidates }, look));
      const { id } = defined(error.candidates[0]);
      throw problem(
        'invalid_input',
        `${error.message}: name one by its id, such as ${id}, or narrow the search with --country, --kind or --admin-level.`,
        {
          candidates: error.candidates,
        },
      );
    }
    throw error;
  }
}

function withLines(words: readonly string[], terminal: Terminal): string[] {
  if (!words.includes('-')) return [...words];
  const lines = Buffer.from(terminal.stdin()).toString().split(/\r?\n/);
  const given = lines.map((line) => line.trim()).filter((line) => line !== '');
  return words.flatMap((word) => (word === '-' ? given : [word]));
}

function inWords({ found, id }: ResolvedName): string {
  const { name, kind, parents } = found as SearchMatch;
  const where = parents.map((parent) => parent.name).join(' > ');
  return visible(`${name}, ${kind}${where ? ` in ${where}` : ''} (${id})`, true);
}
