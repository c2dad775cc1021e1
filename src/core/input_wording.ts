import type { z } from 'zod';

/** What a value must be, by the type that a schema expects. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
};
const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a time as ISO 8601 has it, such as 2026-11-22T10:00:00Z',
  url: 'a URL',
  email: 'an email address',
};
const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item', set: 'item' };
/** Limit of the characters shown of a value. */
const SHOWN = 40;

/**
 * What is wrong with a value, as the end of a sentence that begins with its field: "limit: must be at most 40".
 * Undefined when the schema has a message of its own, or the library's message is good enough.
 */
export function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[String(issue.expected)] ?? issue.expected}`;
    case 'invalid_format':
      return `must be ${FORMATS[String(issue.format)] ?? 'in the form that its description says'}`;
    case 'invalid_value':
      return outOf(issue.input, issue.values as readonly unknown[]);
    case 'invalid_union':
      return 'must be in one of the forms that its description says';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'too_small':
      return bound(issue, Number(issue.minimum), issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return bound(issue, Number(issue.maximum), issue.inclusive === false ? 'less than' : 'at most');
    default:
      return undefined;
  }
}

function bound(issue: z.core.$ZodRawIssue, limit: number, compared: string): string {
  const unit = UNITS[String(issue.origin)];
  if (unit === undefined) return `must be ${compared} ${limit}`;
  if (compared === 'at least' && limit === 1) return 'must not be empty';
  return `must have ${issue.exact ? 'exactly' : compared} ${limit} ${unit}${limit === 1 ? '' : 's'}`;
}

function outOf(given: unknown, values: readonly unknown[]): string {
  const shown = typeof given === 'string' ? `"${given.length > SHOWN ? `${given.slice(0, SHOWN)}…` : given}" ` : '';
  if (values.length === 1) return `must be ${values[0]}`;
  return `${shown}is not one of ${values.slice(0, -1).join(', ')} and ${values.at(-1)}`.trimStart();
}
