import { channel } from 'node:diagnostics_channel';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { PROBLEMS, type ProblemCode, type ProblemError } from './errors.ts';

/** How a success of an operation is sent. Absent: status 200 and its output as JSON. */
export interface Success {
  /** Status 201 with a Location: always, or only when the thing is new. */
  readonly created?: 'always' | 'if_new';
  /** Media types of a document of the output; application/json when absent. */
  readonly documents?: readonly string[];
  /** Media types of the file that the operation's own route sends instead of a document. */
  readonly files?: readonly string[];
  /** Further headers that its answers may have. */
  readonly headers?: readonly string[];
}

/** What an operation declares about its answers. */
export interface Declaration {
  readonly name: string;
  readonly output: z.ZodType;
  readonly errors: readonly ProblemCode[];
  readonly success?: Success;
  /** Media types of bodies that its own route reads as a stream and answers in kind. */
  readonly intake?: readonly string[];
}

const JSON_TYPE = 'application/json';

/** The statuses that a success of an operation may have, besides 304. */
export function statusesOf({ success }: Pick<Declaration, 'success'>): readonly number[] {
  if (success?.created === 'always') return [201];
  return success?.created === 'if_new' ? [200, 201] : [200];
}

/** The media types of a success: on the operation's own route (`own`), or when it is called by name. */
export function mediaTypesOf(
  { success, intake }: Pick<Declaration, 'success' | 'intake'>,
  own: boolean,
): readonly string[] {
  const types = (own ? success?.files : undefined) ?? success?.documents ?? [JSON_TYPE];
  return own && intake ? [...types, ...intake] : types;
}

/** Whether a media type is JSON or has the suffix +json (RFC 6839). */
export function isJsonType(mediaType: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json(?:;|$)/.test(mediaType);
}

/** Failures of any call, whatever its operation declares: of the credential, the body, the limits, or the server. */
export const ANY_CALL = [
  'invalid_input',
  'invalid_json',
  'unauthorized',
  'invalid_key',
  'invalid_token',
  'too_large',
  'rate_limited',
  'internal_error',
  'upstream_unavailable',
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

/** Publishes every undeclared answer (in tests), so that it is noticed even when no one reads the answer. */
const undeclaredAnswers = channel('boundary-lookup.undeclared-answer');

/** An operation gave an answer that it does not declare: a bug of ours, found where answers are checked. */
class UndeclaredAnswer extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UndeclaredAnswer';
    undeclaredAnswers.publish(this);
  }
}

/** A success that is about to be sent. */
export interface SuccessAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly location?: string;
  /** The value to serialize as JSON, or the bytes before any content encoding. */
  readonly body: unknown;
}

/**
 * Checks the status, media type, Location and JSON body of a success against the declaration of its operation. In the
 * body no member may be missing, of another type, or undeclared.
 * @throws UndeclaredAnswer
 */
export function checkSuccess(
  op: Declaration,
  own: boolean,
  { status, contentType, location, body }: SuccessAnswer,
): void {
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

/** Paths of the members of `given` that a schema dropped from `kept`. */
function additions(given: unknown, kept: unknown, path: string): string[] {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return [];
  if (Array.isArray(given) && isDeepStrictEqual(given, kept)) return [];
  const known = kept as Record<string, unknown>;
  return Object.entries(given).flatMap(([name, value]) =>
    name in known ? additions(value, known[name], `${path}${name}.`) : [`${path}${name}`],
  );
}

/** The failure, or UndeclaredAnswer when neither its operation nor ANY_CALL declares its code. */
export function declaredFailure(op: Declaration, failure: ProblemError): ProblemError | UndeclaredAnswer {
  const codes: readonly string[] = [...op.errors, ...ANY_CALL];
  return codes.includes(failure.code)
    ? failure
    : new UndeclaredAnswer(`${op.name} fails with ${failure.code}, which is not among its errors`);
}

/** Checks a problem document against the schema of its code. @throws UndeclaredAnswer */
export function checkProblem(document: { readonly code: ProblemCode }): void {
  const checked = problemSchema(document.code).safeParse(document);
  if (!checked.success)
    throw new UndeclaredAnswer(`a document of ${document.code} that is not one: ${checked.error.message}`);
}
