import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { z } from 'zod';
import { ClientGone } from '../deadline.ts';
import { type Issue, invalidInput, problem } from '../errors.ts';
import { BODY_BYTES } from '../input.ts';
import { mediaTypeIn } from '../media_type.ts';
import type { AnyOp } from '../op.ts';
import { coerce, type Field, type FieldKind, parseObject } from './values.ts';

interface JsonProperty {
  type?: string;
  items?: JsonProperty;
  anyOf?: JsonProperty[];
  enum?: unknown[];
  description?: string;
  comma?: boolean;
  operand?: boolean;
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

const RAW_ADDRESS =
  /^\/v1\/boundaries\/((?:https?:\/|(?:www\.|m\.)?(?:openstreetmap|osm)\.org\/|browse\/|way\/)[^?]*?)(\/(?:children|export))?(?:\?.*)?$/i;

/**
 * Throws invalid_id, which says how to write it, for an address of the map or `way/N` whose slashes stand unencoded
 * where a path has a boundary id.
 */
export function refuseRawAddress(url: string): void {
  const [, address, after = ''] = RAW_ADDRESS.exec(url) ?? [];
  if (address === undefined) return;
  const path = `/v1/boundaries/${encodeURIComponent(decodeURIComponent(address))}${after}`;
  throw problem('invalid_id', `The slashes of an id in a path must be percent-encoded: ${path.slice(0, 300)}`);
}

/**
 * The bytes of a request's body. `what` names it in the sentence that refuses it. Throws too_large over `limit` bytes,
 * before any is read where the length is told, and ClientGone.
 */
export async function readBytes(request: IncomingMessage, limit: number, what = 'The body'): Promise<Buffer> {
  try {
    return await getRawBody(request, { limit, length: request.headers['content-length'] });
  } catch (error) {
    const { type } = error as { type?: string };
    if (type === 'entity.too.large') throw problem('too_large', `${what} is over ${limit} bytes.`);
    // Whatever it is called: a body that ends before its time has no one at its other end.
    if (type === 'request.size.invalid' || !request.complete) throw new ClientGone();
    throw error;
  }
}

/** Whether a request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** So much of a body that no one wants is taken off the wire, so that its sender reads the answer; and for so long. */
const UNWANTED_BYTES = 1024 * 1024;
const UNWANTED_MS = 2_000;

/**
 * After an answer was made: what is left of the request's body is thrown away as it comes. One that goes on for long
 * loses its connection.
 */
export function discardRest(request: IncomingMessage): void {
  if (!hasBody(request) || request.complete || request.destroyed) return;
  let left = UNWANTED_BYTES;
  const cut = (): void => void request.socket.destroy();
  const timer = setTimeout(cut, UNWANTED_MS).unref();
  request.on('data', (part: Buffer) => {
    left -= part.byteLength;
    if (left < 0) cut();
  });
  request.once('close', () => clearTimeout(timer));
  request.once('error', () => undefined);
  request.resume();
}

/**
 * The JSON object in a request's body, and how many bytes it had; null when there is no body. Throws invalid_json
 * (another content type, not JSON, not UTF-8, not an object), too_large over `limit` bytes, ClientGone.
 */
export async function readObject(
  request: IncomingMessage,
  limit: number = BODY_BYTES,
): Promise<{ readonly object: Record<string, unknown>; readonly bytes: number } | null> {
  if (!hasBody(request)) return null;
  const raw = await readBytes(request, limit);
  if (raw.length === 0) return null;
  requireJson(request);
  return { object: parseObject(textOf(raw), 'The body'), bytes: raw.length };
}

function textOf(raw: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    throw problem('invalid_json', 'The body is not UTF-8.');
  }
}

/** The text in a request's body. Throws invalid_json (compressed, not UTF-8), too_large over `limit` bytes, ClientGone. */
export async function readText(request: IncomingMessage, limit: number = BODY_BYTES): Promise<string> {
  const raw = await readBytes(request, limit);
  refuseCompressed(request);
  return textOf(raw);
}

/** The media type of a request's body in lower case, without parameters. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  return mediaTypeIn(headers['content-type']);
}

/** The object of readObject(). */
export async function readBody(request: IncomingMessage, limit?: number): Promise<Record<string, unknown> | null> {
  return (await readObject(request, limit))?.object ?? null;
}

/** Throws invalid_json for a compressed body. */
export function refuseCompressed({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw problem('invalid_json', 'The body is compressed; send it as it is.');
}

function requireJson(request: IncomingMessage): void {
  refuseCompressed(request);
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
