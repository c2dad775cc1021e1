import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { ops } from '../../src/ops/index.ts';
import { javascriptOf, pythonOf, readable } from '../../src/transports/docs/programs.ts';
import { requestOf } from '../../src/transports/docs/snippets.ts';
import { BASE_URL, type BoundaryTestServer } from '../ops/boundary_test_server.ts';
import { openExampleServer } from './example_fixture.ts';
import { shown } from './text.ts';

/** Where everything is to be proved, a machine without Python fails rather than skips. */
const hasPython = spawnSync('python3', ['--version']).status === 0 || process.env.CI !== undefined;

const ODD = {
  ids: ['l\'Eixample \\ "quoted"', '京都 😀\u2028\n'],
  deep: { a_b: [1.5, -2, null], yes: true, no: false },
};

/** Every example as a program, with the request it is to make. */
const cases = ops.flatMap((op) => [
  ...op.examples.map(({ input }) => ({ op, input: input as Record<string, unknown> })),
  // What no example has: quotes, other scripts, and every kind of value.
  ...(op.name === 'union_boundaries' ? [{ op, input: { ...ODD, detail: 'low' } as Record<string, unknown> }] : []),
]);

interface Made {
  readonly url: string;
  readonly method: string;
  readonly body: unknown;
  readonly authorization: string | null;
}

const wanted = (key: boolean): Made[] =>
  cases.map(({ op, input }) => {
    const { method, path, body } = requestOf(op, input);
    return {
      url: BASE_URL + path,
      method,
      body: body && JSON.parse(JSON.stringify(body)),
      authorization: key ? 'Bearer bnd_live_x' : null,
    };
  });

test('text to read is JSON', () => {
  for (const value of [ODD, [], {}, null, [[1, 2], 'x'.repeat(90), { a: ODD, b: [] }]]) {
    expect(JSON.parse(readable(value))).toEqual(value);
  }
});

describe.each([true, false])('every example, with a key: %s', (key) => {
  test('asks in JavaScript for what it is to ask for', async () => {
    const made: Made[] = [];
    const fetch = async (
      url: string,
      options: { method?: string; headers?: Record<string, string>; body?: string } = {},
    ) => {
      const { method = 'GET', headers = {}, body } = options;
      expect(headers['Content-Type']).toBe(body === undefined ? undefined : 'application/json');
      made.push({ url, method, body: body ? JSON.parse(body) : null, authorization: headers.Authorization ?? null });
      return new Response('{}');
    };
    const AsyncFunction = (async () => undefined).constructor as new (
      ...texts: string[]
    ) => (...given: unknown[]) => Promise<void>;
    for (const { op, input } of cases) {
      const text = javascriptOf(op, input, BASE_URL, key).replace(/^import .*\n/, '');
      const program = new AsyncFunction('fetch', 'process', 'console', 'writeFile', text);
      await program(fetch, { env: { KEY: 'bnd_live_x' } }, { log: () => undefined }, async () => undefined);
    }
    expect(made).toEqual(wanted(key));
  });

  test.skipIf(!hasPython)('asks in Python for what it is to ask for', async () => {
    const runner = `
import io, json, os, sys, urllib.request
made = []
def urlopen(request):
    body = request.data and json.loads(request.data)
    assert (request.get_header('Content-type') == 'application/json') == bool(request.data)
    made.append({'url': request.full_url, 'method': request.get_method(), 'body': body, 'authorization': request.get_header('Authorization')})
    return io.BytesIO(b'{}')
urllib.request.urlopen = urlopen
output, sys.stdout = sys.stdout, io.StringIO()
for program in json.load(sys.stdin): exec(program, {})
output.write(json.dumps(made))`;
    const folder = await mkdtemp(join(tmpdir(), 'boundary-python-'));
    try {
      const programs = cases.map(({ op, input }) => pythonOf(op, input, BASE_URL, key));
      const out = await run('python3', ['-c', runner], folder, 'bnd_live_x', JSON.stringify(programs));
      expect(JSON.parse(out)).toEqual(wanted(key));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

/** A read, a write, an answer in CSV, files, and what fails: the others differ from these by their values alone. */
const RUN = ['search_boundaries', 'get_boundary', 'union_boundaries', 'export_boundary', 'crosswalk'];

describe('programs on the page of boundaries', () => {
  let server: BoundaryTestServer;
  beforeAll(async () => {
    server = await openExampleServer();
  });
  afterAll(() => server?.close());

  const languages = [
    ['JavaScript', process.execPath, 'program.mjs'],
    ['Python', 'python3', 'program.py'],
  ] as const;
  for (const [language, command, name] of languages) {
    test.skipIf(language === 'Python' && !hasPython)(`answer in ${language}`, async () => {
      const { text } = await server.get('/docs/boundaries');
      const pattern = new RegExp(`<div data-way="${language}">.*?<pre>(.*?)</pre>`, 'gs');
      const found = RUN.flatMap((name) => {
        const [, section = ''] = text.split(`<section aria-labelledby="${name}">`);
        return [...(section.split('</section>')[0] ?? '').matchAll(pattern)].map(([, program]) =>
          shown(defined(program)),
        );
      });
      expect(found.length).toBeGreaterThan(RUN.length);
      const { key } = await server.key();
      const folder = await mkdtemp(join(tmpdir(), 'boundary-program-'));
      try {
        for (const program of found) {
          const here = program.replaceAll(BASE_URL, server.address);
          expect(here).not.toBe(program);
          await writeFile(join(folder, name), here);
          const failing = ops.some((op) =>
            op.examples.some(({ input, problem }) => problem && program.includes(requestOf(op, input).path)),
          );
          const done = await run(command, [name], folder, key).then(
            () => 'answered',
            (error: Error) => (/HTTP Error 4|"code":/.test(error.message) ? 'refused' : String(error)),
          );
          expect(done, program).toBe(failing ? 'refused' : 'answered');
        }
        expect(await readFile(join(folder, 'boundary.kml'), 'utf8')).toContain('<kml');
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
});

/** Runs a program as a reader would; not synchronously, since the server lives in this process. */
function run(command: string, args: readonly string[], cwd: string, key: string, input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      command,
      args,
      { cwd, env: { ...process.env, KEY: key }, maxBuffer: 2 ** 24 },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    child.stdin?.end(input);
  });
}
