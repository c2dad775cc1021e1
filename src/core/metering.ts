import type { Services } from '../services.ts';
import { ClientDisconnected } from './deadline.ts';
import { asProblem, problem } from './errors.ts';
import type { AnyOp, Context } from './op.ts';

/** Units that are reserved for a call. */
export type Reservation = Awaited<ReturnType<Services['billing']['reserve']>>;

/**
 * Reserves units of the month's quota; null when there is nothing to pay.
 * @throws quota_exceeded; unauthorized when a call that costs units has no organization
 */
export async function reserve(op: AnyOp, ctx: Context, units: number): Promise<Reservation | null> {
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
export async function refund({ services, requestId }: Context, reservation: Reservation): Promise<void> {
  try {
    await services.billing.refund(reservation);
  } catch (error) {
    services.log.warn(
      { err: error, request_id: requestId },
      'reserved units were not released; they expire on their own',
    );
  }
}

/** Milliseconds that units stay reserved after a part is taken; a consumer that takes none is cut off sooner. */
const HELD_MS = 120_000;
/** Least milliseconds between two extensions of a reservation. */
const EXTEND_MS = 10_000;

/** The parts of an answer, preceded by an empty one. At the end the call is charged, or refunded if it failed. */
export async function* metered(
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
    const isAbandoned = ctx.signal.reason instanceof ClientDisconnected || error instanceof ClientDisconnected;
    failed = !isAbandoned;
    code = isAbandoned ? 'abandoned' : (asProblem(error)?.code ?? 'internal_error');
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

/** Writes one log line and counts the call. Audit rows are written in the operation's own transaction. */
export function record(op: AnyOp, ctx: Context, code: string, units: number, milliseconds: number): void {
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
