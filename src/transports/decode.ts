/** What a request asks for: its target, its query, and the input of the operation that these and its body make. */
import { z } from 'zod';
import { type Issue, invalidInput, problem } from '../core/errors.ts';
import type { AnyOp } from '../core/op.ts';
import { coerce, type Field, type FieldKind } from './values.ts';

interface JsonProperty {
  type?: string;
  items?: JsonProperty;
  anyOf?: JsonProperty[];
  enum?: unknown[];
  description?: string;
  comma?: boolean;
  operand?: boolean;
}

/** Fields of an operation's input, in declaration order. */
export function fieldsOf(op: AnyOp): Field[] {
  const schema = z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' });
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const json = property as JsonProperty;
    return {
      name,
      kind: kindOf(json),
      itemKind: json.items ? kindOf(json.items) : 'string',
      orObject: json.anyOf?.some((one) => kindOf(one) === 'object') === true,
      comma: json.comma === true,
      required: required.has(name),
      operand: json.operand === true,
      choices: (json.enum ?? []).filter((choice) => typeof choice === 'string'),
      description: json.description ?? '',
    };
  });
}

function kindOf(json: JsonProperty): FieldKind {
  if (json.type === 'number' || json.type === 'integer') return 'number';
  if (json.type === 'boolean' || json.type === 'array' || json.type === 'object') return json.type;
  return json.anyOf?.map(kindOf).find((kind) => kind !== 'string') ?? 'string';
}

/** Parses a query string. @throws invalid_input when a name is given twice */
export function readQuery(querystring: string): Map<string, string> {
  const query = new Map<string, string>();
  const issues: Issue[] = [];
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (query.has(name)) issues.push({ path: name.slice(0, 100), code: 'duplicate', message: 'given more than once' });
    query.set(name, value);
  }
  if (issues.length > 0) throw invalidInput(issues.slice(0, 50));
  return query;
}

/** U+0000 in the path of a request target: no database stores it, so nothing is named with it. */
const NUL_IN_PATH = /^[^?]*%00/;

/**
 * Checks the request target.
 * @throws invalid_input for malformed percent-encoding or UTF-8 anywhere in it, and for U+0000 in its path
 */
export function checkTarget(url: string): void {
  const refuse = (what: string) =>
    invalidInput([{ path: '', code: 'invalid_encoding', message: `the URL has ${what}` }]);
  try {
    decodeURIComponent(url);
  } catch {
    throw refuse('malformed percent-encoding or UTF-8');
  }
  if (NUL_IN_PATH.test(url)) throw refuse('the character U+0000 in its path');
}

/** The start of a map URL or `way/N`, with a colon and slashes that are encoded or not, as programs differ in that. */
const ADDRESS_START =
  /^(?:https?(?::|%3a)(?:\/|%2f)|(?:www\.|m\.)?(?:openstreetmap|osm)\.org(?:\/|%2f)|(?:browse|way)(?:\/|%2f))/i;
const RAW_ADDRESS = /^\/v1\/boundaries\/([^?]*?)(\/(?:children|export|neighbors))?\/?(?:\?.*)?$/i;

/**
 * Rejects a map URL or `way/N` with an unencoded slash where a path has a boundary id.
 * @throws invalid_id, whose detail says how to write the path
 */
export function refuseRawAddress(url: string): void {
  const [, address = '', after = ''] = RAW_ADDRESS.exec(url) ?? [];
  if (!address.includes('/') || !ADDRESS_START.test(address)) return;
  // What follows the scheme may have lost a slash to a proxy that merges them.
  const whole = decodeURIComponent(address).replace(/^(https?:)\/+/i, '$1//');
  const path = `/v1/boundaries/${encodeURIComponent(whole)}${after}`;
  throw problem('invalid_id', `Percent-encode the slashes of an id in a path: ${path.slice(0, 300)}`);
}

/**
 * Builds the input of an operation that is called by its own route: path parameters, then the query (GET operations) or
 * the body.
 * @throws invalid_input for a name that is given in two places; neither value takes precedence
 */
export function routeInput(
  fields: readonly Field[],
  params: Readonly<Record<string, string>>,
  query: ReadonlyMap<string, string>,
  body: Readonly<Record<string, unknown>> | null,
  bodyExpected: boolean,
): Record<string, unknown> {
  const issues: Issue[] = [];
  const members: [string, unknown][] = [];
  const byName = new Map(fields.map((field) => [field.name, field]));
  const fromText = (name: string, text: string): void => {
    const field = byName.get(name);
    members.push([name, field ? coerce(field, text) : text]);
  };
  for (const [name, text] of Object.entries(params)) fromText(name, text);
  for (const [name, text] of query) {
    if (bodyExpected) {
      issues.push({
        path: name.slice(0, 100),
        code: 'unknown_field',
        message: 'send it in the body, not in the query',
      });
    } else if (Object.hasOwn(params, name)) {
      issues.push({ path: name, code: 'duplicate', message: 'already given in the path' });
    } else fromText(name, text);
  }
  for (const [name, value] of Object.entries(body ?? {})) {
    if (Object.hasOwn(params, name)) {
      issues.push({ path: name, code: 'duplicate', message: 'already given in the path' });
    } else members.push([name, value]);
  }
  if (issues.length > 0) throw invalidInput(issues.slice(0, 50));
  return Object.fromEntries(members);
}
