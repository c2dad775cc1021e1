import { problem } from '../core/errors.ts';

/** Type of a field where values are strings (queries, paths, command lines). */
export type FieldKind = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** What is needed to decode a field of an operation's input from strings. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** Type of an array's items. */
  readonly itemKind: FieldKind;
  /** Whether an array may be an object instead: a selection in the place of ids. */
  readonly orObject: boolean;
  /** Whether the array may be written as a comma-separated list. */
  readonly comma: boolean;
  readonly required: boolean;
  /** Whether the field is a positional argument on the command line, as required fields are. */
  readonly operand: boolean;
  readonly choices: readonly string[];
  readonly description: string;
}

/**
 * Converts a string to the field's type if it is written as that type: `12`, `-0.5`, `true`, or the JSON of an object.
 * Any other string is returned as it is, and validation then rejects it with the field's own message.
 */
export function coerce(field: Field, text: string): unknown {
  if (field.kind !== 'array') return coerceScalar(field.kind, text);
  if (field.orObject && /^\s*\{/.test(text)) return parsed(text) ?? [text];
  const parts = field.comma ? text.split(',').map((part) => part.trim()) : [text];
  return parts.map((part) => coerceScalar(field.itemKind, part));
}

const NUMBER = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function coerceScalar(kind: FieldKind, text: string): unknown {
  if (kind === 'number' && NUMBER.test(text)) return Number(text);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (kind === 'object' && /^\s*\{/.test(text)) return parsed(text) ?? text;
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a JSON object. `what` is the subject of the error message. @throws invalid_json */
export function parseObject(text: string, what: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw problem('invalid_json', `${what} is not valid JSON.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw problem('invalid_json', `${what} must be a JSON object.`);
  }
  return value as Record<string, unknown>;
}

/**
 * Positional arguments: required fields and other operands, up to and including the first list. What follows a list
 * could not be told apart from its items.
 */
export function positionalFields(fields: readonly Field[]): Field[] {
  const required = fields.filter((field) => field.required || field.operand);
  const list = required.findIndex((field) => field.kind === 'array');
  return list === -1 ? required : required.slice(0, list + 1);
}

/** `--admin-level` */
export const longFlag = (field: Field): string => `--${field.name.replaceAll('_', '-')}`;
