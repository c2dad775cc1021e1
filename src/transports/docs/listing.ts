import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { readVersion, SERVICE } from '../../common/version.ts';
import type { AnyOp } from '../../core/op.ts';
import { rulesOf } from './openapi.ts';

/** The body of `GET /v1`: every operation with its route, access, cost and JSON schemas. */
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
      ...accessOf(op),
      effect: op.effect,
      cost: op.cost,
      errors: op.errors,
      examples: op.examples,
      input: z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' }),
      output: z.toJSONSchema(op.output, { io: 'output', unrepresentable: 'any' }),
    })),
  };
}

/**
 * Access that an operation requires. If it depends on the input, `access` is `public` when some input needs no key, and
 * `access_by_input` lists all levels.
 */
function accessOf(op: AnyOp): { access: string; access_by_input: string[] | null } {
  const all = [...new Set(rulesOf(op).map(({ who }) => who))];
  const access = all.includes('public') ? 'public' : defined(all[0]);
  return { access, access_by_input: all.length > 1 ? all : null };
}
