import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProblemCode } from '../../src/errors.ts';
import { ops } from '../../src/ops/index.ts';
import { requestOf } from '../../src/transports/docs/snippets.ts';
import { BASE_URL, type BoundaryHouse, type Reply } from '../ops/boundary_house.ts';
import { actorFor, fillShelf, openShelf } from './shelf.ts';
import { shown } from './text.ts';

let house: BoundaryHouse;
beforeAll(async () => {
  house = await openShelf();
});
afterAll(() => house?.close());

/** What examples answer here and not everywhere: no plan is sold without a payment provider. */
const HERE: Readonly<Record<string, ProblemCode>> = { change_plan: 'invalid_input' };

const outcome = ({ status, json }: Reply): string => (status < 300 ? 'ok' : json.code);

describe('the examples of operations', () => {
  const cases = ops.flatMap((op) =>
    op.examples.map((example) => [op.name, JSON.stringify(example.input), op, example] as const),
  );
  test.each(cases)('%s %s', async (_name, _input, op, { input, problem }) => {
    const expected = problem ?? HERE[op.name] ?? 'ok';
    const routes = op.effect === 'read' ? (['own', 'named'] as const) : (['own'] as const);
    const shelf = await fillShelf(house);
    const given = shelf.real(op, input);
    const parsed = op.input.safeParse(input);
    const rule = typeof op.access === 'function' ? (parsed.success ? op.access(parsed.data) : null) : op.access;
    const actor = rule && rule.who !== 'public' ? actorFor(shelf, op, rule) : null;
    for (const route of routes) {
      const { method, path, body } = requestOf(op, given);
      const json = body ?? undefined;
      const reply =
        route === 'named'
          ? await (actor ? actor.rpc(op.name, given) : house.rpc(op.name, given))
          : await (actor ? actor.ask(method, path, json) : house.ask(method, path, { json }));
      expect(outcome(reply), `${route}: ${reply.text.slice(0, 500)}`).toBe(expected);
    }
  });
});

describe('the lines of curl on the pages', () => {
  const hasCurl = spawnSync('curl', ['--version']).status === 0;

  /** Those that only look things up: what they name is the same for every reader. */
  const pages = ['/docs', '/docs/guide', '/docs/boundaries'];
  test.skipIf(!hasCurl).each(pages)('of %s answer', async (page) => {
    const { text } = await house.get(page);
    const found = [...text.matchAll(/<pre>(curl [^<]*)<\/pre>/g)].map(([, line]) => shown(line));
    expect(found.length).toBeGreaterThan(page === '/docs/boundaries' ? 10 : 0);
    const { key } = await house.key();
    const folder = await mkdtemp(join(tmpdir(), 'boundary-curl-'));
    try {
      for (const line of found) {
        const here = line.replaceAll(BASE_URL, house.address);
        expect(here).not.toBe(line);
        const child = await run(`${here} -s -w '\\n%{http_code}'`, folder, key);
        const [status] = child.split('\n').slice(-1);
        const failing = ops.some((op) =>
          op.examples.some(({ input, problem }) => problem && line.includes(requestOf(op, input).path)),
        );
        expect(status, `${line}\n${child}`).toMatch(failing ? /^4/ : /^2/);
      }
      const files = await readFile(join(folder, 'boundary.kml'), 'utf8').catch(() => '<kml');
      expect(files).toContain('<kml');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** Runs a line as a reader would; not synchronously, since the server lives in this process. */
function run(line: string, cwd: string, key: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('bash', ['-c', line], { cwd, env: { ...process.env, KEY: key } }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
}
