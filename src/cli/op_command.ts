import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { Argument, Command, Option } from 'commander';
import { SAFE_CSV, safeCsv } from '../common/safe_csv.ts';
import { invalidInput, PROBLEMS, problem } from '../core/errors.ts';
import {
  type CallAnswer,
  type CallTarget,
  isExport,
  isJson,
  jsonOf,
  parseAnswer,
  requireSuccess,
} from '../transports/call.ts';
import { coerce, type Field, longFlag, parseObject, positionalFields } from '../transports/values.ts';
import { visible, visibleJson } from '../transports/visible.ts';
import { fileFormatOf, requireExtension } from './formats.ts';
import type { OpManifest } from './manifest.ts';
import { oneOf, placeOptions } from './options.ts';
import { reportOf } from './render/report.ts';
import { renderJson } from './render/table.ts';
import type { Terminal } from './render/terminal.ts';

/** What a command needs from the program. */
export interface CommandEnvironment {
  /** Opens the target that the flags choose. */
  target(flags: { local?: boolean; url?: string }): Promise<CallTarget>;
  /** Receives the exit code: 0, or that of the problem (errors.ts). */
  exit(code: number): void;
  readonly terminal: Terminal;
}

/** Flags of every operation's command; `url` and `local` are also accepted before the command. */
export interface CommonFlags {
  readonly json?: boolean;
  readonly output?: string;
  readonly safeCsv?: boolean;
  readonly url?: string;
  readonly local?: boolean;
}

/** Files above this size in bytes are described on a terminal instead of printed. */
const SHOWN_BYTES = 4096;

/** The command of an operation for lists of commands, without arguments and flags. */
export function opStub({ command, alias, summary, group }: OpManifest): Command {
  const stub = new Command(command).description(summary).helpGroup(group);
  return alias === null ? stub : stub.alias(alias);
}

/**
 * The command of an operation. Required fields are positional in declaration order (a list takes the rest), and may be
 * given as flags all the same; all others are flags. `-` as a value reads standard input: a JSON object is the whole input, a JSON array the values of a list,
 * anything else one value, or the values of a list separated by white space.
 */
export function opCommand(sheet: OpManifest, { target, exit, terminal }: CommandEnvironment): Command {
  const { fields } = sheet;
  const positional = positionalFields(fields);
  const flags = fields.filter((field) => !positional.includes(field));
  const command = opStub(sheet).allowExcessArguments(false);
  // Optional for the parser: validation reports all missing fields at once.
  for (const field of positional) {
    const name = field.kind === 'array' ? `[${field.name}...]` : `[${field.name}]`;
    const argument = new Argument(name, field.description);
    command.addArgument(field.choices.length > 0 ? oneOf(argument, field.choices) : argument);
  }
  if (positional.length === 0) command.argument('[-]', 'read the input as JSON from standard input');
  const usage = positional.map((field) => `<${field.name}${field.kind === 'array' ? '...' : ''}> `);
  command.usage(`${usage.join('')}[options]`);
  for (const field of flags) {
    const option = new Option(flagOf(field), field.description);
    command.addOption(field.choices.length > 0 ? oneOf(option, field.choices) : option);
  }
  for (const field of positional) {
    command.addOption(new Option(flagOf(field), `in place of the argument ${field.name}`).hideHelp());
  }
  command
    .option('-o, --output <file>', 'write the answer, or the file that it refers to, to a file; - is standard output')
    .option('--json', 'print the answer as JSON');
  // Of other operations it is a field, and the operation escapes them.
  const isEscapedHere = mayBeCsv(sheet) && !fields.some(({ name }) => name === 'safe_csv');
  if (isEscapedHere) command.option('--safe-csv', SAFE_CSV);
  placeOptions(command);
  command.addHelpText('after', `\nExamples:\n${sheet.examples.map((line) => `  ${line}\n`).join('')}`);
  command.action(async () => {
    const options = command.optsWithGlobals<CommonFlags>();
    if (positional.length > 0 && command.args.length === 0 && Object.keys(command.opts()).length === 0) {
      terminal.stderr(command.helpInformation());
      exit(PROBLEMS.invalid_input.exit);
      return;
    }
    try {
      const given = readInput(positional, command.processedArgs, flags, command, terminal, sheet.body);
      const input = withFormat(given, sheet, options);
      const answer = await callOperation(await target(options), sheet.name, input, options, terminal);
      show(
        options.safeCsv && isEscapedHere ? withoutFormulas(answer, terminal) : answer,
        options,
        terminal,
        given.format !== undefined,
      );
      exit(0);
    } catch (error) {
      const report = reportOf(error, { json: options.json, colors: terminal.colors.err });
      terminal.stderr(report.text);
      exit(report.exit);
    }
  });
  return command;
}

/** Whether a command may write a CSV file: its format can be csv, or it reads a file of the library. */
const mayBeCsv = ({ name, fields }: OpManifest): boolean =>
  name === 'get_file' || fields.some((field) => field.name === 'format' && field.choices.includes('csv'));
/**
 * The input with the format that the extension of the output file names, unless the input names one.
 * @throws invalid_input for an extension that is not that of what the operation writes
 */
function withFormat(
  input: Record<string, unknown>,
  { fields, types }: OpManifest,
  { output, json }: CommonFlags,
): Record<string, unknown> {
  if (output === undefined || output === '-' || input.format !== undefined) return input;
  const format = fields.find(({ name, choices }) => name === 'format' && choices.length > 0);
  if (format === undefined || json) {
    // Before the call, which may cost something.
    if (types !== null || json) requireExtension(output, types ?? ['application/json']);
    return input;
  }
  if (extname(output) === '') return input;
  return { ...input, format: fileFormatOf(undefined, output, { flag: 'format', choices: format.choices }) };
}

function flagOf(field: Field): string {
  const flag = longFlag(field);
  if (field.kind === 'boolean') return `${flag} [true|false]`;
  return field.kind === 'array' && !field.comma ? `${flag} <${field.name}...>` : `${flag} <${field.name}>`;
}

function readInput(
  positional: readonly Field[],
  given: readonly unknown[],
  flags: readonly Field[],
  command: Command,
  terminal: Terminal,
  body: string | null,
): Record<string, unknown> {
  const members: [string, unknown][] = [];
  const values = given.flat().filter((value) => value !== undefined);
  const byFlag = [...positional, ...flags].filter(
    (field) => field.kind === 'string' && command.opts()[attribute(command, field)] === '-',
  );
  const standard = values.includes('-') || byFlag.length > 0 ? Buffer.from(terminal.stdin()).toString() : '';
  const whole = values.length === 1 && values[0] === '-' && (positional.length === 0 || /^\s*\{/.test(standard));
  if (whole) members.push(...Object.entries(parseObject(standard, 'Standard input')));
  else if (positional.length === 0 && values.length > 0) {
    throw problem('invalid_input', `Unexpected argument: ${values[0]}. This command takes flags only (see --help).`);
  } else {
    if (values.filter((value) => value === '-').length + byFlag.length > 1) {
      throw problem('invalid_input', 'Standard input can be read only once: give a single -.');
    }
    const free = positional.filter((field) => command.opts()[attribute(command, field)] === undefined);
    if (values.length > free.length && !free.some(({ kind }) => kind === 'array')) {
      throw problem(
        'invalid_input',
        `Unexpected argument: ${values[free.length]}. The flags name all that this takes.`,
      );
    }
    free.forEach((field, i) => {
      const value = field.kind === 'array' ? values.slice(i) : values[i];
      if (value === undefined || (Array.isArray(value) && value.length === 0)) return;
      const isFile = field.name === body && value !== '-';
      members.push([
        field.name,
        isFile ? tableText(String(value)) : flagValue(field, withStandardInput(value, standard)),
      ]);
    });
  }
  for (const field of [...positional, ...flags]) {
    const value = command.opts()[attribute(command, field)];
    if (value === undefined) continue;
    if (members.some(([name]) => name === field.name)) {
      throw invalidInput([{ path: field.name, code: 'duplicate', message: 'already given on standard input' }]);
    }
    const isFile = field.name === body && positional.includes(field);
    const text = byFlag.includes(field) ? standard : isFile ? tableText(String(value)) : null;
    members.push([field.name, text ?? flagValue(field, value)]);
  }
  return Object.fromEntries(members);
}

/** A table that is given by the name of its file or, with a line break in it, as its text. */
const tableText = (given: string): string => (given.includes('\n') ? given : readFileSync(given, 'utf8'));

/** Replaces `-` with standard input: for a list its words, otherwise all of it without the final line break. */
function withStandardInput(value: unknown, standard: string): unknown {
  if (value === '-') return standard.replace(/\r?\n$/, '');
  if (!Array.isArray(value)) return value;
  return value.flatMap((item) => (item === '-' ? valuesIn(standard) : [item]));
}

/**
 * Parses the values of a list from standard input: a JSON array, or words.
 * @throws invalid_json for a malformed array
 */
function valuesIn(standard: string): unknown[] {
  if (!/^\s*\[/.test(standard)) return standard.split(/\s+/).filter((word) => word !== '');
  try {
    return JSON.parse(standard) as unknown[];
  } catch {
    throw problem('invalid_json', 'Standard input is not valid JSON.');
  }
}

function attribute(command: Command, field: Field): string {
  return (command.options.find((option) => option.long === longFlag(field)) as Option).attributeName();
}

function flagValue(field: Field, value: unknown): unknown {
  if (value === true) return true;
  if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'string') return coerce(field, value[0]);
  if (Array.isArray(value)) return value.flatMap((item) => (typeof item === 'string' ? coerce(field, item) : [item]));
  return coerce(field, String(value));
}

/** Calls an operation. If the answer only links to a file (exports) that is wanted, downloads it. */
async function callOperation(
  target: CallTarget,
  op: string,
  input: Record<string, unknown>,
  options: CommonFlags,
  terminal: Terminal,
): Promise<CallAnswer> {
  const answer = await target.call(op, input);
  requireSuccess(answer);
  const url = options.json ? null : fileUrl(answer);
  // An export was requested as such, so it is always wanted; a library file only if it is to be written.
  const wanted = options.output !== undefined || (!terminal.isTerminal && url !== null && isExport(url));
  if (url === null || !wanted) return answer;
  const file = await target.download(url);
  requireSuccess(file);
  return file;
}

/** URL of the file that an answer describes; null for other answers. */
export function fileUrl(answer: CallAnswer): string | null {
  if (answer.contentType.split(';')[0] !== 'application/json') return null;
  const { url, sha256 } = jsonOf(answer) as Record<string, unknown>;
  return typeof url === 'string' && typeof sha256 === 'string' ? url : null;
}

function withoutFormulas(answer: CallAnswer, terminal: Terminal): CallAnswer {
  if (answer.contentType.startsWith('text/csv')) {
    return { ...answer, body: Buffer.from(safeCsv(Buffer.from(answer.body).toString())) };
  }
  terminal.stderr('--safe-csv has no effect: the answer is not a CSV file\n');
  return answer;
}

function show(answer: CallAnswer, { output, json }: CommonFlags, terminal: Terminal, isFormatNamed: boolean): void {
  const { body, contentType } = answer;
  const look = { colors: terminal.colors.out, width: terminal.isTerminal ? terminal.width : undefined };
  if (output !== undefined && output !== '-') {
    if (!isFormatNamed) requireExtension(output, [contentType]);
    terminal.writeFile(output, body);
    terminal.stderr(`${output}: ${body.byteLength} bytes, ${visible(contentType, true)}\n`);
  } else if (isJson(contentType) && !json && output === undefined) terminal.stdout(renderJson(jsonOf(answer), look));
  else if (terminal.isTerminal && output === undefined && !json && body.byteLength > SHOWN_BYTES) {
    terminal.stdout(aboutFile(answer, look));
  } else {
    const text = (): string => Buffer.from(body).toString();
    // A pipe gets a file unchanged. JSON keeps its value, and a terminal never gets control characters.
    if (isJson(contentType)) {
      parseAnswer(answer);
      terminal.stdout(visibleJson(text()));
    } else terminal.stdout(terminal.isTerminal ? visible(text()) : body);
    if ((terminal.isTerminal || isJson(contentType)) && body.at(-1) !== 10) terminal.stdout('\n');
  }
}

/** Describes a file that would fill the screen. */
function aboutFile(answer: CallAnswer, look: Parameters<typeof renderJson>[1]): string {
  const { body, contentType } = answer;
  const hint = `${body.byteLength} bytes, ${visible(contentType, true)}: use -o FILE to write it, --json to print it.\n`;
  if (!contentType.startsWith('application/geo+json')) return hint;
  const { properties } = parseAnswer(answer) as { properties?: Record<string, unknown> };
  const { names, ...shown } = properties ?? {};
  const languages =
    typeof names === 'object' && names !== null ? { names: `in ${Object.keys(names).length} languages` } : {};
  return `${renderJson({ ...shown, ...languages }, look)}${hint}`;
}
