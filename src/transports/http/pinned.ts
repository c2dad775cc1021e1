/** The header Boundary-Data of requests: the moment of the past whose answer is wanted. */
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { invalidInput } from '../../core/errors.ts';
import { DATA_HEADER } from '../../core/invoke.ts';
import type { AnyOp } from '../../core/op.ts';

const FIELD = 'recorded_before';

const momentOf = ({ headers }: IncomingMessage): string | undefined =>
  headers[DATA_HEADER.toLowerCase()] as string | undefined;

/**
 * The input of an operation with the moment of the header as its recorded_before.
 * @throws invalid_input if the operation answers from the present data only, or its input has another moment
 */
export function pinnedInput(
  request: IncomingMessage,
  op: AnyOp,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const moment = momentOf(request);
  if (moment === undefined) return input;
  if (!(FIELD in op.input.shape)) throw refusal(`${op.name} answers from the present data only`);
  const given = input[FIELD] ?? moment;
  if (given !== moment) throw refusal(`${FIELD} is another moment`);
  return { ...input, [FIELD]: moment };
}

/** @throws invalid_input for a request with the header, for what is answered from the present data only */
export function refusePinned(request: IncomingMessage): void {
  if (momentOf(request) !== undefined) throw refusal('what is at this address is of the present data only');
}

/** Refuses the header at all addresses but those of operations. */
export const pinnedOnlyOps: Middleware = (ctx, next) => {
  if (!ctx.path.startsWith('/v1/')) refusePinned(ctx.req);
  return next();
};

const refusal = (message: string) => invalidInput([{ path: DATA_HEADER, code: 'conflict', message }]);
