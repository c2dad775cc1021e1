import { problem } from '../errors.ts';

/** How a field is written where there are only strings (queries, paths, command lines). */
export type FieldKind = 'string' | 'number' | 'boolean' | 'array' | 'object';

/** What decoding needs to know of a field of an operation's input. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** Of the items of an array. */
  readonly itemKind: FieldKind;
  /** An array that may be written with commas. */
  readonly comma: boolean;
  readonly required: boolean;
  /** Written without a flag on the command line, as required ones are. */
  readonly operand: boolean;
  readonly choices: readonly string[];
  readonly description: string;
}

/**
 * Turns a string into what the field's type says, where it is written as that type: `12`, `-0.5`, `true`, or the JSON of
 * an object. Anything else stays the string it is, so that validation refuses it with the field's own message.
 */
export function coerce(field: Field, text: string): unknown {
  if (field.kind !== 'array') return coerceScalar(field.kind, text);
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

/** Parses a JSON object. Throws invalid_json; `what` begins the sentence. */
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

/** Required fields, and other operands, up to and including the first list: what follows a list could not be told from its items. */
export function positionalFields(fields: readonly Field[]): Field[] {
  const required = fields.filter((field) => field.required || field.operand);
  const list = required.findIndex((field) => field.kind === 'array');
  return list === -1 ? required : required.slice(0, list + 1);
}

/** `--admin-level` */
export const longFlag = (field: Field): string => `--${field.name.replaceAll('_', '-')}`;
