import type { z } from 'zod';
import { type Issue, invalidInput, problem } from './errors.ts';

/** Enough to mend any honest request; a hostile one does not get a long answer. */
const MAX_ISSUES = 50;

/** Validates an operation's input; null members count as absent. Throws invalid_input with every problem at once. */
export function parseInput(schema: z.ZodObject, rawInput: unknown): z.output<z.ZodObject> {
  if (typeof rawInput !== 'object' || rawInput === null || Array.isArray(rawInput)) {
    throw problem('invalid_json', 'The input must be a JSON object.');
  }
  // fromEntries defines `__proto__` as a member of its own, so that it is refused as unknown.
  const given = Object.fromEntries(Object.entries(rawInput).filter(([, value]) => value !== null));
  const parsed = schema.safeParse(given, { reportInput: true });
  const issues = parsed.success ? [] : parsed.error.issues.flatMap(issuesOf);
  issues.push(...unstorableText(given, '', 0));
  if (issues.length > 0) throw invalidInput(issues.slice(0, MAX_ISSUES));
  return parsed.data as z.output<z.ZodObject>;
}

function issuesOf(issue: z.core.$ZodIssue): Issue[] {
  const path = shorten(issue.path.map(String).join('.'));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MAX_ISSUES).map((key) => ({
      path: shorten(path ? `${path}.${key}` : key),
      code: 'unknown_field',
      message: 'unknown field',
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

/** PostgreSQL holds neither U+0000 nor half a surrogate pair: both are refused here, before they reach a statement. */
function unstorableText(value: unknown, path: string, depth: number): Issue[] {
  if (typeof value === 'string') {
    return /[\0\p{Surrogate}]/u.test(value)
      ? [{ path, code: 'invalid_text', message: 'holds U+0000 or an unpaired surrogate' }]
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (depth > 8) return [{ path: shorten(path), code: 'too_deep', message: 'nested too deeply' }];
  const issues: Issue[] = [];
  for (const [key, member] of Object.entries(value)) {
    if (issues.length >= MAX_ISSUES) break;
    issues.push(...unstorableText(member, shorten(path ? `${path}.${key}` : key), depth + 1));
  }
  return issues;
}
