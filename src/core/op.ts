import type { z } from 'zod';
import { safeCsv, safeCsvParts } from '../common/safe_csv.ts';
import type { Services } from '../services.ts';
import type { Caller, Rule } from './access.ts';
import type { AuditAction } from './audit_actions.ts';
import type { Cost } from './cost.ts';
import type { Success } from './declared.ts';
import type { ProblemCode } from './errors.ts';

export { ANONYMOUS, type Caller, LOCAL_OPERATOR, type Rule } from './access.ts';

/** What an operation receives besides its input. */
export interface Context<S = Services> {
  readonly caller: Caller;
  readonly requestId: string;
  /** The client's address; null where the transport has none. */
  readonly address: string | null;
  /** Aborts when the client disconnects or the deadline passes; its reason is the failure to answer with. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly transport: 'http' | 'rpc' | 'cli' | 'mcp';
  readonly services: S;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** The request headers that operations read; empty where the transport has none. */
  readonly headers: Readonly<Partial<Record<'accept-language' | 'if-none-match', string>>>;
  /** What a browser says of the language that was chosen on the dashboard; absent where the transport cannot know. */
  readonly chosenLanguage?: string | null;
  /**
   * Counts a call that does the work of several requests as that many, against the limit of an anonymous caller's
   * network or, with 'any', of any caller: for work that costs no units. Absent where requests are not limited.
   * @throws rate_limited when fewer requests are left
   */
  readonly countRequests?: (requests: number, whose?: 'anonymous' | 'any') => Promise<void>;
  /** Formulas of CSV files are escaped (safeCsv of schemas.ts). */
  readonly safeCsv?: true;
  /** A body that the operation reads as a stream, of one of its media types; absent when the input is everything. */
  readonly intake?: BodyStream;
  /** Reports progress to a waiting client, as a sentence; absent when the client did not ask for it. */
  readonly progress?: (message: string) => void;
  /**
   * Returns the representation to send: the one the client prefers, with its headers, including ETag. It is chosen
   * before the call is charged. Absent: the bytes are sent as they are.
   * @throws rate_limited when there is no room for the body
   */
  readonly represent?: (
    answer: Pick<Bytes, 'bytes' | 'contentType' | 'headers'>,
  ) => Promise<Pick<Bytes, 'bytes' | 'headers'>>;
}

/**
 * A context with some members replaced. Copying one by `...` would lose what it computes on each read, or keep what was
 * so by then: the deadline may move, and the signal is made when it is first asked for.
 */
export function contextWith(ctx: Context, members: Partial<Context>): Context {
  return {
    ...ctx,
    get signal() {
      return ctx.signal;
    },
    get deadline() {
      return ctx.deadline;
    },
    ...members,
  };
}

/** A request body as a stream. */
export interface BodyStream {
  readonly contentType: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Its length in bytes, where the sender said it before it sends any. */
  readonly announced?: number;
}

const BYTES = Symbol('bytes');
const CREATED = Symbol('created');
const STREAM = Symbol('stream');

/** Raw bytes as an answer (a GeoJSON feature or a file). */
export interface Bytes {
  readonly [BYTES]: true;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  /** Stores the file that the headers name. Called once it is certain that the answer is sent in full and charged. */
  readonly keep?: () => Promise<void>;
}

/**
 * Returns an answer of raw bytes. A GET whose If-None-Match has its `ETag` gets a 304: it is not charged, stores
 * nothing, and names no stored file.
 */
export function bytes(
  content: Uint8Array,
  contentType: string,
  { headers = {}, status = 200, keep }: Partial<Pick<Bytes, 'headers' | 'status' | 'keep'>> = {},
): Bytes {
  return { [BYTES]: true, bytes: content, contentType, headers, status, keep };
}

/** Whether an answer was made by bytes(). */
export function isBytes(value: unknown): value is Bytes {
  return typeof value === 'object' && value !== null && BYTES in value;
}

/** A file that is generated while it is sent. */
export interface Streamed {
  readonly [STREAM]: true;
  readonly content: AsyncGenerator<Uint8Array, void, undefined>;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns an answer that is sent part by part. A failure before the first part becomes a problem document; a later one
 * closes the connection, and the call is free. A client that disconnects after the first part is charged.
 */
export function streamed(
  content: Streamed['content'],
  contentType: string,
  headers: Readonly<Record<string, string>> = {},
): Streamed {
  return { [STREAM]: true, content, contentType, headers };
}

/** Whether an answer was made by streamed(). */
export function isStreamed(value: unknown): value is Streamed {
  return typeof value === 'object' && value !== null && STREAM in value;
}

/** An answer of bytes or a stream with its formulas escaped, if it is CSV; any other as it is. */
export function withoutFormulas<T>(answer: T): T {
  if (!(isStreamed(answer) || isBytes(answer)) || !answer.contentType.startsWith('text/csv')) return answer;
  if (isStreamed(answer)) return { ...answer, content: safeCsvParts(answer.content) };
  return { ...answer, bytes: Buffer.from(safeCsv(Buffer.from(answer.bytes).toString())) };
}

/** A new resource: status 201 with its Location. */
export interface Created<T> {
  readonly [CREATED]: true;
  readonly body: T;
  readonly location: string;
}

/** Returns a 201 answer. `location` is the path under the base URL, `/v1/files/file_…`; it is sent as a full URL. */
export function created<T>(body: T, location: string): Created<T> {
  return { [CREATED]: true, body, location };
}

/** Whether an answer was made by created(). */
export function isCreated(value: unknown): value is Created<unknown> {
  return typeof value === 'object' && value !== null && CREATED in value;
}

/** An example call, shown in the documentation and run by the tests. */
export interface Example<I = Record<string, unknown>> {
  readonly input: I;
  /** What it shows, in a few words. */
  readonly note?: string;
  /** The example fails with this code. */
  readonly problem?: ProblemCode;
}

/** An operation, declared once; every transport and listing is derived from it. */
export interface Op<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType, P = unknown> {
  /** snake_case. Also the name of the RPC method and the tool; the command has hyphens instead. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  /** `path` is under /v1, with parameters as `:id`. */
  readonly route: { readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly path: `/${string}` };
  /** A row of RULES (access.ts), or a function that picks the row by the input. */
  readonly access: Rule | { of(input: z.output<I>): Rule }['of'];
  /** When the rule depends on the input: the row that every caller must satisfy. Absent: some inputs are public. */
  readonly least?: Rule;
  readonly effect: 'read' | 'write';
  readonly cost: Cost;
  /** It reads areas of sets though it takes no date: one with the field as_of reads them anyway (with_sets.ts). */
  readonly readsSets?: true;
  readonly input: I;
  /**
   * An input field that the operation's own route also accepts as the whole body, in this media type. The other fields
   * are then in the query.
   */
  readonly textBody?: { readonly contentType: string; readonly field: string };
  /**
   * Media types of bodies of any length that the operation's own route streams (Context.intake). The input is then in
   * the query.
   */
  readonly intake?: readonly string[];
  /** Limit of the body in bytes; BODY_BYTES when absent. */
  readonly bodyBytes?: number;
  /** Limit of the values in the input, object members and list elements together; MOST_VALUES when absent. */
  readonly mostValues?: number;
  /** Limit of the object members in a large body, all objects together; mostValues when absent. */
  readonly mostMembers?: number;
  /** Checks lengths before any work per element. @throws the operation's code for too many elements */
  count?(given: Readonly<Record<string, unknown>>): void;
  /** The JSON answer, or the document inside a Bytes answer. */
  readonly output: O;
  readonly errors: readonly ProblemCode[];
  /** Absent: 200 and application/json. */
  readonly success?: Success;
  readonly examples: readonly Example<z.input<I>>[];
  /** Actions it may write to the audit log, in the transaction of its own changes; absent: none. */
  readonly audit?: readonly AuditAction[];
  /** It settles its units itself, in the transaction that does the work; unsettled units are refunded. */
  readonly settles?: true;
  /** Resolves ids and finds existing entries before units are reserved: not_found comes before quota_exceeded. */
  prepare?(ctx: Context, input: z.output<I>): Promise<P>;
  /** Units of this call; cost.units when absent. */
  price?(ctx: Context, input: z.output<I>, prepared: P): number;
  run(
    ctx: Context,
    input: z.output<I>,
    prepared: P,
    settle: Settle,
  ): Promise<z.input<O> | Bytes | Streamed | Created<z.input<O>>>;
}

/** Charges the units of a call in a transaction: they are charged if it commits, and refunded if it rolls back. */
export type Settle = (tx: Parameters<Services['billing']['settleIn']>[0]) => Promise<void>;

/** Declares an operation; the types of input, prepared value and answer are inferred from the declaration. */
export function defineOp<I extends z.ZodObject, O extends z.ZodType, P = undefined>(op: Op<I, O, P>): Op<I, O, P> {
  return op;
}

/** An operation of any types, as the registry holds it. */
export type AnyOp = Op;
