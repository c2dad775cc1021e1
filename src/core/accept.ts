import type { z } from 'zod';
import { authorize, type Caller, type Rule } from './access.ts';
import { ProblemError } from './errors.ts';
import { countValues, parseInput } from './input.ts';
import { LARGE, parseLargeInput } from './large_input.ts';
import type { AnyOp } from './op.ts';

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
  const values = countValues(raw, op.mostValues);
  const input = values >= LARGE ? await parseLargeInput(op.input, raw) : parseInput(op.input, raw);
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
