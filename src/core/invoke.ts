import type { z } from 'zod';
import { isTracing, traced } from '../common/tracing.ts';
import { accept } from './accept.ts';
import { type Answer, answerOf } from './answer.ts';
import { asksSafeCsv } from './asks_safe_csv.ts';
import { recordedInput } from './dated.ts';
import { asOfInput } from './dated_input.ts';
import { type Cancellation, ClientDisconnected, cancellationOf } from './deadline.ts';
import { declaredFailure } from './declared.ts';
import { asProblem, type ProblemError, problem } from './errors.ts';
import { metered, record, refund, reserve } from './metering.ts';
import { type AnyOp, type Context, contextWith, type Settle, withoutFormulas } from './op.ts';
import { asOf, recordedBefore, safeCsv } from './schemas.ts';
import { withSets } from './with_sets.ts';

/**
 * Names the state of the data that an answer was made from, by the moment from which on it could be read; absent where that
 * changed meanwhile. A request that has it is answered from that state.
 */
export const DATA_HEADER = 'Boundary-Data';

/**
 * Runs an operation: authorize, read the input, count, validate, authorize by input, prepare, price, reserve, run,
 * settle, record. The only way to run one. `given` is the input as the transport decoded it (query strings already
 * coerced; null members count as absent), a function that reads it, or what accept() returned for this caller. `ending`
 * is the context's signal without its cost, which most calls never need, from a transport that has it.
 * @throws ProblemError for every failure that the caller should see; ClientDisconnected; any other error is an internal_error
 */
export function invoke(
  op: AnyOp,
  given: unknown,
  ctx: Context,
  ending: Cancellation = cancellationOf(ctx.signal),
): Promise<Answer> {
  if (!isTracing()) return runOp(op, given, ctx, ending);
  const attributes = { 'boundary.transport': ctx.transport, 'boundary.request_id': ctx.requestId };
  return traced(op.name, { attributes }, () => runOp(op, given, ctx, ending));
}

async function runOp(op: AnyOp, given: unknown, asked: Context, ending: Cancellation): Promise<Answer> {
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
    const isSafe = op.input.shape.safe_csv === safeCsv && asksSafeCsv(input, ctx.intake?.contentType);
    if (isSafe) ctx = contextWith(ctx, { safeCsv: true });
    const { prepare } = op;
    const prepared = prepare ? await orAborted(op, ending, () => prepare(ctx, input)) : undefined;
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
      answer = await orAborted(op, ending, async () => {
        const result = await op.run(ctx, input, prepared, settle);
        return answerOf(op, ctx, isSafe ? withoutFormulas(result) : result);
      });
      if (hasState) {
        const { pin } = ctx.services;
        const state = pin ? pin.recordedAt : recordedAt;
        if (state !== null && (pin || state === (await boundaries.recordedAt()))) answer.headers[DATA_HEADER] = state;
      }
      const { reason } = ending;
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

function priceOf(op: AnyOp, ctx: Context, input: z.output<z.ZodObject>, prepared: unknown): number {
  const units = op.price ? op.price(ctx, input, prepared) : op.cost.units;
  if (!Number.isSafeInteger(units) || units < 0) throw new Error(`${op.name}: a price of ${units} units`);
  return units;
}

/**
 * Waits for the work or, if the operation only reads, for the end of the call. A write is always awaited: its caller
 * must not get a failure for work that then commits.
 */
async function orAborted<T>(op: AnyOp, ending: Cancellation, work: () => Promise<T>): Promise<T> {
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
