import type { z } from 'zod';
import { type Issue, invalidInput, ProblemError, problem } from './errors.ts';
import { inWords, unknownField } from './input_wording.ts';

/** Limit of a request's body in bytes, unless its operation declares more. */
export const BODY_BYTES = 64 * 1024;
/** Limit of the values in an input, object members and list elements together, unless its operation declares more. */
export const MOST_VALUES = 1_000;
/** Limit of lists and objects nested in each other. */
export const MOST_LEVELS = 9;
/** Limit of the issues in an answer: enough to correct any honest request, and short for a hostile one. */
export const MAX_ISSUES = 50;

/**
 * Checks how many values an input has and how deeply they are nested. It runs before any work per value and stops at
 * the limit. The input itself has at most MOST_VALUES members, whatever `most` is.
 * @returns how many there are
 * @throws invalid_input
 */
export function countValues(given: unknown, most: number = MOST_VALUES, levels: number = MOST_LEVELS): number {
  let values = 0;
  // Written out only in a failure: the names of 100,000 members cost more than reading them.
  const path: (string | number)[] = [];
  const refuse = (code: 'too_many' | 'too_deep', message: string): never => {
    throw invalidInput([{ path: shorten(path.join('.')), code, message }]);
  };
  const visit = (value: object, level: number): void => {
    if (level > levels) refuse('too_deep', 'nested too deeply');
    if (Array.isArray(value)) {
      values += value.length;
      if (values > most) refuse('too_many', `has more than ${most} values`);
      for (let i = 0; i < value.length; i++) below(i, value[i], level);
    } else {
      let members = 0;
      for (const name in value) {
        if (++values > most || (++members > MOST_VALUES && level === 1))
          refuse('too_many', `has more than ${most} values`);
        below(name, (value as Record<string, unknown>)[name], level);
      }
    }
  };
  const below = (name: string | number, value: unknown, level: number): void => {
    if (typeof value !== 'object' || value === null) return;
    path.push(name);
    visit(value, level + 1);
    path.pop();
  };
  if (typeof given === 'object' && given !== null) visit(given, 1);
  return values;
}

/** Length of a list; 0 for any other value. For counting before validation. */
export const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/**
 * Validates an operation's input, which has been counted; null members count as absent.
 * @throws invalid_input with all issues at once; invalid_json when the input is not an object
 */
export function parseInput(schema: z.ZodObject, rawInput: unknown): z.output<z.ZodObject> {
  if (typeof rawInput !== 'object' || rawInput === null || Array.isArray(rawInput)) {
    throw problem('invalid_json', 'The input must be a JSON object.');
  }
  const given = withoutNulls(rawInput);
  const parsed = schema.safeParse(given, { reportInput: true, error: inWords });
  const issues = parsed.success ? [] : parsed.error.issues.flatMap((issue) => issuesOf(schema, issue));
  issues.push(...unstorableText(given, ''));
  if (issues.length > 0) throw invalidInput(issues.slice(0, MAX_ISSUES));
  return parsed.data as z.output<z.ZodObject>;
}

/** An input without its null members. fromEntries makes `__proto__` an own member, so that it is refused as unknown. */
export const withoutNulls = (given: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));

/** parseInput() of an input within another: the paths of its issues begin with `name`. @throws invalid_input */
export function parseMember<S extends z.ZodObject>(schema: S, given: unknown, name: string): z.output<S> {
  try {
    return parseInput(schema, given) as z.output<S>;
  } catch (error) {
    return inMember(error, name);
  }
}

/** @throws the failure of an input within another, with the paths that its issues have there */
export function inMember(error: unknown, name: string): never {
  if (!(error instanceof ProblemError) || !Array.isArray(error.extra.issues)) throw error;
  const issues = error.extra.issues as Issue[];
  throw invalidInput(issues.map((issue) => ({ ...issue, path: [name, issue.path].filter(Boolean).join('.') })));
}

/** What an answer says of an issue of the validator. */
export function issuesOf(schema: z.ZodObject, issue: z.core.$ZodIssue): Issue[] {
  const path = shorten(issue.path.map(String).join('.'));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_ISSUES).map((key) => ({
      path: shorten(path ? `${path}.${key}` : key),
      code: 'unknown_field',
      message: unknownField(schema, issue.path),
    }));
  }
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return [{ path, code: 'missing', message: 'required' }];
  }
  return [{ path, code: issue.code, message: issue.message }];
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** Issues for text that PostgreSQL cannot store, U+0000 and unpaired surrogates, before it reaches a statement. */
export function unstorableText(value: unknown, path: string): Issue[] {
  if (typeof value === 'string') {
    return UNSTORABLE.test(value)
      ? [{ path, code: 'invalid_text', message: 'contains U+0000 or an unpaired surrogate' }]
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const issues: Issue[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (issues.length >= MAX_ISSUES) break;
    // Most members are texts without anything wrong: their paths are not written.
    if (typeof member === 'string' ? !UNSTORABLE.test(member) : typeof member !== 'object' || member === null) continue;
    issues.push(...unstorableText(member, shorten(path ? `${path}.${key}` : key)));
  }
  return issues;
}

const UNSTORABLE = /[\0\p{Surrogate}]/u;
