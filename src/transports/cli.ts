import { readFileSync, writeFileSync } from 'node:fs';
import { Command, type Option } from 'commander';
import { PROBLEMS, type ProblemCode, ProblemError, toProblemDocument } from '../errors.ts';
import type { AnyOp } from '../op.ts';
import { coerce, type Field, fieldsOf, parseObject } from './decode.ts';
import { renderJson } from './table.ts';

/** An answer as it came over the wire; problems included. */
export interface CallAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Where the commands send their work: a server by URL, a control socket, or this process. */
export interface CallTarget {
  call(op: string, input: Record<string, unknown>): Promise<CallAnswer>;
  /** Fetches a file that an answer names by url (exports); absent where files cannot be fetched. */
  download?(url: string): Promise<CallAnswer>;
}

/** The terminal, so that tests can stand in for it. */
export interface Terminal {
  stdout(content: string | Uint8Array): void;
  stderr(text: string): void;
  /** Everything on standard input. */
  stdin(): string;
}

export const processTerminal: Terminal = {
  stdout: (content) => void process.stdout.write(content),
  stderr: (text) => void process.stderr.write(text),
  stdin: () => readFileSync(0, 'utf8'),
};

/** Exit code when no server answers at all. */
export const EXIT_UNREACHABLE = 6;

interface Flags {
  [name: string]: unknown;
  json?: boolean;
  output?: string;
}

/**
 * One command for each operation, named with hyphens. Required fields are positional in the order they are declared
 * (a list takes what is left), all others are flags. A single `-` reads the whole input as JSON from standard input.
 * `exit` is told the exit code of a command that failed: the class of its problem (errors.ts).
 */
export function opCommands(
  ops: readonly AnyOp[],
  target: () => Promise<CallTarget>,
  exit: (code: number) => void,
  terminal: Terminal = processTerminal,
): Command[] {
  return ops.map((op) => {
    const fields = fieldsOf(op);
    const positional = positionalFields(fields);
    const flags = fields.filter((field) => !positional.includes(field));
    const command = new Command(op.name.replaceAll('_', '-')).description(op.summary).allowExcessArguments(false);
    // All are optional to the parser: whatever is missing is refused by validation, all of it at once.
    for (const field of positional) {
      command.argument(field.kind === 'array' ? `[${field.name}...]` : `[${field.name}]`, field.description);
    }
    command.usage(
      `${positional.map((field) => `<${field.name}${field.kind === 'array' ? '...' : ''}>`).join(' ')} [options]`,
    );
    for (const field of flags) command.option(flagOf(field), describeFlag(field));
    command.option('-o, --output <file>', 'write the answer to a file').option('--json', 'print the answer as it is');
    command.action(async (...parsed: unknown[]) => {
      const given = parsed.slice(0, positional.length);
      const options = parsed[positional.length] as Flags;
      try {
        const input = readInput(positional, given, flags, command, options, terminal);
        exit(await run(await target(), op, input, options, terminal));
      } catch (error) {
        exit(reportFailure(error, options.json === true, terminal));
      }
    });
    return command;
  });
}

/** Required fields, up to and including the first list: what follows a list could not be told from its items. */
function positionalFields(fields: readonly Field[]): Field[] {
  const required = fields.filter((field) => field.required);
  const list = required.findIndex((field) => field.kind === 'array');
  return list === -1 ? required : required.slice(0, list + 1);
}

function flagOf(field: Field): string {
  const flag = `--${field.name.replaceAll('_', '-')}`;
  if (field.kind === 'boolean') return `${flag} [true|false]`;
  return field.kind === 'array' && !field.comma ? `${flag} <${field.name}...>` : `${flag} <${field.name}>`;
}

function describeFlag(field: Field): string {
  return [field.description, field.choices.join(', ')].filter((text) => text !== '').join(' ');
}

function readInput(
  positional: readonly Field[],
  given: readonly unknown[],
  flags: readonly Field[],
  command: Command,
  options: Flags,
  terminal: Terminal,
): Record<string, unknown> {
  const [first] = given.flat();
  if (given.flat().filter((value) => value !== undefined).length === 1 && first === '-') {
    return parseObject(terminal.stdin(), 'Standard input');
  }
  const members: [string, unknown][] = [];
  positional.forEach((field, i) => {
    if (given[i] !== undefined && !(Array.isArray(given[i]) && given[i].length === 0)) {
      members.push([field.name, flagValue(field, given[i])]);
    }
  });
  for (const field of flags) {
    const value = options[attribute(command, field)];
    if (value !== undefined) members.push([field.name, flagValue(field, value)]);
  }
  return Object.fromEntries(members);
}

function attribute(command: Command, field: Field): string {
  const long = `--${field.name.replaceAll('_', '-')}`;
  return (command.options.find((option: Option) => option.long === long) as Option).attributeName();
}

function flagValue(field: Field, value: unknown): unknown {
  if (value === true) return true;
  if (Array.isArray(value)) return value.flatMap((item) => coerce(field, String(item)));
  return coerce(field, String(value));
}

async function run(
  target: CallTarget,
  op: AnyOp,
  input: Record<string, unknown>,
  options: Flags,
  terminal: Terminal,
): Promise<number> {
  let answer = await target.call(op.name, input);
  if (answer.status < 300 && options.output !== undefined && target.download) {
    const url = fileUrl(answer);
    if (url) answer = await target.download(url);
  }
  if (answer.status >= 300) return reportAnswer(answer, options.json === true, terminal);
  if (options.output !== undefined) {
    writeFileSync(options.output, answer.body);
    terminal.stderr(`${options.output}: ${answer.body.byteLength} bytes, ${answer.contentType}\n`);
  } else if (options.json || !isJson(answer.contentType)) {
    terminal.stdout(answer.body);
    if (answer.body.at(-1) !== 10 && !isBinary(answer.contentType)) terminal.stdout('\n');
  } else terminal.stdout(renderJson(JSON.parse(Buffer.from(answer.body).toString())));
  return 0;
}

/** The address of the file itself, when the answer only tells about it. */
function fileUrl(answer: CallAnswer): string | null {
  if (answer.contentType.split(';')[0] !== 'application/json') return null;
  const { url, sha256 } = JSON.parse(Buffer.from(answer.body).toString()) as Record<string, unknown>;
  return typeof url === 'string' && typeof sha256 === 'string' ? url : null;
}

function isJson(contentType: string): boolean {
  const [type] = contentType.split(';');
  return type === 'application/json' || type === 'application/problem+json';
}

function isBinary(contentType: string): boolean {
  return !/^text\/|json|xml/.test(contentType);
}

function reportAnswer(answer: CallAnswer, asJson: boolean, terminal: Terminal): number {
  const text = Buffer.from(answer.body).toString();
  let document: Record<string, unknown> = {};
  try {
    if (isJson(answer.contentType)) document = parseObject(text, 'The answer');
  } catch {
    // Told below as what it is: an answer of something that is not this service.
  }
  const code = typeof document.code === 'string' && document.code in PROBLEMS ? (document.code as ProblemCode) : null;
  if (code === null) {
    terminal.stderr(`error: the server answered ${answer.status} ${answer.contentType}\n`);
    return 1;
  }
  if (asJson) terminal.stderr(`${text}\n`);
  else terminal.stderr(problemText(code, String(document.detail), document));
  return PROBLEMS[code].exit;
}

function problemText(code: ProblemCode, detail: string, document: Readonly<Record<string, unknown>>): string {
  const lines = [`error: ${code}: ${detail}`];
  const { issues } = document;
  if (Array.isArray(issues)) {
    for (const { path, message } of issues) lines.push(`  ${path ? `${path}: ` : ''}${message}`);
  }
  lines.push(PROBLEMS[code].remedy);
  if (document.request_id) lines.push(`request ${document.request_id}`);
  return `${lines.join('\n')}\n`;
}

/** Says what went wrong on this side of the call; gives the exit code. */
function reportFailure(error: unknown, asJson: boolean, terminal: Terminal): number {
  if (!(error instanceof ProblemError)) {
    terminal.stderr(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof Unreachable ? EXIT_UNREACHABLE : 1;
  }
  const document = toProblemDocument(error, '', '');
  terminal.stderr(asJson ? `${JSON.stringify(document)}\n` : problemText(error.code, error.message, document));
  return PROBLEMS[error.code].exit;
}

/** No answer came: nothing listens there, or the connection broke. */
export class Unreachable extends Error {
  constructor(where: string, cause: unknown) {
    super(`no answer from ${where}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'Unreachable';
  }
}
