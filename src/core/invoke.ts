import { z } from 'zod';
import { isTracing, traced } from '../common/tracing.ts';
import type { Services } from '../services.ts';
import { authorize, type Caller, type Rule } from './access.ts';
import { checkSuccess, declaredFailure, type SuccessAnswer } from './answers.ts';
import { asOfInput, recordedInput } from './dated.ts';
import { ClientDisconnected, cancellationOf } from './deadline.ts';
import { asProblem, ProblemError, problem } from './errors.ts';
import { countValues, parseInput } from './input.ts';
import {
  type AnyOp,
  type Bytes,
  type Context,
  isBytes,
  isCreated,
  isStreamed,
  type Settle,
  type Streamed,
} from './op.ts';
import { asOf, recordedBefore } from './schemas.ts';
import { withSets } from './with_sets.ts';

/**
 * Names the state of the data that an answer was made from, by the moment from which on it could be read; absent where that
 * changed meanwhile. A request that has it is answered from that state.
 */
export const DATA_HEADER = 'Boundary-Data';

/** The answer that a transport sends. */
export interface Answer {
  readonly status: number;
  /** Includes Content-Type, unless the status is 304. */
  readonly headers: Record<string, string>;
  /** The bytes of the body; empty when the status is 304. */
  readonly bytes: Uint8Array;
  /** The value that `bytes` is the JSON of, for transports that pass values on; absent if the operation made bytes. */
  readonly body?: unknown;
  /** Whether areas of sets may be in it, which have no public address. */
  readonly isPrivate?: true;
  /** Parts of an answer generated while it is sent; `bytes` is then empty. The consumer must end it (return, throw). */
  readonly stream?: AsyncGenerator<Uint8Array, void, undefined>;
}

/** The caller may not make a call. Carries the rule, so that a transport can say what access is needed. */
export class Denied extends ProblemError {
  readonly rule: Rule;

  constructor({ code, message, extra }: ProblemError, rule: Rule) {
    super(code, message, extra);
    this.rule = rule;
  }
}

/** An input that was counted, validated and authorized for a caller. */
export class Accepted {
  readonly input: z.output<z.ZodObject>;

  constructor(input: z.output<z.ZodObject>) {
    this.input = input;
  }
}

/**
 * Authorizes a call and validates its input. It checks first whether the caller may call the operation at all. Then it
 * reads the input (`given` is the input, or a function that reads it), counts and validates it, and last checks the
 * rule that depends on the input.
 * @throws Denied, invalid_json, invalid_input, too_large, and what the operation's count() throws
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

/** Whether the caller may make some call of the operation, before its input is known. */
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
 * Runs an operation: authorize, read the input, count, validate, authorize by input, prepare, price, reserve, run,
 * settle, record. The only way to run one. `given` is the input as the transport decoded it (query strings already
 * coerced; null members count as absent), a function that reads it, or what accept() returned for this caller.
 * @throws ProblemError for every failure that the caller should see; ClientDisconnected; any other error is an internal_error
 */
export function invoke(op: AnyOp, given: unknown, ctx: Context): Promise<Answer> {
  if (!isTracing()) return runOp(op, given, ctx);
  const attributes = { 'boundary.transport': ctx.transport, 'boundary.request_id': ctx.requestId };
  return traced(op.name, { attributes }, () => runOp(op, given, ctx));
}

async function runOp(op: AnyOp, given: unknown, asked: Context): Promise<Answer> {
  let ctx = asked;
  const started = performance.now();
  let code = 'ok';
  let units = 0;
  let streams = false;
  try {
    const accepted = await accept(op, given, ctx.caller);
    let { input } = accepted;
    // An operation that can answer from an earlier state of the data says which one it answered from.
    const { boundaries } = ctx.services;
    const hasState = op.input.shape.recorded_before === recordedBefore;
    const recordedAt = hasState ? await boundaries.recordedAt() : null;
    if (hasState) ctx = await recordedInput(ctx, input);
    // Another field of that name is the operation's own.
    if (op.input.shape.as_of === asOf) ({ ctx, input } = await asOfInput(await withSets(ctx, input), input));
    else if (op.readsSets) ctx = await withSets(ctx, input);
    const { prepare } = op;
    const prepared = prepare ? await orAborted(op, ctx, () => prepare(ctx, input)) : undefined;
    units = priceOf(op, ctx, input, prepared);
    const reservation = await reserve(op, ctx, units);
    let answer: Answer;
    let settled = false;
    const settle: Settle = async (tx) => {
      if (reservation && !(await ctx.services.billing.settleIn(tx, reservation))) {
        throw problem('too_large', 'The call took too long, and the units it had reserved were released. Try again.');
      }
      settled = true;
    };
    try {
      answer = await orAborted(op, ctx, async () => answerOf(op, ctx, await op.run(ctx, input, prepared, settle)));
      if (hasState) {
        const { pin } = ctx.services;
        const state = pin ? pin.recordedAt : recordedAt;
        if (state !== null && (pin || state === (await boundaries.recordedAt()))) answer.headers[DATA_HEADER] = state;
      }
      const { reason } = ctx.cancellation ?? ctx.signal;
      if (reason instanceof ClientDisconnected && op.effect === 'read') throw reason;
    } catch (error) {
      if (reservation) await refund(ctx, reservation);
      throw error;
    }
    if (answer.stream) {
      const stream = metered(op, ctx, { reservation, units, started }, answer.stream);
      // Start the generator now: from here on, a consumer that gives up runs its `finally`, which ends the call.
      await stream.next();
      streams = true;
      return { ...answer, stream };
    }
    const charged = op.settles ? settled : answer.status >= 200 && answer.status < 300;
    if (!reservation || !charged) units = 0;
    if (reservation && !charged) await refund(ctx, reservation);
    if (reservation && charged && !op.settles && !(await ctx.services.billing.settle(reservation))) {
      // Only a write can outlive its deadline this far. The quota still holds; the units are not charged.
      ctx.services.log.warn(
        { request_id: ctx.requestId, op: op.name, units },
        'a reservation expired before its call ended',
      );
    }
    return answer;
  } catch (failure) {
    const known = asProblem(failure);
    const error =
      orLoading(ctx, known) ?? (ctx.services.config.CHECK_OUTPUT && known ? declaredFailure(op, known) : failure);
    units = 0;
    code = error instanceof ClientDisconnected ? 'abandoned' : (asProblem(error)?.code ?? 'internal_error');
    throw error;
  } finally {
    if (!streams) record(op, ctx, code, units, performance.now() - started);
  }
}

/** Milliseconds that units stay reserved after a part is taken; a consumer that takes none is cut off sooner. */
const HELD_MS = 120_000;
/** Least milliseconds between two extensions of a reservation. */
const EXTEND_MS = 10_000;

/** The parts of an answer, preceded by an empty one. At the end the call is charged, or refunded if it failed. */
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
    const gone = ctx.signal.reason instanceof ClientDisconnected || error instanceof ClientDisconnected;
    failed = !gone;
    code = gone ? 'abandoned' : (asProblem(error)?.code ?? 'internal_error');
    throw error;
  } finally {
    await parts.return(undefined).catch(() => undefined);
    let units = 0;
    if (reservation && failed) await refund(ctx, reservation);
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

/**
 * Reserves units of the month's quota; null when there is nothing to pay.
 * @throws quota_exceeded; unauthorized when a call that costs units has no organization
 */
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

/** Refunds a reservation. If that fails, the reservation expires later, and the call ends as it would have. */
async function refund({ services, requestId }: Context, reservation: Reservation): Promise<void> {
  try {
    await services.billing.refund(reservation);
  } catch (error) {
    services.log.warn(
      { err: error, request_id: requestId },
      'reserved units were not released; they expire on their own',
    );
  }
}

/**
 * Waits for the work or, if the operation only reads, for the end of the call. A write is always awaited: its caller
 * must not get a failure for work that then commits.
 */
async function orAborted<T>(op: AnyOp, ctx: Context, work: () => Promise<T>): Promise<T> {
  const ending = ctx.cancellation ?? cancellationOf(ctx.signal);
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
        // Once the call has ended, its reason is the answer, unless the work threw a problem of its own.
        reject(ending.reason !== null && asProblem(error) === null ? ending.reason : error);
      },
    );
  });
}

async function answerOf(op: AnyOp, ctx: Context, result: unknown): Promise<Answer> {
  const { CHECK_OUTPUT, MAX_RESPONSE_BYTES } = ctx.services.config;
  if (isStreamed(result)) return streamOf(op, ctx, result);
  const made = whileLoading(op, ctx, isBytes(result) ? result : jsonOf(ctx, result));
  const { status, contentType } = made;
  const reads = op.effect === 'read';
  // A write has already happened and cannot be refused: it is sent whatever its size.
  if (reads && made.bytes.byteLength > MAX_RESPONSE_BYTES) {
    throw problem(
      'too_large',
      `The result has ${made.bytes.byteLength} bytes, more than one response can have. Ask for a lower detail or for less.`,
    );
  }
  if (CHECK_OUTPUT && status !== 304) {
    const { Location: location } = made.headers;
    const sent: SuccessAnswer = { status, contentType, location, body: isBytes(result) ? made.bytes : made.body };
    checkSuccess(op, ctx.transport === 'http', sent);
  }
  const sent = ctx.represent && reads ? await ctx.represent(made) : made;
  const headers: Record<string, string> = { ...made.headers, ...sent.headers };
  if (status === 304 || (reads && sameTag(ctx.headers['if-none-match'], headers.ETag))) {
    // A 304 is not charged, so it names no stored file.
    for (const name of ['Content-Location', 'Content-Disposition', 'Content-Encoding']) delete headers[name];
    return { status: 304, headers, bytes: new Uint8Array(0) };
  }
  await made.keep?.().catch((err: unknown) => {
    // The bytes exist but are not stored: send them without an address.
    ctx.services.log.warn({ err, request_id: ctx.requestId, op: op.name }, 'an answer was not cached in storage');
    delete headers['Content-Location'];
  });
  headers['Content-Type'] = contentType;
  const answer = { status, headers, bytes: sent.bytes, ...(ctx.services.sets && { isPrivate: true as const }) };
  return isBytes(result) ? answer : { ...answer, body: made.body };
}

/** An answer generated while it is sent; resolves once its first part is made. */
async function streamOf(op: AnyOp, ctx: Context, { content, contentType, headers }: Streamed): Promise<Answer> {
  if (ctx.services.config.CHECK_OUTPUT) {
    checkSuccess(op, ctx.transport === 'http' || ctx.intake !== undefined, {
      status: 200,
      contentType,
      body: new Uint8Array(0),
    });
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

type PreparedAnswer = Pick<Bytes, 'bytes' | 'contentType' | 'headers' | 'status' | 'keep'> & {
  readonly body?: unknown;
};

/** Serializes a value that an operation returned. It is serialized only here. */
function jsonOf(ctx: Context, result: unknown): PreparedAnswer {
  const [status, body] = isCreated(result) ? [201, result.body] : [200, result];
  const headers: Record<string, string> = isCreated(result) ? { Location: ctx.baseUrl + result.location } : {};
  return { status, headers, contentType: 'application/json', bytes: Buffer.from(JSON.stringify(body)), body };
}

/** Adds `loading` to the answer while seed data is loading, if the operation's output has it: data may be missing. */
function whileLoading(op: AnyOp, ctx: Context, made: PreparedAnswer): PreparedAnswer {
  const loading = ctx.services.loading();
  if (!loading || !(op.output instanceof z.ZodObject) || !('loading' in op.output.shape)) return made;
  const { ETag: _, ...headers } = made.headers;
  const bytes = Buffer.concat([Buffer.from(`{"loading":${JSON.stringify(loading)},`), made.bytes.subarray(1)]);
  return { ...made, headers, bytes, ...(made.body === undefined ? {} : { body: { loading, ...made.body } }) };
}

/** The not_found with a note that seed data is still loading, as a retry may succeed; null in any other case. */
function orLoading(ctx: Context, error: ProblemError | null): ProblemError | null {
  const loading = error?.code === 'not_found' ? ctx.services.loading() : null;
  if (!loading || !error) return null;
  const { step, done, total } = loading;
  return problem(
    error.code,
    `${error.message} The server is still loading ${step} (${done} of ${total} done).`,
    error.extra,
  );
}

/** RFC 9110 section 13.1.2: weak comparison against a list of entity tags. `*` matches nothing. */
export function sameTag(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (!ifNoneMatch || !etag) return false;
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}

/** Writes one log line and counts the call. Audit rows are written in the operation's own transaction. */
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
