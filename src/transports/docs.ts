import { createHash } from 'node:crypto';
import { z } from 'zod';
import { PROBLEMS, type ProblemKind } from '../errors.ts';
import type { AnyOp } from '../op.ts';
import { readVersion, SERVICE } from '../version.ts';

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

/** Escapes text for HTML, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => entities[character]);
}

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1d2733; }
  h2 { margin: 2.2rem 0 .3rem; font-size: 1.05rem; font-family: ui-monospace, monospace; }
  h2 a { color: inherit; text-decoration: none; } h2:target { background: #fff3c4; }
  p { margin: .2rem 0; } .status { color: #5b6875; font-weight: normal; }
  @media (prefers-color-scheme: dark) { body { background: #14181d; color: #dce3ea; } h2:target { background: #4a3f12; } }
`;

/** Pages run no script and load nothing; the one style sheet is allowed by its hash. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page that `type` of a problem points to: every code at its anchor. */
export function errorsPage(): string {
  const entries = Object.entries<ProblemKind>(PROBLEMS).map(([code, kind]) => {
    const name = escapeHtml(code);
    return `<h2 id="${name}"><a href="#${name}">${name}</a> <span class="status">${kind.status}</span></h2>
<p>${escapeHtml(kind.condition)}</p>
<p><strong>What helps:</strong> ${escapeHtml(kind.remedy)}</p>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · Boundary Lookup</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Errors</h1>
<p>Failures are RFC 9457 problem documents. Branch on <code>code</code>, show <code>detail</code>, and quote
<code>request_id</code> when you ask for help.</p>
${entries.join('\n')}
</body>
</html>
`;
}
