import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import type { ProblemCode } from '../../src/core/errors.ts';
import type { AnyOp } from '../../src/core/op.ts';
import { ops } from '../../src/ops/index.ts';
import { SAMPLES, type Sample } from '../../src/transports/docs/samples.ts';
import { requestOf } from '../../src/transports/docs/snippets.ts';
import { BASE_URL, type BoundaryTestServer, type Reply } from '../ops/boundary_test_server.ts';
import { actorFor, createExampleFixture, type ExampleFixture, openExampleServer } from './example_fixture.ts';
import { openSeeded, sampled } from './samples.ts';
import { shown } from './text.ts';

/** Set: the samples of the documentation are written again, from the seed data in place of the made one. */
const isRecording = process.env.RECORD_SAMPLES === '1';

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await (isRecording ? openSeeded() : openExampleServer());
});
afterAll(() => server?.close());

/** What each operation answered to the first of its examples that succeeds. */
const answers: Record<string, Sample> = {};

/** What examples answer here and not everywhere: no plan is sold without a payment provider. */
const HERE: Readonly<Record<string, ProblemCode>> = { change_plan: 'invalid_input' };

const outcome = ({ status, json }: Reply): string => (status < 300 ? 'ok' : json.code);

/** What reads find: nothing of it changes, so all of them share it. What writes has a shelf of its own. */
let read: Promise<ExampleFixture> | null = null;
const shelfFor = (op: AnyOp): Promise<ExampleFixture> => {
  if (op.effect === 'write') return createExampleFixture(server);
  read ??= createExampleFixture(server).then(async (shelf) => {
    await shelf.makeAll();
    return shelf;
  });
  return read;
};

describe('the examples of operations', () => {
  const cases = ops.flatMap((op) =>
    op.examples.map((example) => [op.name, JSON.stringify(example.input), op, example] as const),
  );
  test.each(cases)('%s %s', async (_name, _input, op, { input, problem }) => {
    const expected: string = problem ?? HERE[op.name] ?? 'ok';
    const routes = op.effect === 'read' ? (['own', 'named'] as const) : (['own'] as const);
    const shelf = await shelfFor(op);
    const given = await shelf.withRealIds(op, input);
    const parsed = op.input.safeParse(input);
    const rule = typeof op.access === 'function' ? (parsed.success ? op.access(parsed.data) : null) : op.access;
    const actor = rule && rule.who !== 'public' ? await actorFor(shelf, op, rule) : null;
    for (const route of routes) {
      const { method, path, body } = requestOf(op, given);
      const json = body ?? undefined;
      const reply =
        route === 'named'
          ? await (actor ? actor.rpc(op.name, given) : server.rpc(op.name, given))
          : await (actor ? actor.ask(method, path, json) : server.ask(method, path, { json }));
      expect(outcome(reply), `${route}: ${reply.text.slice(0, 500)}`).toBe(expected);
      const isJson = (route === 'named' || !op.success?.files) && /json/.test(reply.headers['content-type'] ?? '');
      if (expected === 'ok' && isJson) answers[op.name] ??= { status: reply.status, body: reply.json };
    }
    if (expected === 'ok' && !answers[op.name]) {
      const reply = await (actor ? actor.rpc(op.name, given) : server.rpc(op.name, given));
      answers[op.name] = { status: reply.status, body: reply.json ?? reply.text };
    }
  });
});

describe('the sample answers of the documentation', () => {
  test('are those of all operations that answer here, with the members that they have', async () => {
    if (isRecording) await writeFile(SAMPLES, `${JSON.stringify(sampled(answers), null, 2)}\n`);
    const kept = JSON.parse(await readFile(SAMPLES, 'utf8')) as Record<string, Sample>;
    expect(Object.keys(kept).sort()).toEqual(Object.keys(answers).sort());
    const without = ops.filter(({ name }) => !kept[name]).map(({ name }) => name);
    expect(without).toEqual(Object.keys(HERE));
    for (const op of ops) {
      const sample = kept[op.name];
      const answer = answers[op.name];
      if (!sample || !answer) continue;
      expect(op.output.safeParse(sample.body).error, op.name).toBeUndefined();
      const members = (body: unknown) => (typeof body === 'string' ? 'text' : Object.keys(body as object).sort());
      expect([sample.status, members(sample.body)], op.name).toEqual([answer.status, members(answer.body)]);
    }
  });
});

describe('the lines of curl on the pages', () => {
  const hasCurl = spawnSync('curl', ['--version']).status === 0;

  /** Those that only look things up: what they name is the same for every reader. */
  const pages = ['/docs', '/docs/guide', '/docs/boundaries'];
  test.skipIf(!hasCurl).each(pages)('of %s answer', async (page) => {
    const { text } = await server.get(page);
    const found = [...text.matchAll(/<pre>(curl [^<]*)<\/pre>/g)].map(([, line]) => shown(defined(line)));
    expect(found.length).toBeGreaterThan(page === '/docs/boundaries' ? 10 : 0);
    const { key } = await server.key();
    const folder = await mkdtemp(join(tmpdir(), 'boundary-curl-'));
    try {
      for (const line of found) {
        const here = line.replaceAll(BASE_URL, server.address);
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
