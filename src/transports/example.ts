import type { AnyOp } from '../core/op.ts';
import { fieldsOf } from './decode.ts';
import { type Field, longFlag, positionalFields } from './values.ts';

/** The CLI command of an operation: its name with hyphens. */
export const commandName = (op: AnyOp): string => op.name.replaceAll('_', '-');

/** The shell command line that calls an operation with this input. */
export function commandLine(op: AnyOp, input: object): string {
  const members = new Map(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));
  const command = `boundary ${commandName(op)}`;
  if ([...members.values()].some(hasObjects)) return `echo ${quote(JSON.stringify(input))} | ${command} -`;
  const fields = fieldsOf(op);
  const positional = positionalFields(fields);
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

function hasObjects(value: unknown): boolean {
  return Array.isArray(value) ? value.some((item) => typeof item === 'object') : typeof value === 'object';
}

function textsOf(field: Field, value: unknown): string[] {
  if (!Array.isArray(value)) return [quote(String(value))];
  return field.comma ? [quote(value.join(','))] : value.map((item) => quote(String(item)));
}

/** Quotes one word for a POSIX shell. */
export function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
