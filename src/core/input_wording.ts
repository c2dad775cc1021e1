import type { z } from 'zod';
import { boundaryId } from './schemas.ts';

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
      return noForm(issue as z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>);
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

/** "must be an array of ids, or {children_of, levels?}; nearest is {children_of, levels?}: levels: …". */
function noForm({ inst, input, errors }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const def = (inst as z.core.$ZodUnion | z.core.$ZodDiscriminatedUnion | undefined)?._zod.def;
  const options = def?.options ?? [];
  if (def && 'discriminator' in def) {
    const { discriminator: name } = def;
    const values = options.flatMap((option) => [...(option._zod.propValues?.[name] ?? [])]);
    return outOf((input as Readonly<Record<string, unknown>>)[name], values);
  }
  const forms = options.map((option) => formOf(option as z.core.$ZodTypes));
  const named = oneOf(forms);
  const closeness = options.map((option) => closenessOf(option as z.core.$ZodTypes, input));
  const best = Math.max(...closeness);
  const nearest = closeness.indexOf(best);
  const [issue] = errors[nearest] ?? [];
  // Of a word that is none of a list, the list says everything.
  if (best <= 0 || issue === undefined || issue.code === 'invalid_value') return named;
  const at = issue.path.map(String).join('.');
  const wrong =
    issue.code === 'unrecognized_keys'
      ? `${issue.keys.map((key) => clip(key)).join(', ')}: not in it`
      : `${at ? `${clip(at)}: ` : ''}${issue.message}`;
  return `${named}; nearest is ${forms[nearest]}: ${wrong}`;
}

const oneOf = (forms: readonly string[]): string =>
  `must be ${forms.slice(0, -1).join(', ')}${forms.length > 2 ? ',' : ''} or ${forms.at(-1)}`;

/**
 * The message for an unknown field at a path of a schema. It names the forms that fit there: of a union of which one form
 * fits but for that field, the library names none.
 */
export function unknownField(schema: z.core.$ZodTypes, path: readonly PropertyKey[]): string {
  const options = optionsAt(schema, path);
  return options.length < 2 ? 'unknown field' : `unknown field; ${String(path.at(-1))} ${oneOf(options.map(formOf))}`;
}

/** The forms of the union at a path; none where there is none. */
function optionsAt(schema: z.core.$ZodTypes, path: readonly PropertyKey[]): readonly z.core.$ZodTypes[] {
  const { def } = schema._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return optionsAt(def.innerType as z.core.$ZodTypes, path);
    case 'union': {
      const options = def.options as readonly z.core.$ZodTypes[];
      if (path.length > 0) return options.flatMap((option) => optionsAt(option, path));
      return 'discriminator' in def ? [] : options;
    }
    case 'array':
      return path.length === 0 ? [] : optionsAt(def.element as z.core.$ZodTypes, path.slice(1));
    case 'record':
      return path.length === 0 ? [] : optionsAt(def.valueType as z.core.$ZodTypes, path.slice(1));
    case 'object': {
      const [name, ...rest] = path;
      const member = name !== undefined && Object.hasOwn(def.shape, name) ? def.shape[String(name)] : undefined;
      return member === undefined ? [] : optionsAt(member as z.core.$ZodTypes, rest);
    }
    default:
      return [];
  }
}

/** A form in a few words: `an array of ids`, `{children_of, levels?}`, `text`. */
function formOf(schema: z.core.$ZodTypes): string {
  const { def } = schema._zod;
  switch (def.type) {
    case 'object':
      return `{${Object.entries(def.shape)
        .map(([name, member]) => (member._zod.optin === 'optional' ? `${name}?` : name))
        .join(', ')}}`;
    case 'array':
      return `an array of ${def.element === boundaryId ? 'ids' : formOf(def.element as z.core.$ZodTypes)}`;
    case 'literal':
      return def.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'enum':
      return `one of ${Object.values(def.entries).join(', ')}`;
    case 'number':
      return (def as { readonly format?: string }).format === 'safeint' ? 'a whole number' : 'a number';
    case 'optional':
    case 'nullable':
    case 'default':
      return formOf(def.innerType as z.core.$ZodTypes);
    default:
      return TYPES[def.type] ?? def.type;
  }
}

/** How near a value is to a form: 0 for another type; of an object, by its members. */
function closenessOf(schema: z.core.$ZodTypes, value: unknown): number {
  const { def } = schema._zod;
  if (Array.isArray(value)) return def.type === 'array' || def.type === 'tuple' ? 1 : 0;
  if (typeof value !== 'object' || value === null) {
    return (def.type === 'enum' ? 'string' : def.type) === typeof value ? 1 : 0;
  }
  if (def.type !== 'object') return 0;
  // A required member says more of what is meant than any optional one, and an unknown one says the contrary.
  const names = Object.keys(value).slice(0, SHOWN);
  return names.reduce((sum, name) => {
    const member = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
    return sum + (member === undefined ? 0 : member._zod.optin === 'optional' ? 1 : SHOWN);
  }, 0);
}

const clip = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

function bound(issue: z.core.$ZodRawIssue, limit: number, compared: string): string {
  const unit = UNITS[String(issue.origin)];
  if (unit === undefined) return `must be ${compared} ${limit}`;
  if (compared === 'at least' && limit === 1) return 'must not be empty';
  return `must have ${issue.exact ? 'exactly' : compared} ${limit} ${unit}${limit === 1 ? '' : 's'}`;
}

function outOf(given: unknown, values: readonly unknown[]): string {
  const shown = typeof given === 'string' ? `"${clip(given)}" ` : '';
  if (values.length === 1) return `must be ${values[0]}`;
  return `${shown}is not one of ${values.slice(0, -1).join(', ')} and ${values.at(-1)}`.trimStart();
}
