import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { acquireDataDir } from '../../src/db/lock.ts';
import { ops } from '../../src/ops/index.ts';
import { commandLine, commandName } from '../../src/transports/example.ts';
import { type Machine, type Outcome, openMachine } from '../cli/program.ts';

/** Clears the screen, sets the title, in C0 and C1; turns text around; ends the line and speaks in our name. */
const EVIL = 'a\u001b[2J\u001b]0;x\u0007\u009b31mb\u202ecod\u2066.\u200bexe\r\nerror: all is well\u007f';
const UNSAFE = /(?!\n)[\p{Cc}\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069]/u;
const AWAY = '/../../../../x';

type Answer = { status?: number; type?: string; body: string | Buffer };
let answer: (path: string, body: string) => Answer;
let machine: Machine;
let server: Server;
let url: string;

function serve(request: IncomingMessage, response: ServerResponse): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const {
      status = 200,
      type = 'application/json',
      body,
    } = answer(request.url ?? '', Buffer.concat(parts).toString());
    response.writeHead(status, { 'Content-Type': type }).end(body);
  });
}

beforeAll(async () => {
  machine = openMachine();
  server = createServer(serve);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server?.close();
  machine?.remove();
});

/** Every file of the machine; a file that a server could place outside of it would be named x. */
const files = (): string[] =>
  readdirSync(machine.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
afterEach(() => expect(files().filter((path) => /(?:^|\/)x\b/.test(path))).toEqual([]));

/** What was shown has no character that steers a terminal, and no line that the server wrote. */
function expectHarmless({ out, err }: Outcome): void {
  expect(out).not.toMatch(UNSAFE);
  expect(err).not.toMatch(UNSAFE);
  expect(`${out}\n${err}`).not.toMatch(/^error: all is well/m);
}

const json = (value: unknown, status = 200): Answer => ({ status, body: JSON.stringify(value) });
const item = (more: object = {}) => ({
  id: 'r1',
  name: EVIL,
  kind: EVIL,
  admin_level: 8,
  country: EVIL,
  parents: [{ id: EVIL, name: EVIL, kind: EVIL, admin_level: 2 }],
  population: 1,
  version: 1,
  has_geometry: true,
  bbox: { west: EVIL, south: 0, east: 1, north: 1 },
  match: 'exact',
  interpretation: { name: EVIL, within: { id: EVIL, name: EVIL }, kind: null },
  [EVIL]: EVIL,
  ...more,
});
const evilProblem = (code = 'not_found') =>
  json(
    { code, status: 404, title: code, detail: EVIL, request_id: EVIL, issues: [{ path: EVIL, message: EVIL }] },
    404,
  );

describe('every command of an operation', () => {
  const shown = ['--url'];
  const cases = ops.map((op) => [commandName(op), commandLine(op, defined(op.examples[0]).input)] as const);
  const run = (line: string, more: string) =>
    machine.run([`${line.replace(/boundary /, `$BOUNDARY ${shown[0]} ${url} `)} ${more}`], { shell: true });

  test.each(cases.filter((_, i) => i % 6 === 0))('%s: an answer, as a table and as JSON', async (_name, line) => {
    answer = () => json({ items: [item()], ...item(), total: EVIL, comments: [item()] });
    for (const more of ['', '--json']) expectHarmless(await run(line, more));
  });

  test('a problem, as text and as JSON', async () => {
    for (const more of ['', '--json']) {
      answer = () => evilProblem();
      const outcome = await run('boundary get-account', more);
      expectHarmless(outcome);
      expect(outcome.exit).toBe(4);
      for (const candidates of [[item()], [null, { id: EVIL, parents: EVIL }, { parents: [null] }]]) {
        const document = { code: 'invalid_id', detail: EVIL, candidates };
        answer = () => json(document, 400);
        const named = await run('boundary get-boundary Vaduz', more);
        expectHarmless(named);
        expect(named.exit).toBe(2);
      }
    }
  });

  test('an answer that is not one: a raw escape in JSON, a page, a content type, an address', async () => {
    for (const one of [
      { body: `{"name":"${EVIL}"` },
      { type: 'text/html', body: EVIL, status: 404 },
      { type: 'application/\u009bjson', body: EVIL, status: 500 },
      json({ url: `https://evil.example/${EVIL}`, sha256: 'x' }),
    ]) {
      answer = () => one;
      for (const more of ['', '--json', '-o -']) expectHarmless(await run('boundary export-boundary r1', more));
    }
  });

  test('a file on a terminal', async () => {
    answer = () => ({ type: 'text/plain', body: EVIL });
    const outcome = await machine.run(['script -qec "$BOUNDARY get-boundary r1 --url $URL" /dev/null; true'], {
      shell: true,
      env: { TERM: 'dumb', URL: url },
    });
    expect(outcome.out.replaceAll('\r\n', '\n')).not.toMatch(UNSAFE);
    expect(outcome.out).toContain('a\ufffd[2J');
  });
});

describe('export', () => {
  const out = (): string => machine.path('out');
  const ask = (...words: string[]) => machine.run(['export', ...words, '--out', out(), '--url', url]);

  test.each([AWAY, 'r1/../../x', '..', 'r1\u0000', 'r1\\..\\x', 'r01', 'r1 ', '', 1, null, { toString: 'r1' }])(
    'the id %j in a list is refused, and nothing is written',
    async (id) => {
      answer = (path) => (path.endsWith('list_children') ? json({ items: [item({ id })] }) : json(item()));
      const outcome = await ask('--children-of', 'r9');
      expectHarmless(outcome);
      expect([outcome.exit, outcome.err]).toEqual([1, expect.stringContaining('not a boundary id')]);
      expect(files().filter((path) => path.startsWith(out()))).toEqual([]);
    },
  );

  test('so is one of get_boundary and of a search', async () => {
    answer = () => json({ properties: item({ id: AWAY }), bbox: [0, 0, 1, 1] });
    expect((await ask('r1')).err).toContain('not a boundary id');
    answer = () => json({ items: [item({ id: AWAY })] });
    expect((await ask('Vaduz')).err).toContain('not a boundary id');
  });

  test('a hostile name becomes a plain file name in the folder, and a failure is reported in one line', async () => {
    const bytes = Buffer.from('{}');
    const sha256 = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a';
    answer = (path) => {
      if (path.endsWith('list_children')) {
        return json({ items: [item({ name: `../../${EVIL}` }), item({ id: 'r2' }), item({ id: 'r2' })] });
      }
      if (path.startsWith('/v1/exports/')) return { type: 'application/geo+json', body: bytes };
      return path.endsWith('export_boundary')
        ? json({ url: `https://evil.example/v1/exports/${sha256}.geojson`, sha256 })
        : json(item());
    };
    const outcome = await ask('--children-of', 'r9', '--json');
    expectHarmless(outcome);
    expect([outcome.exit, outcome.err]).toEqual([0, '']);
    const names = readdirSync(out()).filter((name) => name.endsWith('.geojson'));
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/^[\p{L}\p{N} .,'_-]+\(r[12]\)\.geojson$/u);
    answer = (path) => (path.endsWith('list_children') ? json({ items: [item({ id: 'r3' })] }) : evilProblem());
    const failed = await ask('--children-of', 'r9');
    expectHarmless(failed);
    expect(failed.exit).toBe(4);
  });

  test('a file that is not what it was said to be is not written', async () => {
    answer = (path) =>
      path.endsWith('get_boundary')
        ? json({ properties: item({ id: 'r7' }) })
        : json({ url: `/v1/exports/${'0'.repeat(64)}.geojson`, sha256: '0'.repeat(64) });
    const outcome = await ask('r7');
    expect([outcome.exit, outcome.err]).toEqual([1, expect.stringContaining('does not match its sha256')]);
    expect(readdirSync(out()).filter((name) => name.includes('r7'))).toEqual([]);
  });
});

test('union: what a name means, and the candidates of one that means several', async () => {
  answer = (path) => {
    if (path.endsWith('search_boundaries'))
      return json({ items: [item({ name: 'Vaduz', parents: [{ name: EVIL }] })] });
    if (path.endsWith('get_boundary')) return json({ properties: { names: {} } });
    return { type: 'application/geo+json', body: '{}' };
  };
  const outcome = await machine.run(['union', 'Vaduz', '--url', url]);
  expectHarmless(outcome);
  expect([outcome.exit, outcome.out]).toEqual([0, '{}']);
  answer = (path) =>
    path.endsWith('get_boundary')
      ? json({ properties: { names: {} } })
      : json({ items: [item({ name: 'Vaduz' }), item({ id: 'r2', name: 'Vaduz' })] });
  const bare = answer;
  answer = (path, body) =>
    path.endsWith('search_boundaries')
      ? json({ items: [item({ name: 'Vaduz', interpretation: undefined })] })
      : bare(path, body);
  expect((await machine.run(['union', 'Vaduz', '--url', url])).exit).toBe(2);
  answer = bare;
  for (const more of [[], ['--json']]) {
    const several = await machine.run(['union', 'Vaduz', '--url', url, ...more]);
    expectHarmless(several);
    expect(several.exit).toBe(2);
  }
});

test('login: only a link to a web page is shown, and only a key in the usual form is kept', async () => {
  const code = { device_code: 'd', user_code: EVIL, interval: 1, expires_in: 60 };
  const login = () => machine.run(['login', url, '--no-browser']);
  for (const link of ['javascript:alert(1)', 'file:///etc/passwd', '--help', EVIL, undefined, 7]) {
    answer = () => json({ ...code, verification_uri_complete: link });
    const outcome = await login();
    expectHarmless(outcome);
    expect([outcome.exit, outcome.err]).toEqual([1, expect.stringContaining('did not send a link')]);
  }
  for (const given of [
    { api_key: `k\r\nX-Evil: 1`, key_id: 'key_1', org: { id: 'org_1', slug: 'a' } },
    { api_key: 'bnd_live_1', key_id: EVIL, org: { id: 'org_1', slug: 'a' } },
    { api_key: 'bnd_live_1', key_id: 'key_1', org: { id: 'org_1', slug: EVIL } },
    { api_key: 'bnd_live_1', key_id: 'key_1' },
  ]) {
    answer = (path) =>
      path.endsWith('code') ? json({ ...code, verification_uri_complete: `${url}/${EVIL}` }) : json(given);
    const outcome = await login();
    expectHarmless(outcome);
    expect([outcome.exit, outcome.out, outcome.err]).toEqual([1, '', expect.stringContaining('usable key')]);
    expect(files().filter((path) => path.endsWith('credentials.json'))).toEqual([]);
  }
});

test('whoami', async () => {
  const org = { slug: EVIL, role: EVIL, plan: EVIL };
  answer = () => json({ email: EVIL, name: EVIL, key_id: EVIL, operator: false, org });
  for (const more of [[], ['--json']]) {
    const outcome = await machine.run(['whoami', '--url', url, ...more], { env: { BOUNDARY_API_KEY: 'bnd_x' } });
    expectHarmless(outcome);
    expect(outcome.exit).toBe(0);
  }
});

test('commands over the control socket: progress, results and problems', async () => {
  const data = machine.path('data');
  mkdirSync(data, { recursive: true });
  const lock = await acquireDataDir(data);
  const control = createServer(serve);
  await new Promise<void>((done) => control.listen(join(data, 'control.sock'), done));
  const line = (one: object) => ({
    type: 'application/x-ndjson',
    body: `${JSON.stringify({ progress: EVIL })}\n${JSON.stringify(one)}\n`,
  });
  const counts = { read: 1, added: 1, replaced: 0, unchanged: 0, older: 0, reassembled: 0, retiered: 0, repairs: 0 };
  const broken = [{ id: EVIL, name: EVIL, reason: EVIL, lat: EVIL, lon: 1 }];
  const summary = {
    file: EVIL,
    ...counts,
    aliased: 0,
    doubles: 0,
    namesakes: [],
    restored: 0,
    skipped: [],
    broken,
    arcs: 1,
    seconds: 1,
    peakRss: 1,
  };
  try {
    answer = () => line({ result: [summary] });
    for (const more of [[], ['--json']]) expectHarmless(await machine.run(['seed', ...more]));
    answer = () => line({ result: summary });
    expectHarmless(await machine.run(['import', 'some.pbf']));
    answer = () => line({ result: { key: EVIL } });
    expectHarmless(await machine.run(['key', 'create', '--email', 'a@example.org']));
    answer = () => line({ result: { slug: EVIL, plan: EVIL } });
    expectHarmless(await machine.run(['admin', 'set-plan', 'a', 'b']));
    for (const code of ['invalid_input', 'toString', EVIL]) {
      answer = () => line({ problem: { code, detail: EVIL } });
      const outcome = await machine.run(['seed']);
      expectHarmless(outcome);
      expect(outcome.exit).toBe(code === 'invalid_input' ? 2 : 1);
    }
    answer = () => ({ body: `${EVIL}\n` });
    expectHarmless(await machine.run(['seed']));
  } finally {
    await new Promise((done) => control.close(done));
    await lock.release();
  }
});

test('mcp over a remote server: tools, answers and errors', async () => {
  const reply = (body: string): string => JSON.parse(body).id;
  answer = (_path, body) => {
    const message = JSON.parse(body) as { id: string; method: string };
    const result =
      message.method === 'tools/list'
        ? { tools: [{ name: 'x', description: EVIL, inputSchema: { type: 'object' } }] }
        : { content: [{ type: 'text', text: EVIL }] };
    return json({ jsonrpc: '2.0', id: reply(body), result });
  };
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'agent', version: '1' },
  };
  const message = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const input = [
    message(1, 'initialize', initialize),
    `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
    message(2, 'tools/list', {}),
    message(3, 'tools/call', { name: 'x', arguments: {} }),
  ].join('');
  writeFileSync(machine.path('input.jsonl'), input);
  // Its input ends when the last answer is there.
  const wait = 'for i in $(seq 600); do grep -q \'"id":3\' outcome.jsonl && break; sleep 0.1; done';
  const line = `touch outcome.jsonl; (cat input.jsonl; ${wait}) | $BOUNDARY --url ${url} mcp > outcome.jsonl; cat outcome.jsonl`;
  const outcome = await machine.run([line], { shell: true });
  expectHarmless(outcome);
  expect(outcome.out).toContain('\ufffd[2J');
  answer = (_path, body) =>
    json({
      jsonrpc: '2.0',
      id: reply(body),
      error: { code: -32000, message: EVIL, data: { code: 'not_found', detail: EVIL } },
    });
  const refused = await machine.run(['--url', url, 'mcp']);
  expectHarmless(refused);
  expect(refused.exit).toBe(1);
});

test('the record of an export is not followed out of its folder', async () => {
  answer = () => json({ items: [item({ id: 'r5', name: 'Vaduz' })] });
  mkdirSync(machine.path('led'), { recursive: true });
  const path = machine.path('led', 'boundary-export.jsonl');
  writeFileSync(path, `${JSON.stringify({ file: AWAY, sha256: 'x', bytes: 1 })}\n`);
  const outcome = await machine.run(['export', '--children-of', 'r9', '--out', machine.path('led'), '--url', url]);
  expectHarmless(outcome);
  expect(readFileSync(path, 'utf8')).toContain(AWAY);
});
