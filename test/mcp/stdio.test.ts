import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { ANSWER_BYTES } from '../../src/transports/mcp/answer.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { builtMain } from '../setup/built.ts';
import { COMPILE_ONCE } from '../setup/compiled.ts';
import { copyTemplate } from '../setup/embedded.ts';
import { type Agent, agentOf, newClient, REVISIONS, type Revision } from './client.ts';
import { largeWorld } from './large_world.ts';

const folder = mkdtempSync(join(tmpdir(), 'boundary-mcp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MAIN = await builtMain();
const COMMAND = [COMPILE_ONCE, MAIN, 'mcp'];
const environment = (more: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  NODE_ENV: 'test',
  XDG_CONFIG_HOME: join(folder, 'config'),
  DATA_DIR: join(folder, 'data'),
  ...more,
});

async function start(era: Revision, words: readonly string[], more: Record<string, string>): Promise<Agent> {
  const client = newClient(era);
  const transport = { command: process.execPath, args: [...COMMAND, ...words], env: environment(more) };
  await client.connect(new StdioClientTransport({ ...transport, stderr: 'ignore' }), { timeout: 170_000 });
  return agentOf(client);
}

/** The progress that an agent is sent. The client itself drops a word that comes in one piece with the answer. */
function wordsTo({ client: { transport } }: Agent): string[] {
  const words: string[] = [];
  const given = transport?.onmessage;
  if (!transport || !given) throw new Error('not connected');
  transport.onmessage = (message, extra) => {
    if ('method' in message && message.method === 'notifications/progress') words.push(String(message.params?.message));
    given(message, extra);
  };
  return words;
}

let testServer: BoundaryTestServer;
beforeAll(async () => {
  testServer = await openBoundaryTestServer();
  await storeBoundaries({ db: testServer.services.db, engine: testServer.engine }, fixtureWorld());
  await storeBoundaries({ db: testServer.services.db, engine: testServer.engine }, largeWorld());
});
afterAll(() => testServer?.close());

describe.each(REVISIONS)('boundary mcp, %s, for a server', (era) => {
  let key: string;
  let agent: Agent;
  beforeAll(async () => {
    ({ key } = await testServer.key());
    agent = await start(era, [], { BOUNDARY_BASE_URL: testServer.address, BOUNDARY_API_KEY: key });
  });
  afterAll(() => agent?.client.close());

  it('has the tools of that server, and they answer as they do there', async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['search_boundaries', 'save_file']));
    const found = await agent.call('search_boundaries', { q: 'atlantis' });
    expect(found.data.items[0].id).toBe('r100');
    const union = await agent.call('union_boundaries', { include: ['r111', 'r112'], detail: 'low' });
    expect(union.data.geometry.type).toBe('Polygon');
    const large = await agent.call('get_boundary', { id: 'r90000', detail: 'full' });
    expect(large.size).toBeLessThan(ANSWER_BYTES);
    expect(large.data.shortened.url).toContain('/v1/exports/');
    expect(await testServer.used(key)).toBe(3);
  });

  it('tells failures and progress of that server', async () => {
    const received = await agent.call('get_boundary', { id: 'r999999' });
    expect([received.isError, received.data.code]).toEqual([true, 'not_found']);
    await expect(agent.client.callTool({ name: 'nonsense', arguments: {} })).rejects.toThrow(/Unknown tool/);
    const words = wordsTo(agent);
    // Asks for progress; see wordsTo.
    const onprogress = (): void => undefined;
    await agent.call('union_boundaries', { include: ['r112', 'r113'], detail: 'high' }, { onprogress });
    expect(words[0]).toBe('2 boundaries to merge');
  });
});

describe('boundary mcp without a server', () => {
  beforeAll(() => copyTemplate(defined(environment({}).DATA_DIR)));

  it('writes nothing but the protocol to standard output, and ends with its input', async () => {
    const child = spawn(process.execPath, COMMAND, { env: environment({}) });
    let out = '';
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString();
      if (out.includes('"id":2')) child.stdin.end();
    });
    let err = '';
    child.stderr.on('data', (part: Buffer) => {
      err += part.toString();
    });
    const closed = once(child, 'close');
    const clientInfo = { name: 'raw', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    for (const message of [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
    ]) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    }
    expect(await closed, err).toEqual([0, null]);
    const messages = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(messages.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
      ['2.0', 1],
      ['2.0', 2],
    ]);
  });

  it('works on the database of this machine, and loads data into it with progress', async () => {
    const agent = await start('2025-11-25', ['--toolsets', 'boundaries,data'], {});
    try {
      const { tools } = await agent.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['union_boundaries', 'import_file']));
      expect(tools.map(({ name }) => name)).not.toContain('save_file');
      const missing = await agent.call('import_file', { file: 'relative.osm' });
      expect([missing.isError, missing.data.code]).toEqual([true, 'invalid_input']);
      const words: string[] = [];
      const onprogress = ({ message }: { message?: string }) => void words.push(String(message));
      const file = join(process.cwd(), 'test/mcp/square.osm');
      const loaded = await agent.call('import_file', { file }, { onprogress });
      expect(loaded.isError, JSON.stringify(loaded.data)).toBe(false);
      expect(words.length).toBeGreaterThan(0);
      const found = await agent.call('search_boundaries', { q: 'Square' });
      expect(found.data.items[0].id).toBe('r1');
      const exported = await agent.call('export_boundary', { id: 'r1', format: 'kml', detail: 'full' });
      expect(await (await fetch(exported.data.url)).text()).toContain('<kml');
    } finally {
      await agent.client.close();
    }
  });

  it('takes in changes of the map, from a file and from a replication folder', async () => {
    const osc = join(folder, 'renamed.osc');
    writeFileSync(osc, renamed('Quadrat', 2));
    const replication = join(folder, 'replication');
    mkdirSync(join(replication, '000/000'), { recursive: true });
    const state = 'sequenceNumber=1\ntimestamp=2024-03-01T00\\:00\\:00Z\n';
    writeFileSync(join(replication, 'state.txt'), state);
    writeFileSync(join(replication, '000/000/001.state.txt'), state);
    writeFileSync(join(replication, '000/000/001.osc.gz'), gzipSync(renamed('Carré', 3)));
    const agent = await start('2026-07-28', ['--toolsets', 'data,boundaries'], {});
    try {
      const { tools } = await agent.client.listTools();
      const tool = tools.find(({ name }) => name === 'follow_replication');
      expect(tool?.annotations).toMatchObject({ readOnlyHint: false, openWorldHint: true });
      const changed = await agent.call('apply_changes', { file: osc });
      expect(changed.data).toMatchObject({ result: { replaced: 1 }, waiting: [], asked: false });
      expect((await agent.call('search_boundaries', { q: 'Quadrat' })).data.items[0].id).toBe('r1');
      const from = pathToFileURL(replication).href;
      const unsaid = await agent.call('follow_replication', { from });
      expect([unsaid.isError, unsaid.data.code]).toEqual([true, 'invalid_input']);
      const words: string[] = [];
      const onprogress = ({ message }: { message?: string }) => void words.push(String(message));
      const followed = await agent.call('follow_replication', { from, sequence: 0 }, { onprogress });
      expect(followed.data.result).toMatchObject({ sequence: 1, latest: 1, changes: [{ replaced: 1 }] });
      expect(words).toContain('change 1 of 1');
      expect((await agent.call('search_boundaries', { q: 'Carré' })).data.items[0].id).toBe('r1');
      const nothing = await agent.call('supply_objects', { file: join(process.cwd(), 'test/mcp/square.osm') });
      expect(nothing.data.result).toMatchObject({ supplied: [], waiting: [] });
    } finally {
      await agent.client.close();
    }
  });

  it('works by way of the server that owns the database, with operator rights', async () => {
    const server = spawn(process.execPath, [MAIN, 'serve'], {
      env: environment({ PORT: '0', LOG_LEVEL: 'silent' }),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => server.once('close', resolve));
    try {
      await new Promise<void>((resolve, reject) => {
        let err = '';
        server.stderr.on('data', (part: Buffer) => {
          err += part.toString();
          if (err.includes('Try:')) resolve();
        });
        server.once('close', () => reject(new Error(err)));
      });
      const agent = await start('2025-11-25', ['--toolsets', 'boundaries,data,feedback'], {});
      try {
        const { tools } = await agent.client.listTools();
        const names = tools.map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining(['union_boundaries', 'import_file', 'set_feedback_status']));
        expect(names).not.toContain('save_file');
        const words: string[] = [];
        const onprogress = ({ message }: { message?: string }) => void words.push(String(message));
        const file = join(process.cwd(), 'test/mcp/square.osm');
        const again = await agent.call('import_file', { file }, { onprogress });
        expect(again.isError, JSON.stringify(again.data)).toBe(false);
        expect(words.length).toBeGreaterThan(0);
        const union = await agent.call('union_boundaries', { include: ['r1'], detail: 'full' });
        expect(union.data.geometry.type).toBe('Polygon');
        const received = await agent.call('get_boundary', { id: 'r999999' });
        expect([received.isError, received.data.code]).toEqual([true, 'not_found']);
        const missing = await agent.call('apply_changes', { file: join(folder, 'nowhere.osc') });
        expect([missing.isError, missing.data.code]).toEqual([true, 'invalid_input']);
      } finally {
        await agent.client.close();
      }
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
  });
});

/** A change that gives the square another name. */
function renamed(name: string, version: number): string {
  const tags = `<tag k="type" v="boundary"/><tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/>`;
  const relation = `<relation id="1" version="${version}"><member type="way" ref="1" role="outer"/>${tags}<tag k="name" v="${name}"/></relation>`;
  return `<osmChange version="0.6"><modify>${relation}</modify></osmChange>`;
}
