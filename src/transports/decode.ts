import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { z } from 'zod';
import { type Issue, invalidInput, problem } from '../errors.ts';
import { type AnyOp, ClientGone } from '../op.ts';
import { coerce, type Field, type FieldKind, parseObject } from './values.ts';

/** The largest request body. */
export const BODY_BYTES = 2 ** 20;

interface JsonProperty {
  type?: string;
  items?: JsonProperty;
  anyOf?: JsonProperty[];
  enum?: unknown[];
  description?: string;
  comma?: boolean;
}

/** The fields of an operation's input, in the order they are declared. */
export function fieldsOf(op: AnyOp): Field[] {
  const schema = z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' });
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const json = property as JsonProperty;
    return {
      name,
      kind: kindOf(json),
      itemKind: json.items ? kindOf(json.items) : 'string',
      comma: json.comma === true,
      required: required.has(name),
      choices: (json.enum ?? []).filter((choice) => typeof choice === 'string'),
      description: json.description ?? '',
    };
  });
}

function kindOf(json: JsonProperty): FieldKind {
  if (json.type === 'number' || json.type === 'integer') return 'number';
  if (json.type === 'boolean' || json.type === 'array') return json.type;
  return json.anyOf?.map(kindOf).find((kind) => kind !== 'string') ?? 'string';
}

/** The members of a query string. Throws invalid_input for one that is given twice. */
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

/** Throws invalid_input for malformed percent-encoding or UTF-8 anywhere in the request target. */
export function checkTarget(url: string): void {
  try {
    decodeURIComponent(url);
  } catch {
    throw invalidInput([
      { path: '', code: 'invalid_encoding', message: 'the address holds malformed percent-encoding or UTF-8' },
    ]);
  }
}

/**
 * The JSON object in a request's body; null when there is no body. Throws invalid_json (another content type, not
 * JSON, not UTF-8, not an object), too_large over 1 MiB, ClientGone.
 */
export async function readBody(request: IncomingMessage): Promise<Record<string, unknown> | null> {
  const length = request.headers['content-length'];
  if (request.headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) return null;
  let raw: Buffer;
  try {
    raw = await getRawBody(request, { limit: BODY_BYTES, length });
  } catch (error) {
    const type = (error as { type?: string }).type;
    if (type === 'entity.too.large') throw problem('too_large', `The body is over ${BODY_BYTES} bytes.`);
    if (type === 'request.aborted' || type === 'request.size.invalid') throw new ClientGone();
    throw error;
  }
  if (raw.length === 0) return null;
  requireJson(request);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    throw problem('invalid_json', 'The body is not UTF-8.');
  }
  return parseObject(text, 'The body');
}

function requireJson(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw problem('invalid_json', 'The body is compressed; send it as it is.');
  const [type, ...parameters] = (request.headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (type !== 'application/json' || (charset && !/^charset="?utf-?8"?$/.test(charset))) {
    throw problem('invalid_json', 'The body must be sent with Content-Type: application/json.');
  }
}

/**
 * The input of an operation called by its own route: path parameters, then the query (operations called with GET) or
 * the body. A name that stands in two places is refused, never overruled.
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
      issues.push({ path: name, code: 'duplicate', message: 'given in the path already' });
    } else fromText(name, text);
  }
  for (const [name, value] of Object.entries(body ?? {})) {
    if (Object.hasOwn(params, name)) {
      issues.push({ path: name, code: 'duplicate', message: 'given in the path already' });
    } else members.push([name, value]);
  }
  if (issues.length > 0) throw invalidInput(issues.slice(0, 50));
  return Object.fromEntries(members);
}
