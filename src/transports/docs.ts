import { z } from 'zod';
import { PROBLEMS, type ProblemKind } from '../errors.ts';
import type { AnyOp } from '../op.ts';
import { readVersion, SERVICE } from '../version.ts';
import { html, type Page, page } from './pages.ts';

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

/** The page that `type` of a problem points to: every code at its anchor. */
export function errorsPage(): Page {
  const entries = Object.entries<ProblemKind>(PROBLEMS).map(
    ([code, kind]) => html`
<h2 id="${code}"><a href="#${code}">${code}</a> (${kind.status})</h2>
<p>${kind.condition}</p>
<p><strong>What helps:</strong> ${kind.remedy}</p>`,
  );
  const body = html`
<p>Failures are RFC 9457 problem documents. Branch on <code>code</code>, show <code>detail</code>, and quote
<code>request_id</code> when you ask for help.</p>
${entries}`;
  return page('Errors', body, { wide: true });
}
