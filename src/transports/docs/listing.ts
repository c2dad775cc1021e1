import { z } from 'zod';
import type { AnyOp } from '../../op.ts';
import { readVersion, SERVICE } from '../../version.ts';

/** `GET /v1`: every operation with its route, access, cost and JSON schemas. */
export function listOps(ops: readonly AnyOp[]): Record<string, unknown> {
  return {
    service: SERVICE,
    version: readVersion(),
    items: ops.map((op) => ({
      name: op.name,
      summary: op.summary,
      description: op.description ?? null,
      method: op.route.method,
      path: `/v1${op.route.path.replace(/:(\w+)/g, '{$1}')}`,
      // Some operations are public for some inputs only.
      access: typeof op.access === 'function' ? 'varies' : op.access.who,
      effect: op.effect,
      cost: op.cost,
      errors: op.errors,
      examples: op.examples,
      input: z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' }),
      output: z.toJSONSchema(op.output, { io: 'output', unrepresentable: 'any' }),
    })),
  };
}
