import type { z } from 'zod';
import { type AuditAction, authorize, type Caller, type Rule } from './access.ts';
import { checkSuccess, declaredFailure, type Sent, type Success } from './answers.ts';
import { isComputing } from './computing.ts';
import { asProblem, atCapacity, type ProblemCode, ProblemError, problem } from './errors.ts';
import { countValues, parseInput } from './input.ts';
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

function isStreamed(value: unknown): value is Streamed {
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

/** What a transport sends. */
export interface Answer {
  readonly status: number;
  /** Content-Type among them, unless the status is 304. */
  readonly headers: Record<string, string>;
  /** What goes over the wire; empty when the status is 304. */
  readonly bytes: Uint8Array;
  /** The value that the bytes are the JSON of, for who hands it on as a value; absent where an operation made bytes. */
  readonly body?: unknown;
  /** The parts of an answer that is made while it is sent; bytes is empty then. Whoever takes it ends it (return, throw). */
  readonly stream?: AsyncGenerator<Uint8Array, void, undefined>;
}

/** The client went away: no one is left to answer, nothing is charged. */
export class ClientGone extends Error {
  constructor() {
    super('the client closed the connection');
    this.name = 'ClientGone';
  }
}

/** Whether a call has been ended before its time. */
export interface Ending {
  /** Why; null while it goes on. */
  readonly reason: unknown;
  /** Calls `told` once when it ends; the function that is given takes that back. */
  onEnd(told: () => void): () => void;
}

/** What a signal tells, as an Ending. */
function endingOf(signal: AbortSignal): Ending {
  return {
    get reason() {
      return signal.aborted ? signal.reason : null;
    },
    onEnd(told) {
      signal.addEventListener('abort', told, { once: true });
      return () => signal.removeEventListener('abort', told);
    },
  };
}

/**
 * The time one call may take. Once that has passed, its signal's reason is too_large if something was being computed
 * for it, and rate_limited, "server at capacity", if it still waited: for a thread, for a session of the database.
 */
export interface Deadline {
  /** Made when it is first asked for. */
  readonly signal: AbortSignal;
  readonly ending: Ending;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The clock begins again: what took time so far, such as a slow client, is not counted. */
  restart(): void;
  /** Ends the call before its time, for a reason of the caller's. */
  abort(reason: Error): void;
  /** The call has ended. */
  clear(): void;
}

/** Starts the clock of a call. */
export function startDeadline(milliseconds: number): Deadline {
  return new Clock(milliseconds);
}

/** A class, as an object with getters is slow to make for each call. */
class Clock implements Deadline, Ending {
  at: number;
  reason: unknown = null;
  private readonly milliseconds: number;
  private readonly timer: NodeJS.Timeout;
  private readonly listeners = new Set<() => void>();
  private controller: AbortController | null = null;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
    this.at = Date.now() + milliseconds;
    this.timer = setTimeout(timeIsUp, milliseconds, this);
  }

  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.reason !== null) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  get ending(): Ending {
    return this;
  }

  onEnd(told: () => void): () => void {
    this.listeners.add(told);
    return () => this.listeners.delete(told);
  }

  restart(): void {
    this.timer.refresh();
    this.at = Date.now() + this.milliseconds;
  }

  abort(reason: unknown): void {
    if (this.reason !== null) return;
    this.reason = reason;
    this.controller?.abort(reason);
    for (const told of this.listeners) told();
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  /** Why a call ends whose time is up. */
  late(): Error {
    // Without a signal nothing was begun that computes.
    const computing = this.controller !== null && isComputing(this.controller.signal);
    return computing
      ? problem('too_large', `The call took longer than ${this.milliseconds} ms to compute.`)
      : atCapacity();
  }
}

function timeIsUp(clock: Clock): void {
  clock.abort(clock.late());
}

/** The caller may not make a call: by which rule, so that a transport can say what would be needed. */
export class Denied extends ProblemError {
  readonly rule: Rule;

  constructor({ code, message, extra }: ProblemError, rule: Rule) {
    super(code, message, extra);
    this.rule = rule;
  }
}

/** An input that was counted and validated, of a caller who may make the call with it. */
export class Accepted {
  readonly input: z.output<z.ZodObject>;

  constructor(input: z.output<z.ZodObject>) {
    this.input = input;
  }
}

/**
 * Lets a call in: whether the caller may make it at all comes first, then the input is read (`given` is the input, or
 * what reads it), counted, validated, and the rule that depends on it is asked. Throws Denied, invalid_json,
 * invalid_input, too_large and what the operation counts by.
 */
export async function accept(op: AnyOp, given: unknown, caller: Caller): Promise<Accepted> {
  const first = typeof op.access === 'function' ? op.least : op.access;
  if (first) allow(first, op, caller);
  const raw: unknown = typeof given === 'function' ? await given() : given;
  if (raw instanceof Accepted) return raw;
  if (op.count && typeof raw === 'object' && raw !== null) op.count(raw as Record<string, unknown>);
  countValues(raw, op.mostValues);
  const input = parseInput(op.input, raw);
  if (typeof op.access === 'function') allow(op.access(input), op, caller);
  return new Accepted(input);
}

/** Whether the caller may make some call of the operation; what its input says is not known yet. */
export function mayCall(op: AnyOp, caller: Caller): boolean {
  try {
    const first = typeof op.access === 'function' ? op.least : op.access;
    if (first) allow(first, op, caller);
    return true;
  } catch {
    return false;
  }
}

function allow(rule: Rule, op: AnyOp, caller: Caller): void {
  try {
    authorize(rule, op.effect, caller);
  } catch (error) {
    throw error instanceof ProblemError ? new Denied(error, rule) : error;
  }
}

/**
 * Runs an operation: authorize, read the input, count, validate, authorize the rest, price, reserve, run, settle,
 * record. The only way to run one. `given` is the input as the transport decoded it (strings of a query already
 * coerced; null members count as absent), a function that reads it, or what accept() gave for this caller.
 * Throws ProblemError for whatever the caller is to be told, ClientGone, or an unexpected error (internal_error).
 */
export async function invoke(op: AnyOp, given: unknown, ctx: Context): Promise<Answer> {
  const started = performance.now();
  let code = 'ok';
  let units = 0;
  let streams = false;
  try {
    const { input } = await accept(op, given, ctx.caller);
    const { prepare } = op;
    const prepared = prepare ? await orAborted(op, ctx, () => prepare(ctx, input)) : undefined;
    units = priceOf(op, ctx, input, prepared);
    const reservation = await reserve(op, ctx, units);
    let answer: Answer;
    let settled = false;
    const settle: Settle = async (tx) => {
      if (reservation && !(await ctx.services.billing.settleIn(tx, reservation))) {
        throw problem('too_large', 'The call took so long that what it had reserved was given back.');
      }
      settled = true;
    };
    try {
      answer = await orAborted(op, ctx, async () => answerOf(op, ctx, await op.run(ctx, input, prepared, settle)));
      const { reason } = ctx.ending ?? ctx.signal;
      if (reason instanceof ClientGone && op.effect === 'read') throw reason;
    } catch (error) {
      if (reservation) await giveBack(ctx, reservation);
      throw error;
    }
    if (answer.stream) {
      const stream = metered(op, ctx, { reservation, units, started }, answer.stream);
      // It is begun, so that whoever gives it up ends the call.
      await stream.next();
      streams = true;
      return { ...answer, stream };
    }
    const charged = op.settles ? settled : answer.status >= 200 && answer.status < 300;
    if (!reservation || !charged) units = 0;
    if (reservation && !charged) await giveBack(ctx, reservation);
    if (reservation && charged && !op.settles && !(await ctx.services.billing.settle(reservation))) {
      // Only an operation that writes can outlive its deadline this far. The limit is kept; the units are not charged.
      ctx.services.log.warn(
        { request_id: ctx.requestId, op: op.name, units },
        'a reservation expired before its call ended',
      );
    }
    return answer;
  } catch (failure) {
    const known = asProblem(failure);
    const error = ctx.services.config.CHECK_OUTPUT && known ? declaredFailure(op, known) : failure;
    units = 0;
    code = error instanceof ClientGone ? 'abandoned' : (asProblem(error)?.code ?? 'internal_error');
    throw error;
  } finally {
    if (!streams) record(op, ctx, code, units, performance.now() - started);
  }
}

/** How long units stay held after a part was taken; a reader that takes none is cut off sooner. */
const HELD_MS = 120_000;
/** How often the time until they expire is put off. */
const EXTEND_MS = 10_000;

/** The parts of an answer, first an empty one. When it ends the call is charged, or given back where it failed. */
async function* metered(
  op: AnyOp,
  ctx: Context,
  call: { readonly reservation: Reservation | null; readonly units: number; readonly started: number },
  parts: AsyncGenerator<Uint8Array, void, undefined>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { reservation, started } = call;
  const { billing, log } = ctx.services;
  let code = 'abandoned';
  let failed = false;
  let extended = 0;
  try {
    yield new Uint8Array(0);
    for await (const part of parts) {
      if (reservation && performance.now() - extended > EXTEND_MS) {
        await billing.extend(reservation, Date.now() + HELD_MS);
        extended = performance.now();
      }
      yield part;
    }
    code = 'ok';
  } catch (error) {
    const gone = ctx.signal.reason instanceof ClientGone || error instanceof ClientGone;
    failed = !gone;
    code = gone ? 'abandoned' : (asProblem(error)?.code ?? 'internal_error');
    throw error;
  } finally {
    await parts.return(undefined).catch(() => undefined);
    let units = 0;
    if (reservation && failed) await giveBack(ctx, reservation);
    else if (reservation) {
      if (await billing.settle(reservation)) units = call.units;
      else log.warn({ request_id: ctx.requestId, op: op.name }, 'a reservation expired before its call ended');
    }
    record(op, ctx, code, units, performance.now() - started);
  }
}

function priceOf(op: AnyOp, ctx: Context, input: z.output<z.ZodObject>, prepared: unknown): number {
  const units = op.price ? op.price(ctx, input, prepared) : op.cost.units;
  if (!Number.isSafeInteger(units) || units < 0) throw new Error(`${op.name}: a price of ${units} units`);
  return units;
}

type Reservation = Awaited<ReturnType<Services['billing']['reserve']>>;

/** Takes the units out of the month's budget, or answers quota_exceeded. Null: nothing to pay. */
async function reserve(op: AnyOp, ctx: Context, units: number): Promise<Reservation | null> {
  if (units === 0) return null;
  if (!ctx.caller.org) {
    if (ctx.caller.operator) return null;
    throw problem('unauthorized', 'This call costs units and needs an API key.');
  }
  return ctx.services.billing.reserve({
    org: ctx.caller.org.id,
    plan: ctx.caller.org.plan,
    op: op.name,
    units,
    deadline: ctx.deadline,
  });
}

/** Gives back what a call had reserved. When that fails the reservation expires by itself: the call ends as it would. */
async function giveBack({ services, requestId }: Context, reservation: Reservation): Promise<void> {
  try {
    await services.billing.refund(reservation);
  } catch (error) {
    services.log.warn({ err: error, request_id: requestId }, 'units were not given back; they expire');
  }
}

/**
 * Waits for the work or, for an operation that only reads, for the signal. One that writes is always waited for:
 * its caller must not be told of a failure that then commits.
 */
async function orAborted<T>(op: AnyOp, ctx: Context, work: () => Promise<T>): Promise<T> {
  const ending = ctx.ending ?? endingOf(ctx.signal);
  if (ending.reason !== null) throw ending.reason;
  if (op.effect === 'write') return work();
  return new Promise<T>((resolve, reject) => {
    const leave = ending.onEnd(() => reject(ending.reason));
    work().then(
      (value) => {
        leave();
        resolve(value);
      },
      (error) => {
        leave();
        // Whatever the work threw on its way out, the reason of the abort is the answer.
        reject(ending.reason !== null && asProblem(error) === null ? ending.reason : error);
      },
    );
  });
}

async function answerOf(op: AnyOp, ctx: Context, result: unknown): Promise<Answer> {
  const { CHECK_OUTPUT, MAX_RESPONSE_BYTES } = ctx.services.config;
  if (isStreamed(result)) return streamOf(op, ctx, result);
  const made: Made = isBytes(result) ? result : jsonOf(ctx, result);
  const { status, contentType } = made;
  const reads = op.effect === 'read';
  // What has been written cannot be refused any more: it is sent as it is.
  if (reads && made.bytes.byteLength > MAX_RESPONSE_BYTES) {
    throw problem('too_large', `The result has ${made.bytes.byteLength} bytes, more than one response may have.`);
  }
  if (CHECK_OUTPUT && status !== 304) {
    const { Location: location } = made.headers;
    const sent: Sent = { status, contentType, location, body: isBytes(result) ? made.bytes : made.body };
    checkSuccess(op, ctx.transport === 'http', sent);
  }
  const sent = ctx.represent && reads ? await ctx.represent(made) : made;
  const headers: Record<string, string> = { ...made.headers, ...sent.headers };
  if (status === 304 || (reads && sameTag(ctx.headers['if-none-match'], headers.ETag))) {
    // What is not paid for has no address.
    for (const name of ['Content-Location', 'Content-Disposition', 'Content-Encoding']) delete headers[name];
    return { status: 304, headers, bytes: new Uint8Array(0) };
  }
  await made.keep?.();
  headers['Content-Type'] = contentType;
  const answer = { status, headers, bytes: sent.bytes };
  return isBytes(result) ? answer : { ...answer, body: made.body };
}

/** An answer that is made while it is sent, once its first part is made. */
async function streamOf(op: AnyOp, ctx: Context, { content, contentType, headers }: Streamed): Promise<Answer> {
  if (ctx.services.config.CHECK_OUTPUT) {
    checkSuccess(op, ctx.transport === 'http', { status: 200, contentType, body: new Uint8Array(0) });
  }
  const first = await content.next();
  async function* parts(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      if (!first.done) yield first.value;
      yield* content;
    } finally {
      await content.return(undefined);
    }
  }
  return {
    status: 200,
    headers: { ...headers, 'Content-Type': contentType },
    bytes: new Uint8Array(0),
    stream: parts(),
  };
}

type Made = Omit<Bytes, typeof BYTES> & { readonly body?: unknown };

/** An answer that is a value: made JSON of here, once. */
function jsonOf(ctx: Context, result: unknown): Made {
  const [status, body] = isCreated(result) ? [201, result.body] : [200, result];
  const headers: Record<string, string> = isCreated(result) ? { Location: ctx.baseUrl + result.location } : {};
  return { status, headers, contentType: 'application/json', bytes: Buffer.from(JSON.stringify(body)), body };
}

/** RFC 9110 section 13.1.2: weak comparison against a list of entity tags. `*` names none. */
export function sameTag(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (!ifNoneMatch || !etag) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}

/** One line in the log and one count for every call. Audit rows are written by the operation's own transaction. */
function record(op: AnyOp, ctx: Context, code: string, units: number, milliseconds: number): void {
  ctx.services.metrics.called(op.name, ctx.transport, code, milliseconds / 1000, units);
  ctx.services.log.info(
    {
      request_id: ctx.requestId,
      op: op.name,
      transport: ctx.transport,
      code,
      units,
      ms: Math.round(milliseconds * 10) / 10,
      org: ctx.caller.org?.id,
      credential: ctx.caller.credential?.id,
    },
    'call',
  );
}
