import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { type Machine, openMachine } from './program.ts';

let machine: Machine;
let server: Server;
let url: string;
let answer: { status: number; type: string; body: string };
const asked: { path: string; input: unknown }[] = [];
beforeAll(async () => {
  machine = openMachine();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      asked.push({ path: request.url ?? '', input: body === '' ? null : JSON.parse(body) });
      response.writeHead(answer.status, { 'Content-Type': answer.type }).end(answer.body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server?.close();
  machine?.remove();
});

const items = { status: 200, type: 'application/json', body: '{"items":[]}' };
/** What a command line asked the server for. */
async function asks(words: readonly string[], input = ''): Promise<(typeof asked)[number] | undefined> {
  answer = items;
  asked.length = 0;
  await machine.run(['--url', url, ...words], { input });
  return asked[0];
}

describe('what is not there', () => {
  const GONE = 'http://127.0.0.1:1';
  const DATABASE = { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' };

  test.each([
    ['an operation', ['search', 'x', '--url', GONE], {}],
    ['union', ['union', 'x', '--url', GONE], {}],
    ['export', ['export', 'x', '--out', 'out', '--url', GONE], {}],
    ['login', ['login', GONE], {}],
    ['whoami', ['whoami', '--url', GONE], { BOUNDARY_API_KEY: 'bnd_x' }],
    ['mcp', ['mcp', '--url', GONE], {}],
    ['the database, for an operation', ['search', 'x'], DATABASE],
    ['the database, for a command', ['seed'], DATABASE],
    ['the database, for the server', ['serve', '--port', '0'], DATABASE],
  ])('%s: exit code 6', async (_what, words, env) => {
    const result = await machine.run(words, { env });
    expect([result.exit, result.err]).toEqual([6, expect.stringMatching(/(?:^|\n)error: .+\n$/)]);
  });

  test('a replication server: 6; a gateway without a server: 6; a page of another server: 1', async () => {
    const { port } = server.address() as AddressInfo;
    const closed = createServer();
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
    const gone = (closed.address() as AddressInfo).port;
    await new Promise((done) => closed.close(done));
    expect(port).not.toBe(gone);
    expect((await machine.run(['update', '--from', `http://127.0.0.1:${gone}/`, '--sequence', '1'])).exit).toBe(6);
    for (const [status, exit] of [
      [502, 6],
      [503, 6],
      [504, 6],
      [500, 1],
      [404, 1],
    ]) {
      answer = { status: defined(status), type: 'text/html', body: '<h1>no</h1>' };
      expect((await machine.run(['search', 'x', '--url', url])).exit, String(status)).toBe(exit);
    }
  });

  test('a file: it is named once', async () => {
    for (const [words, path] of [
      [['import', 'nosuch.pbf'], 'nosuch.pbf'],
      [['import', 'nosuch.geojson', '--source', 'made', '--admin-level', '8'], 'nosuch.geojson'],
      [['update', 'nosuch.osc'], machine.path('nosuch.osc')],
      [['convert', 'nosuch.kml', 'out.svg'], 'nosuch.kml'],
    ] as const) {
      const result = await machine.run(words);
      expect([result.exit, result.err], words[0]).toEqual([2, `error: invalid_input: File not found: ${path}\n`]);
    }
  });

  test('a sign-in: what to run is said', async () => {
    answer = { status: 401, type: 'application/problem+json', body: '{"code":"unauthorized","detail":"send a key"}' };
    const result = await machine.run(['list-files', '--url', url]);
    expect([result.exit, result.err]).toEqual([
      3,
      `error: unauthorized: You are not signed in. Run: boundary login ${url}\n`,
    ]);
    // With a key it is something else that is missing.
    const keyed = await machine.run(['list-files', '--url', url], { env: { BOUNDARY_API_KEY: 'bnd_x' } });
    expect([keyed.exit, keyed.err]).toEqual([3, expect.stringContaining('send a key')]);
    const here = await machine.run(['list-files']);
    expect([here.exit, here.err]).toEqual([3, 'error: unauthorized: You are not signed in. Run: boundary login\n']);
  });
});

describe('what is asked for', () => {
  test('short names', async () => {
    expect(await asks(['search', 'Vaduz', '--limit', '3'])).toEqual({
      path: '/v1/ops/search_boundaries',
      input: { q: 'Vaduz', limit: 3 },
    });
    expect((await asks(['get', 'r1']))?.path).toBe('/v1/ops/get_boundary');
    expect(await asks(['reverse', '47.1', '9.5'])).toEqual({
      path: '/v1/ops/reverse_boundaries',
      input: { lat: 47.1, lon: 9.5 },
    });
    expect(await asks(['children', '-62422'])).toEqual({ path: '/v1/ops/list_children', input: { id: '-62422' } });
    const help = await machine.run(['search', '--help']);
    expect([help.exit, help.out]).toEqual([0, (await machine.run(['help', 'search-boundaries'])).out]);
    expect((await machine.run(['--help'])).out).toMatch(/^ {2}search-boundaries\|search +/m);
  });

  test('a JSON array on standard input is the values of a list', async () => {
    const list = { path: '/v1/ops/union_boundaries', input: { include: ['r1', 'r 2'] } };
    expect(await asks(['union-boundaries', '-'], '["r1", "r 2"]\n')).toEqual(list);
    expect(await asks(['union-boundaries', 'r0', '-'], '["r1"]')).toMatchObject({ input: { include: ['r0', 'r1'] } });
    expect(await asks(['union-boundaries', 'r0', '--exclude', '-'], '["r1"]')).toBeDefined();
    // What is wrong with the values, the operation says.
    expect(await asks(['union-boundaries', '-'], '[1, {}]')).toMatchObject({ input: { include: [1, {}] } });
    const broken = await machine.run(['union-boundaries', '-', '--url', url], { input: '["r1",' });
    expect([broken.exit, broken.err]).toEqual([2, 'error: invalid_json: Standard input is not valid JSON.\n']);
  });

  test('a command without its arguments shows its usage', async () => {
    for (const command of ['search-boundaries', 'search', 'reverse', 'union-boundaries', 'save-file']) {
      const result = await machine.run([command]);
      expect([result.exit, result.out, result.err], command).toEqual([
        2,
        '',
        expect.stringMatching(/^Usage: boundary [\w|-]+ <.*\[options\]\n/),
      ]);
    }
  });
});

describe('boundary serve', () => {
  const get = async (port: number, path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return {
      status: response.status,
      headers: response.headers,
      json: (await response.json()) as Record<string, unknown>,
    };
  };
  const freePort = async (): Promise<number> => {
    const one = createServer();
    await new Promise<void>((done) => one.listen(0, '127.0.0.1', done));
    const { port } = one.address() as AddressInfo;
    await new Promise((done) => one.close(done));
    return port;
  };
  const accepts = (port: number): Promise<boolean> =>
    new Promise((done) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        done(true);
      });
      socket.once('error', () => done(false));
    });

  test('takes flags, answers before its data is loaded, and ends at a port that is taken before it makes anything', async () => {
    const port = await freePort();
    const running = machine.start(['serve', '--port', String(port), '--host', '127.0.0.1', '--data-dir', 'here'], {
      env: { PORT: '1', DATA_DIR: machine.path('elsewhere') },
    });
    try {
      while (!(await accepts(port))) await new Promise((done) => setTimeout(done, 20));
      // The database of a new machine takes seconds to make.
      expect(await get(port, '/healthz')).toMatchObject({ status: 200, json: { status: 'ok' } });
      expect(await get(port, '/readyz')).toMatchObject({ status: 503, json: { status: 'loading' } });
      const early = await get(port, '/v1/boundaries/search?q=x');
      expect(early).toMatchObject({ status: 429, json: { code: 'rate_limited', detail: 'The server is starting.' } });
      expect([early.headers.get('retry-after'), early.json.retry_after]).toEqual(['5', 5]);
      const posted = await fetch(`http://127.0.0.1:${port}/v1/boundaries/union`, { method: 'POST', body: '{}' });
      expect(posted.status).toBe(429);
      const taken = await machine.run(['serve', '--port', String(port), '--data-dir', 'other']);
      expect([taken.exit, taken.err]).toEqual([1, expect.stringContaining(`Port ${port} on 127.0.0.1 is in use.`)]);
      const { existsSync } = await import('node:fs');
      expect([existsSync(machine.path('here')), existsSync(machine.path('elsewhere'))]).toEqual([true, false]);
      expect(existsSync(machine.path('other', 'pg'))).toBe(false);
    } finally {
      running.child.kill('SIGKILL');
    }
    await running.ended;
  });

  test('a flag that cannot be used is refused', async () => {
    const result = await machine.run(['serve', '--port', 'x']);
    expect([result.exit, result.err]).toEqual([2, expect.stringMatching(/^error: PORT must be a whole number/)]);
  });
});
