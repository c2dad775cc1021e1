import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store.ts';
import { ANSWER_BYTES } from '../../src/transports/mcp_answer.ts';
import { type BoundaryHouse, openBoundaryHouse } from '../ops/boundary_house.ts';
import { madeWorld } from '../ops/made_world.ts';
import { type Agent, agentOf, ERAS, type Era, newClient } from './client.ts';
import { largeWorld } from './large_world.ts';

const folder = mkdtempSync(join(tmpdir(), 'boundary-mcp-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COMMAND = ['--import', 'tsx', 'src/main.ts', 'mcp'];
const environment = (more: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  NODE_ENV: 'test',
  XDG_CONFIG_HOME: join(folder, 'config'),
  DATA_DIR: join(folder, 'data'),
  ...more,
});

async function start(era: Era, words: readonly string[], more: Record<string, string>): Promise<Agent> {
  const client = newClient(era);
  const transport = { command: process.execPath, args: [...COMMAND, ...words], env: environment(more) };
  await client.connect(new StdioClientTransport({ ...transport, stderr: 'ignore' }), { timeout: 170_000 });
  return agentOf(client);
}

let house: BoundaryHouse;
beforeAll(async () => {
  house = await openBoundaryHouse();
  await storeBoundaries({ db: house.services.db, engine: house.engine }, madeWorld());
  await storeBoundaries({ db: house.services.db, engine: house.engine }, largeWorld());
});
afterAll(() => house?.close());

describe.each(ERAS)('boundary mcp, %s, for a server', (era) => {
  let key: string;
  let agent: Agent;
  beforeAll(async () => {
    ({ key } = await house.key());
    agent = await start(era, [], { BOUNDARY_BASE_URL: house.address, BOUNDARY_API_KEY: key });
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
    expect(await house.used(key)).toBe(3);
  });

  it('tells failures and progress of that server', async () => {
    const told = await agent.call('get_boundary', { id: 'r999999' });
    expect([told.isError, told.data.code]).toEqual([true, 'not_found']);
    await expect(agent.client.callTool({ name: 'nonsense', arguments: {} })).rejects.toThrow(/Unknown tool/);
    const words: string[] = [];
    const onprogress = ({ message }: { message?: string }) => void words.push(String(message));
    await agent.call('union_boundaries', { include: ['r112', 'r113'], detail: 'high' }, { onprogress });
    expect(words[0]).toBe('2 boundaries to merge');
  });
});

describe('boundary mcp without a server', () => {
  beforeAll(() => mkdirSync(environment({}).DATA_DIR));

  it('writes nothing but the protocol to standard output, and ends with its input', async () => {
    const child = spawn(process.execPath, COMMAND, { env: environment({}) });
    let out = '';
    child.stdout.on('data', (part: Buffer) => {
      out += part.toString();
      if (out.includes('"id":2')) child.stdin.end();
    });
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    const clientInfo = { name: 'raw', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    for (const message of [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
    ]) {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    }
    expect(await closed).toBe(0);
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
});
