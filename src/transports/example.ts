import type { AnyOp } from '../core/op.ts';
import { fieldsOf } from './decode.ts';
import { type Field, longFlag, positionalFields } from './values.ts';

/** The CLI command of an operation: its name with hyphens. */
export const commandName = (op: AnyOp): string => op.name.replaceAll('_', '-');

/** The shell command line that calls an operation with this input. */
export function commandLine(op: AnyOp, input: object): string {
  const members = new Map(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));
  const command = `boundary ${commandName(op)}`;
  const json = quote(JSON.stringify(input));
  if ([...members.values()].some(needsJson)) return `echo ${json} | ${command} -`;
  const fields = fieldsOf(op);
  const positional = positionalFields(fields);
  // As an argument, the text of a body is the name of a file. `echo` may read the line breaks in it.
  if (positional.some(({ name }) => name === op.textBody?.field && members.has(name))) {
    return `printf %s ${json} | ${command} -`;
  }
  const words = [command];
  const flags: string[] = [];
  for (const field of fields) {
    if (!members.has(field.name)) continue;
    const texts = textsOf(field, members.get(field.name));
    if (positional.includes(field)) words.push(...texts);
    else flags.push(longFlag(field), ...texts);
  }
  // A word that begins with a hyphen would be parsed as a flag.
  if (words.slice(1).some((word) => /^'?-(?!\d)/.test(word)))
    return [command, ...flags, '--', ...words.slice(1)].join(' ');
  return [...words, ...flags].join(' ');
}

/** Whether a value has no form as words: an object, a list with one, or an empty list. */
function needsJson(value: unknown): boolean {
  if (!Array.isArray(value)) return typeof value === 'object';
  return value.length === 0 || value.some((item) => typeof item === 'object');
}

function textsOf(field: Field, value: unknown): string[] {
  if (!Array.isArray(value)) return [quote(String(value))];
  return field.comma ? [quote(value.join(','))] : value.map((item) => quote(String(item)));
}

/** Quotes one word for a POSIX shell. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
