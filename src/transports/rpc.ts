import type { IncomingMessage } from 'node:http';
import { invalidInput, ProblemError, problem } from '../core/errors.ts';
import type { AnyOp } from '../core/op.ts';
import { readBody } from './body.ts';
import { readQuery } from './decode.ts';
import { parseObject } from './values.ts';

/** Methods that /v1/ops/<op> accepts. GET is only for operations that change nothing. */
export function rpcMethods(op: AnyOp): string[] {
  return op.effect === 'read' ? ['GET', 'HEAD', 'POST'] : ['POST'];
}

/**
 * Reads the input of a call by name: the JSON object in the body of a POST or in `?input=`; empty without either.
 * Values are not coerced.
 * @throws invalid_json, invalid_input (both given, or other query parameters), and what readBody() throws
 */
export async function rpcInput(
  request: IncomingMessage,
  querystring: string,
  op: AnyOp,
): Promise<Record<string, unknown>> {
  const query = readQuery(querystring);
  const input = query.get('input');
  query.delete('input');
  const body = request.method === 'POST' ? await readBody(request, op) : null;
  const issues = [...query.keys()].slice(0, 50).map((name) => ({
    path: name.slice(0, 100),
    code: 'unknown_field',
    message: 'unknown parameter; the query takes only input',
  }));
  if (body && input !== undefined) {
    issues.push({ path: 'input', code: 'duplicate', message: 'give the input either in the body or in ?input=' });
  }
  if (issues.length > 0) throw invalidInput(issues);
  return body ?? (input === undefined ? {} : parseObject(input, '?input='));
}

/** Finds an operation by name. @throws unknown_op */
export function findOp(ops: ReadonlyMap<string, AnyOp>, name: string): AnyOp {
  const op = ops.get(name);
  if (op) return op;
  throw problem('unknown_op', `There is no operation named "${name.slice(0, 60)}".`);
}

/** Creates a method_not_allowed problem; the transport sends `allow` in the Allow header. */
export function methodNotAllowed(method: string, allow: readonly string[]): ProblemError {
  return new ProblemError('method_not_allowed', `${method} is not supported here; use ${allow.join(', ')}.`);
}
