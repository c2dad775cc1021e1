import { channel } from 'node:diagnostics_channel';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { PROBLEMS, type ProblemCode, type ProblemError } from './errors.ts';

/** How the success of an operation is sent. Absent: status 200 and a JSON document of its output. */
export interface Success {
  /** Status 201 and a Location: always, or only when the thing was not there before. */
  readonly created?: 'always' | 'if_new';
  /** Media types that a document of the output is sent as; application/json when absent. */
  readonly documents?: readonly string[];
  /** Media types of the file that the operation's own route sends in place of a document. */
  readonly files?: readonly string[];
}

/** What an operation declares about its answers. */
export interface Declaration {
  readonly name: string;
  readonly output: z.ZodType;
  readonly errors: readonly ProblemCode[];
  readonly success?: Success;
  /** Media types of bodies that its own route reads as they come, and answers in kind. */
  readonly intake?: readonly string[];
}

const JSON_TYPE = 'application/json';

/** The statuses that a success of an operation may have, beside 304 for what the client has already. */
export function statusesOf({ success }: Pick<Declaration, 'success'>): readonly number[] {
  if (success?.created === 'always') return [201];
  return success?.created === 'if_new' ? [200, 201] : [200];
}

/** The media types that a success may be sent as: by the operation's own route, or when it is called by its name. */
export function mediaTypesOf(
  { success, intake }: Pick<Declaration, 'success' | 'intake'>,
  own: boolean,
): readonly string[] {
  const types = (own ? success?.files : undefined) ?? success?.documents ?? [JSON_TYPE];
  return own && intake ? [...types, ...intake] : types;
}

/** Whether a media type is JSON or made of it (RFC 6839). */
export function isJsonType(mediaType: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json(?:;|$)/.test(mediaType);
}

/** Failures that any call may end in, whatever its operation declares: of the credential, the body, the limits, ours. */
export const ANY_CALL = [
  'invalid_input',
  'invalid_json',
  'unauthorized',
  'invalid_key',
  'invalid_token',
  'too_large',
  'rate_limited',
  'internal_error',
] as const satisfies readonly ProblemCode[];

const seconds = z.int().min(1).describe('Seconds to wait.');
const issue = z.object({
  path: z.string().describe('Dotted path of the field; empty for the input as a whole.'),
  code: z.string(),
  message: z.string(),
});

const place = z.object({ id: z.string(), name: z.string() });
const candidates = z
  .array(place.extend({ parents: z.array(z.looseObject(place.shape)).describe('Outermost first.') }))
  .max(5)
  .optional()
  .describe('Where the id looks like a name: what it may mean, best first.');

/** Members that a code adds to its problem document. */
const MEMBERS: { readonly [code in ProblemCode]?: z.ZodRawShape } = {
  invalid_input: { issues: z.array(issue).min(1).describe('Every field that is wrong.') },
  invalid_id: { candidates },
  quota_exceeded: { used: z.int().min(0), limit: z.int().min(0) },
  rate_limited: { retry_after: seconds },
  authorization_pending: { interval: z.int().min(1).describe('Seconds between two polls.') },
  geometry_pending: { retry_after: seconds.optional() },
  upstream_busy: { retry_after: seconds.optional() },
  upstream_unavailable: { retry_after: seconds.optional() },
};

/** The problem document of a code (RFC 9457): its own members are required, others may be added. */
export function problemSchema(code: ProblemCode): z.ZodObject {
  return z.looseObject({
    type: z.url().describe('The page of the code.'),
    title: z.literal(code),
    status: z.literal(PROBLEMS[code].status),
    detail: z.string().min(1).describe('What happened, in a sentence.'),
    code: z.literal(code),
    request_id: z.string().min(1).describe('Quote it when you ask for help.'),
    ...MEMBERS[code],
  });
}

/** Told of every answer that was not declared (in tests), so that it is noticed where no one reads the answer. */
export const undeclaredAnswers = channel('boundary-lookup.undeclared-answer');

/** An operation answered what it does not declare: a fault of ours, found where answers are checked. */
export class UndeclaredAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UndeclaredAnswer';
    undeclaredAnswers.publish(this);
  }
}

/** A success as it is about to be sent. */
export interface Sent {
  readonly status: number;
  readonly contentType: string;
  readonly location?: string;
  /** The value that becomes JSON, or the bytes as they are before any coding. */
  readonly body: unknown;
}

/**
 * Throws UndeclaredAnswer unless a success has a status, a media type, a Location and, where it is JSON, a body as its
 * operation declares: no member is missing, none is of another type, and none is there that the output does not name.
 */
export function checkSuccess(op: Declaration, own: boolean, { status, contentType, location, body }: Sent): void {
  const refuse = (what: string): never => {
    throw new UndeclaredAnswer(`${op.name} answers what it does not declare: ${what}`);
  };
  if (!statusesOf(op).includes(status)) refuse(`status ${status}; see success.created`);
  if ((status === 201) !== (location !== undefined)) refuse(`status ${status}, Location ${location}`);
  if (!mediaTypesOf(op, own).includes(contentType)) refuse(`${contentType}; see success.documents and success.files`);
  const streams = own && op.intake?.includes(contentType);
  if (streams || (own && op.success?.files) || !isJsonType(contentType)) return;
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : JSON.stringify(body);
  const document: unknown = JSON.parse(text);
  const checked = op.output.safeParse(document);
  if (!checked.success) refuse(checked.error.message);
  const added = additions(document, checked.data, '');
  if (added.length > 0) refuse(`members that are not in its output: ${added.slice(0, 10).join(', ')}`);
}

/** Paths of the members that a schema has left out of what it was given. */
function additions(given: unknown, kept: unknown, path: string): string[] {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return [];
  if (Array.isArray(given) && isDeepStrictEqual(given, kept)) return [];
  const known = kept as Record<string, unknown>;
  return Object.entries(given).flatMap(([name, value]) =>
    name in known ? additions(value, known[name], `${path}${name}.`) : [`${path}${name}`],
  );
}

/** What a call failed with, or UndeclaredAnswer when it is a problem that neither its operation nor any call declares. */
export function declaredFailure(op: Declaration, failure: ProblemError): ProblemError | UndeclaredAnswer {
  const codes: readonly string[] = [...op.errors, ...ANY_CALL];
  return codes.includes(failure.code)
    ? failure
    : new UndeclaredAnswer(`${op.name} fails with ${failure.code}, which is not among its errors`);
}

/** Throws UndeclaredAnswer unless a problem document is as its code has it. */
export function checkProblem(document: { readonly code: ProblemCode }): void {
  const checked = problemSchema(document.code).safeParse(document);
  if (!checked.success)
    throw new UndeclaredAnswer(`a document of ${document.code} that is not one: ${checked.error.message}`);
}
