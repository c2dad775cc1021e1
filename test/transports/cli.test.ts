import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifestOf } from '../../src/cli/manifest.ts';
import { opCommand } from '../../src/cli/op_command.ts';
import { renderJson } from '../../src/cli/render/table.ts';
import type { Terminal } from '../../src/cli/render/terminal.ts';
import { type CallTarget, serverTarget } from '../../src/transports/call.ts';
import { listen } from '../../src/transports/http/listen.ts';
import { localTarget } from '../../src/transports/local.ts';
import { openTestServer, type TestServer } from './test_server.ts';

let testServer: TestServer;
let key: string;
let folder: string;
beforeAll(async () => {
  testServer = await openTestServer();
  key = (await testServer.key({ plan: 'free' })).key;
  folder = mkdtempSync(join(tmpdir(), 'boundary-cli-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await testServer.close();
});

interface Outcome {
  exit: number;
  out: string;
  err: string;
}

/** Runs a command line as main.ts would, not on a terminal unless it is said so. */
async function run(
  line: readonly string[],
  target?: CallTarget,
  stdin = '',
  look: Partial<Terminal> = {},
): Promise<Outcome> {
  const outcome: Outcome = { exit: 0, out: '', err: '' };
  const terminal: Terminal = {
    stdout: (content) => {
      outcome.out += Buffer.from(content).toString();
    },
    stderr: (text) => {
      outcome.err += text;
    },
    stdin: () => Buffer.from(stdin),
    writeFile: (path, content) => writeFileSync(path, content),
    isTerminal: false,
    colors: { out: false, err: false },
    ...look,
  };
  const there = target ?? serverTarget({ baseUrl: testServer.listening.address, apiKey: key });
  const program = new Command('boundary').exitOverride();
  const exit = (code: number) => {
    outcome.exit = code;
  };
  for (const op of testServer.ops) {
    const command = opCommand(manifestOf(op), { target: async () => there, exit, terminal }).exitOverride();
    program.addCommand(command.configureOutput({ writeErr: terminal.stderr, writeOut: terminal.stdout }));
  }
  await program.parseAsync(line as string[], { from: 'user' });
  return outcome;
}
const echoed = async (...line: string[]): Promise<unknown> => JSON.parse((await run([...line, '--json'])).out).echo;

describe('commands', () => {
  test('required fields are positional, others are flags, strings become what they are', async () => {
    expect(await echoed('echo', 'Ulm')).toEqual({ q: 'Ulm', limit: 10 });
    expect(
      await echoed('echo', 'Bad Urach', '--limit', '3', '--ratio', '-0.5', '--mine', '--kinds', 'city,county'),
    ).toEqual({
      q: 'Bad Urach',
      limit: 3,
      ratio: -0.5,
      mine: true,
      kinds: ['city', 'county'],
    });
    expect(await echoed('echo', 'x', '--mine', 'false')).toEqual({ q: 'x', limit: 10, mine: false });
    expect(await echoed('echo', '12')).toEqual({ q: '12', limit: 10 });
  });

  test('a required field may be given as a flag, and arguments are then the others in order', async () => {
    expect(await echoed('echo', '--q', 'Ulm', '--limit', '3')).toEqual({ q: 'Ulm', limit: 3 });
    expect(await echoed('echo-body', '--include', 'r1', 'r2', '--note', 'x')).toEqual({
      include: ['r1', 'r2'],
      note: 'x',
    });
    expect((await run(['echo', 'Ulm', '--q', 'Bonn'])).exit).not.toBe(0);
    expect((await run(['echo', '--q', '-', '--json'], undefined, 'from a pipe')).out).toContain('from a pipe');
  });

  test('-62422 is a value, wherever it stands', async () => {
    expect(await echoed('echo-body', '-62422', 'r2', '-3', '--note', '-5')).toEqual({
      include: ['-62422', 'r2', '-3'],
      note: '-5',
    });
    expect(JSON.parse((await run(['get-thing', '-62422', '--json'])).out)).toEqual({ id: '-62422' });
  });

  test('a single hyphen reads the whole input from standard input', async () => {
    const result = await run(['echo', '-', '--json'], undefined, '{"q": "from a pipe", "limit": 2}');
    expect(JSON.parse(result.out)).toEqual({ echo: { q: 'from a pipe', limit: 2 } });
    const broken = await run(['echo', '-'], undefined, ' {"q": nonsense');
    expect([broken.exit, broken.out]).toEqual([2, '']);
    expect(broken.err).toMatch(/^error: invalid_json: Standard input/);
    // A command without required fields reads it too, and takes nothing else.
    expect((await run(['units', '-', '--json'], undefined, '{"n": 3}')).out).toBe('{"n":3}\n');
    expect((await run(['units', '3'])).err).toMatch(/^error: invalid_input: Unexpected argument: 3\./);
  });

  test('flags beside it add to it, and do not overrule it', async () => {
    const both = await run(['echo', '-', '--limit', '3', '--json'], undefined, '{"q": "x"}');
    expect(JSON.parse(both.out)).toEqual({ echo: { q: 'x', limit: 3 } });
    const twice = await run(['echo', '-', '--limit', '3'], undefined, '{"q": "x", "limit": 2}');
    expect([twice.exit, twice.err.split('\n')[0]]).toEqual([
      2,
      'error: invalid_input: limit: already given on standard input',
    ]);
  });

  test('a hyphen in place of a value reads that: text as it is, a list by its words', async () => {
    const text = await run(['echo', '-', '--json'], undefined, 'Bad Urach\n');
    expect(JSON.parse(text.out)).toEqual({ echo: { q: 'Bad Urach', limit: 10 } });
    const ids = await run(['echo-body', 'r1', '-', '--json'], undefined, 'r2\nrelation/3  -4\n');
    expect(JSON.parse(ids.out)).toEqual({ echo: { include: ['r1', 'r2', 'relation/3', '-4'] } });
    expect((await run(['echo-body', '-', '-'], undefined, 'r2')).err).toContain('give a single -');
    expect((await run(['echo-body', '-'], undefined, '')).err).toContain('include: ');
  });

  test('problems go to standard error, with what helps, and the exit code says their class', async () => {
    const cases: [string[], number, RegExp][] = [
      [['echo'], 2, /^Usage: boundary echo <q> /],
      [['echo', '--limit', '1'], 2, /^error: invalid_input: q: required\nFix the request/],
      [['echo', 'x', '--limit', '99'], 2, /invalid_input: limit: /],
      [['operators-only'], 3, /^error: unauthorized: .*\nSend a valid key/],
      [['units', '--outcome', 'problem'], 4, /^error: not_found: nothing there\n/],
      [['units', '--outcome', 'crash'], 1, /^error: internal_error: .*\n.*\nrequest [\w-]{8,64}\n$/],
      [['units', '--n', '1001'], 5, /^error: quota_exceeded: /],
    ];
    for (const [line, exit, err] of cases) {
      const result = await run(line);
      expect([result.exit, result.out], line.join(' ')).toEqual([exit, '']);
      expect(result.err).toMatch(err);
    }
    const json = await run(['units', '--n', '1001', '--json']);
    expect(JSON.parse(json.err)).toMatchObject({ code: 'quota_exceeded', limit: 1000 });
  });

  test('an unknown flag or a surplus argument is refused before anything is called', async () => {
    await expect(run(['echo', 'x', '--color', 'red'])).rejects.toThrow(/unknown option/);
    await expect(run(['echo', 'x', 'y'])).rejects.toThrow(/too many arguments/);
  });

  test('bytes go to standard output or to a file', async () => {
    expect((await run(['get-file-bytes'])).out).toBe('xxxxx');
    const person = { isTerminal: true };
    expect((await run(['get-file-bytes'], undefined, '', person)).out).toBe('xxxxx\n');
    expect((await run(['get-file-bytes', '--size', '5000'], undefined, '', person)).out).toBe(
      '5000 bytes, text/plain; charset=utf-8: use -o FILE to write it, --json to print it.\n',
    );
    expect((await run(['get-file-bytes', '-o', '-'])).out).toBe('xxxxx');
    const file = join(folder, 'bytes.txt');
    const result = await run(['get-file-bytes', '--size', '7', '-o', file]);
    expect([result.exit, result.out, readFileSync(file, 'utf8')]).toEqual([0, '', 'xxxxxxx']);
    expect(result.err).toBe(`${file}: 7 bytes, text/plain; charset=utf-8\n`);
  });

  test('-o fetches the file that an answer only names', async () => {
    const sha256 = 'ab'.repeat(32);
    const url = `https://maps.example/v1/exports/${sha256}.kml`;
    const target: CallTarget = {
      call: async () => ({
        status: 200,
        contentType: 'application/json; charset=utf-8',
        headers: {},
        body: Buffer.from(JSON.stringify({ url, sha256 })),
      }),
      download: async (url) => ({ status: 200, contentType: 'text/xml', headers: {}, body: Buffer.from(`<${url}/>`) }),
    };
    const file = join(folder, 'a.kml');
    const content = `<${url}/>`;
    await run(['echo', 'x', '-o', file], target);
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect((await run(['echo', 'x'], target)).out).toBe(content);
    expect((await run(['echo', 'x'], target, '', { isTerminal: true })).out).toMatch(
      /^url +https:.*\nsha256 +[ab]{64}\n$/,
    );
    expect(JSON.parse((await run(['echo', 'x', '--json'], target)).out).sha256).toBe(sha256);
    // Saving is done with; its file is fetched only when it is to be written.
    const kept = `https://maps.example/v1/files/file_01/content`;
    const library: CallTarget = {
      ...target,
      call: async () => ({ ...(await target.call('', {})), body: Buffer.from(JSON.stringify({ url: kept, sha256 })) }),
    };
    expect((await run(['echo', 'x'], library)).out).toContain(kept);
    expect((await run(['echo', 'x', '-o', '-'], library)).out).toBe(`<${kept}/>`);
  });

  test('lists are tables, --json prints the body as it is', async () => {
    const plain = await run(['list-api-keys']);
    const [header, row, count] = plain.out.split('\n');
    expect(header).toMatch(/^id +name +prefix +created_at/);
    expect(row).toMatch(/^key_\w{26} +command line +bnd_live_\S+ +\d{4}-\d\d-\d\d \d\d:\d\dZ/);
    expect(count).toBe('1 item');
    const json = await run(['list-api-keys', '--json']);
    expect(json.out.trimEnd()).toBe((await testServer.ask('GET', '/v1/api-keys', { key })).text);
    expect((await run(['get-pricing'])).out).toMatch(/^currency +EUR\nplans\n {2}id +name/);
  });

  test('help names every field', async () => {
    await expect(run(['echo', '--help'])).rejects.toThrow('(outputHelp)');
  });
});

describe('targets', () => {
  test('this process answers the same as a server', async () => {
    const here = localTarget(testServer.services, testServer.ops, new AbortController().signal);
    const local = await here.call('echo', { q: 'x' });
    const remote = await serverTarget({ baseUrl: `${testServer.listening.address}/` }).call('echo', { q: 'x' });
    expect(Buffer.from(local.body).toString()).toBe(Buffer.from(remote.body).toString());
    expect([local.status, remote.status]).toEqual([200, 200]);
    expect((await run(['operators-only', '--json'], here)).out).toBe('{"operator":true}\n');
    expect((await run(['units', '--n', '5', '--json'], here)).out).toBe('{"n":5}\n');
    const failed = await run(['units', '--outcome', 'crash'], here);
    expect([failed.exit, failed.err.includes('hunter2')]).toEqual([1, false]);
    expect(await here.call('fly', {})).toMatchObject({ status: 404, contentType: 'application/problem+json' });
  });

  test('a server that does not answer is reported as such', async () => {
    const gone = await listen(() => {}, { host: '127.0.0.1', port: 0 }, '');
    await gone.close();
    const result = await run(['echo', 'x'], serverTarget({ baseUrl: gone.address }));
    expect([result.exit, result.out]).toEqual([6, '']);
    expect(result.err).toMatch(/^error: no answer from http:/);
    const socket = await run(['echo', 'x'], serverTarget({ socketPath: join(folder, 'none.sock') }));
    expect(socket.exit).toBe(6);
  });

  test('an answer that is not ours is reported as such', async () => {
    const server = createServer((_request, response) =>
      response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const result = await run(['echo', 'x'], serverTarget({ baseUrl: `http://127.0.0.1:${port}` }));
    server.close();
    expect([result.exit, result.err]).toEqual([6, 'error: the server answered 502 text/html\n']);
  });
});

describe('tables', () => {
  test('columns line up, also with wide characters; nested values are left out', () => {
    const items = [
      { id: 'r1', name: '東京都', population: 14_000_000, bbox: { west: 1 }, parents: [], wikidata: null },
      { id: 'r22', name: 'Ulm', population: null, bbox: null, parents: [], wikidata: null },
    ];
    expect(renderJson({ items, total: 9, limit: 2, offset: 0 })).toBe(
      'id   name    population\nr1   東京都  14000000\nr22  Ulm\n2 of 9 items\n',
    );
  });

  test('a name cannot steer the terminal', () => {
    expect(renderJson({ items: [{ name: '\u001b[2Jgone\u0007' }] })).toBe('name\n\ufffd[2Jgone\ufffd\n1 item\n');
    expect(renderJson({ name: '\u009b2J' })).not.toContain('\u009b');
    expect(renderJson({ items: [] })).toBe('0 items\n');
    expect(renderJson({ items: [{ name: 'x'.repeat(99) }] })).toContain(`${'x'.repeat(39)}…\n`);
  });
});
