/** The body of a request: how much of it is read, and what it must be. */
import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { mediaTypeIn } from '../common/media_type.ts';
import { Turns } from '../common/turns.ts';
import { ClientDisconnected } from '../core/deadline.ts';
import { invalidInput, problem } from '../core/errors.ts';
import { BODY_BYTES, MOST_LEVELS, MOST_VALUES } from '../core/input.ts';
import type { AnyOp } from '../core/op.ts';
import { JsonCounter } from './json_counter.ts';
import { parseObject } from './values.ts';

/** Bytes that a counter looks at in one turn of the event loop: several parts of a body may arrive in one. */
const COUNTED_IN_TURN = 32 * 1024;

/**
 * Reads the body of a request. `what` names it in error messages.
 * `counter` is called with each part of it, some parts in each turn of the event loop, and ends the reading when it
 * throws.
 * @throws too_large over `limit` bytes (before reading any when Content-Length is known), ClientDisconnected
 */
export async function readBytes(
  request: IncomingMessage,
  limit: number,
  what = 'The body',
  counter?: (part: Buffer) => void,
): Promise<Buffer> {
  let refused: unknown;
  let inTurn = 0;
  const count = (part: Buffer): void => {
    if (refused !== undefined) return;
    bytesOf.set(request, bytesRead(request) + part.byteLength);
    inTurn += part.byteLength;
    if (counter && inTurn >= COUNTED_IN_TURN) {
      inTurn = 0;
      request.pause();
      // The next part may have been read already: it would be counted in the turn that others have.
      setImmediate(() => setImmediate(() => request.resume()));
    }
    try {
      counter?.(part);
    } catch (error) {
      refused = error;
      request.off('data', count);
      stop(error);
    }
  };
  let stop: (error: unknown) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  try {
    const whole = getRawBody(request, { limit, length: request.headers['content-length'] });
    request.on('data', count);
    return await Promise.race([whole, stopped]);
  } catch (error) {
    if (error === refused) throw error;
    const { type } = error as { type?: string };
    if (type === 'entity.too.large') throw problem('too_large', `${what} is over ${limit} bytes.`);
    // Whatever the error is called, a body that ends early means that the client has disconnected.
    if (type === 'request.size.invalid' || !request.complete) throw new ClientDisconnected();
    throw error;
  } finally {
    request.off('data', count);
  }
}

const bytesOf = new WeakMap<IncomingMessage, number>();

/** Bytes of a request's body that were read so far. */
export const bytesRead = (request: IncomingMessage): number => bytesOf.get(request) ?? 0;

/** Whether the request has a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * How much of an unwanted body is read, and for how long, so that its sender gets to read the response: of one whose
 * length was announced, as much as the largest body that an operation takes.
 */
const UNWANTED_BYTES = 1024 * 1024;
const UNWANTED_ANNOUNCED = 8 * 1024 * 1024;
const UNWANTED_MS = 2_000;

/**
 * Discards the rest of the request's body after the response was made. A body that goes on for too long loses its
 * connection.
 */
export function discardRest(request: IncomingMessage): void {
  if (!hasBody(request) || request.complete || request.destroyed) return;
  const announced = Number(request.headers['content-length'] ?? 0);
  let left = Math.max(UNWANTED_BYTES, Math.min(announced, UNWANTED_ANNOUNCED));
  const cut = (): void => {
    // Once the body has arrived, the connection belongs to the next request. A body that its reader gave up has no 'end'.
    if (!request.complete) request.socket.destroy();
  };
  const timer = setTimeout(cut, UNWANTED_MS).unref();
  request.on('data', (part: Buffer) => {
    left -= part.byteLength;
    if (left < 0) cut();
  });
  request.once('close', () => clearTimeout(timer));
  request.once('error', () => undefined);
  // A reader that stopped early may still be attached, and nothing flows past it.
  request.removeAllListeners('readable');
  request.resume();
}

/** Bytes of a body from which others have a turn when it was parsed. */
const LARGE_BODY = 128 * 1024;

/**
 * Reads the JSON object in a request's body and its length in bytes; null without a body.
 * @throws invalid_json (another content type, not JSON, not UTF-8, not an object), too_large over `limit` bytes,
 * ClientDisconnected
 */
export async function readObject(
  request: IncomingMessage,
  limit: number = BODY_BYTES,
  counter?: (part: Buffer) => void,
): Promise<{ readonly object: Record<string, unknown>; readonly bytes: number } | null> {
  if (!hasBody(request)) return null;
  const raw = await readBytes(request, limit, 'The body', counter);
  if (raw.length === 0) return null;
  requireJson(request);
  const object = parseObject(textOf(raw), 'The body');
  // Its values are counted in the next turn: the parser takes some milliseconds for each megabyte.
  if (raw.length >= LARGE_BODY) await new Turns().next();
  return { object, bytes: raw.length };
}

function textOf(raw: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    throw problem('invalid_json', 'The body is not UTF-8.');
  }
}

/**
 * Reads a request's body as text.
 * @throws invalid_json (compressed, not UTF-8), too_large over `limit` bytes, ClientDisconnected
 */
export async function readText(request: IncomingMessage, limit: number = BODY_BYTES): Promise<string> {
  const raw = await readBytes(request, limit);
  refuseCompressed(request);
  return textOf(raw);
}

/** Media type of a request's body, in lower case and without parameters. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  return mediaTypeIn(headers['content-type']);
}

type Bounded = Pick<AnyOp, 'bodyBytes' | 'mostValues' | 'mostMembers' | 'errors'>;

/** Values by which a body may exceed the limit of its operation: what is wrong with it is then said more precisely. */
const SLACK = 1_000;

/** Returns a function that counts the values of a large JSON body as it arrives; undefined for an operation without. */
export function counterFor({
  bodyBytes,
  mostValues,
  mostMembers,
  errors,
}: Bounded): ((part: Buffer) => void) | undefined {
  if (bodyBytes === undefined || bodyBytes <= BODY_BYTES) return undefined;
  const values = (mostValues ?? MOST_VALUES) + SLACK;
  const counter = new JsonCounter({ values, members: (mostMembers ?? values) + SLACK, levels: MOST_LEVELS + SLACK });
  return (part) => {
    const beyond = counter.add(part);
    if (beyond === null) return;
    if (beyond === 'levels') throw invalidInput([{ path: '', code: 'too_deep', message: 'nested too deeply' }]);
    const most = beyond === 'values' ? (mostValues ?? MOST_VALUES) : (mostMembers ?? values);
    const what = `has more than ${most} ${beyond === 'values' ? 'values' : 'object members'}`;
    if (errors.includes('too_many_boundaries')) throw problem('too_many_boundaries', `The body ${what}.`);
    throw invalidInput([{ path: '', code: 'too_many', message: what }]);
  };
}

/**
 * Reads the JSON object in the body of a call of an operation; null without a body. A body with more values than the
 * operation takes is refused while it arrives.
 * @throws as readObject(); invalid_input, too_many_boundaries
 */
export async function readBody(request: IncomingMessage, op: Bounded): Promise<Record<string, unknown> | null> {
  return (await readObject(request, op.bodyBytes, counterFor(op)))?.object ?? null;
}

/** Checks that a body is not compressed. @throws invalid_json for a compressed body */
export function refuseCompressed({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw problem('invalid_json', 'The body is compressed. Send it uncompressed.');
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
