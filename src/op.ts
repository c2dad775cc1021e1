import type { z } from 'zod';
import type { Caller, Rule } from './access.ts';
import type { Success } from './answers.ts';
import type { AuditAction } from './audit_actions.ts';
import type { Ending } from './deadline.ts';
import type { ProblemCode } from './errors.ts';
import type { Services } from './services.ts';

export { ANONYMOUS, type Caller, LOCAL_OPERATOR, type Rule } from './access.ts';

/** What an operation is given beside its input. */
export interface Context<S = Services> {
  readonly caller: Caller;
  readonly requestId: string;
  /** The client's address; null where the transport has none. */
  readonly address: string | null;
  /** Aborts when the client goes away or the deadline passes; the reason is what to answer. */
  readonly signal: AbortSignal;
  /** The same without the cost of a signal, which most calls never need; absent where a transport has only that. */
  readonly ending?: Ending;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly transport: 'http' | 'rpc' | 'cli' | 'mcp';
  readonly services: S;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The request headers that operations read; empty where the transport has none. */
  readonly headers: Readonly<Partial<Record<'accept-language' | 'if-none-match', string>>>;
  /**
   * Counts a call that does the work of several requests as so many under the limit of an anonymous caller's network.
   * Throws rate_limited when there are not so many left. Absent where requests are not limited.
   */
  readonly weigh?: (requests: number) => Promise<void>;
  /** A body that the operation reads as it comes, of one of its media types; absent where the input is all there is. */
  readonly intake?: Intake;
  /** Tells a client that waits how far the work is, in words; absent when no one listens. */
  readonly progress?: (message: string) => void;
  /**
   * What is really sent of an answer: the representation that the client prefers, with the headers that tell it, ETag
   * among them. Throws rate_limited when there is no room for the body: before the call is paid for.
   * Absent: the bytes as they are.
   */
  readonly represent?: (
    answer: Pick<Bytes, 'bytes' | 'contentType' | 'headers'>,
  ) => Promise<Pick<Bytes, 'bytes' | 'headers'>>;
}

/** A body as it comes. */
export interface Intake {
  readonly contentType: string;
  readonly chunks: AsyncIterable<Uint8Array>;
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
  /** Stores what the headers name, once it is certain that the answer is sent whole and charged. */
  readonly keep?: () => Promise<void>;
}

/**
 * An answer in bytes. With an `ETag` header, a GET that names it is answered 304 and not charged: nothing is kept then,
 * and nothing named.
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

/** A file as an answer that is made while it is sent. */
export interface Streamed {
  readonly [STREAM]: true;
  readonly content: AsyncGenerator<Uint8Array, void, undefined>;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An answer that is sent part by part. Until the first part is made a failure is a problem document; after that it ends
 * the connection, and the call is free. A client that leaves after the first part has paid.
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

/** A new resource: status 201 and its address. */
export interface Created<T> {
  readonly [CREATED]: true;
  readonly body: T;
  readonly location: string;
}

/** `location` is the path under the base URL, `/v1/files/file_…`; it is sent as a full URL. */
export function created<T>(body: T, location: string): Created<T> {
  return { [CREATED]: true, body, location };
}

/** Whether an answer was made by created(). */
export function isCreated(value: unknown): value is Created<unknown> {
  return typeof value === 'object' && value !== null && CREATED in value;
}

/** What a call costs, as get_pricing lists it. 0 units: free. */
export interface Cost {
  readonly units: number;
  readonly per: 'call' | 'boundary';
  /** When the price depends on the input: how. */
  readonly note?: string;
}

/** A call that documentation shows and tests make. */
export interface Example<I = Record<string, unknown>> {
  readonly input: I;
  /** What it shows, in a few words. */
  readonly note?: string;
  /** It fails with this code, and shows how. */
  readonly problem?: ProblemCode;
}

/** An operation, declared once; every transport and listing is derived from it. */
export interface Op<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType, P = unknown> {
  /** snake_case; the RPC and tool name, the command with hyphens. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  /** `path` is under /v1, parameters as `:id`. */
  readonly route: { readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; readonly path: `/${string}` };
  /** A row of RULES (access.ts), or which one by input. */
  readonly access: Rule | { of(input: z.output<I>): Rule }['of'];
  /** Where the rule depends on the input: a row that whoever calls needs in any case. Absent: some inputs are public. */
  readonly least?: Rule;
  readonly effect: 'read' | 'write';
  readonly cost: Cost;
  readonly input: I;
  /** A member of the input that its own route also takes as the body itself, sent as a media type; the others are then in the query. */
  readonly textBody?: { readonly contentType: string; readonly field: string };
  /** Media types of bodies of any length that its own route hands on as they come (Context.intake); the input is then in the query. */
  readonly intake?: readonly string[];
  /** Bytes of the body that it reads at most; BODY_BYTES when absent. */
  readonly bodyBytes?: number;
  /** Values that its input may hold, members and elements together; MOST_VALUES when absent. */
  readonly mostValues?: number;
  /** Looks at lengths alone, before anything is looked at for each element; throws the code that tells too many. */
  count?(given: Readonly<Record<string, unknown>>): void;
  /** The JSON answer, or the document inside a Bytes answer. */
  readonly output: O;
  readonly errors: readonly ProblemCode[];
  /** Absent: 200 and application/json. */
  readonly success?: Success;
  readonly examples: readonly Example<z.input<I>>[];
  /** What it may write to the audit log, in the transaction of what it does; absent: nothing. */
  readonly audit?: readonly AuditAction[];
  /** It settles its units itself, in the transaction of what they pay for; what it does not settle is given back. */
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

/** Makes the units of a call used in the transaction it is given: they are kept with the rest of it, or given back. */
export type Settle = (tx: Parameters<Services['billing']['settleIn']>[0]) => Promise<void>;

/** Declares an operation; the types of input, prepared value and answer follow from the declaration. */
export function defineOp<I extends z.ZodObject, O extends z.ZodType, P = undefined>(op: Op<I, O, P>): Op<I, O, P> {
  return op;
}

/** An operation whatever its types, as the registry holds it. */
export type AnyOp = Op;
