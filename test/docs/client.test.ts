import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { packageRoot } from '../../src/common/package_root.ts';
import type { BoundaryTestServer } from '../ops/boundary_test_server.ts';
import { openExampleServer } from './example_fixture.ts';

const run = promisify(execFile);

/** What a program in TypeScript does with the client: each call, and what its types promise of the answers. */
const PROGRAM = `
import * as api from './client.js';
import * as rpc from './rpc.js';

api.defaults.baseUrl = process.env.SERVICE ?? '';
rpc.defaults.baseUrl = api.defaults.baseUrl;
api.defaults.headers = rpc.defaults.headers = { Authorization: 'Bearer ' + process.env.KEY };

/** The body of a success; the compiler knows which statuses an operation has. */
type Good<T> = Extract<T, { status: 200 | 201; data: unknown }>;
function good<T extends { status: number }>(reply: T): Good<T>['data'] {
  if (reply.status !== 200 && reply.status !== 201) throw new Error(JSON.stringify(reply));
  return (reply as Good<T>).data;
}

const search = await api.searchBoundaries('Sevilla', { country: 'ES', limit: 3 });
if (search.status !== 200) throw new Error(search.status === 304 ? 'not modified' : search.data.detail);
const [found] = search.data.items;
const id: string = found.id;
const level: number | null = found.admin_level;

const children = await api.listChildren('iso:ES-AN');
const boundary = await api.getBoundary(id, { detail: 'low' });
if (boundary.status !== 200) throw new Error('no boundary');
const area: number | null = boundary.data.properties.area_km2;
const union = await api.unionBoundaries({ include: ['iso:ES-SE', 'iso:ES-CO'], detail: 'low' });
if (union.status !== 200 || !('properties' in union.data)) throw new Error('no feature');
const reverse = await api.reverseBoundaries(37.39, -5.99);
const pricing = good(await api.getPricing());
const account = good(await api.getAccount());
const key = await api.createApiKey({ name: 'from a client' });
if (key.status !== 201) throw new Error('no key');
const revoked = await api.revokeApiKey(key.data.id);
const asked = await api.requestFeature({ title: 'A client for everything' });
const board = await api.listFeedback({ sort: 'new' });
const byName = await rpc.rpcExportBoundary({ id, format: 'svg', detail: 'low' });
if (byName.status !== 200) throw new Error('no export');

const missing = await api.getBoundary('r404', { detail: 'low' });
let problem = '';
if (missing.status === 404 && missing.data.code === 'not_found') problem = missing.data.code;
const wrong = await api.searchBoundaries('Sevilla', { limit: 100 });
let path = '';
if (wrong.status === 400 && wrong.data.code === 'invalid_input') path = wrong.data.issues[0].path;

console.log(JSON.stringify({
  id, level, area, merged: union.data.properties.area_km2,
  children: children.status === 200 && children.data.items.length,
  reverse: reverse.status === 200 && reverse.data.items.map((one) => one.name),
  plans: pricing.plans.length, email: account.email,
  revoked: revoked.status, asked: asked.status, board: board.status === 200 && board.data.total,
  url: byName.data.url, problem, path,
}));
`;

let server: BoundaryTestServer;
let folder: string;
beforeAll(async () => {
  server = await openExampleServer();
  const cache = join(packageRoot(), '.test-cache');
  await mkdir(cache, { recursive: true });
  // Inside the repository, so that the client finds its runtime.
  folder = await mkdtemp(join(cache, 'client-'));
});
afterAll(async () => {
  await server?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const tool = (name: string, file: string, ...args: string[]) =>
  run(process.execPath, [join(packageRoot(), 'node_modules', name, file), ...args], { cwd: folder });

test('a client that a public generator makes of openapi.json compiles and calls the service', async () => {
  for (const [document, client] of [
    ['openapi.json', 'client.ts'],
    ['openapi-rpc.json', 'rpc.ts'],
  ]) {
    const { bytes } = await server.get(`/${document}`);
    await writeFile(join(folder, defined(document)), bytes);
    await tool('oazapfts', 'dist/cli.js', defined(document), defined(client));
  }
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    strict: true,
    types: ['node'],
    outDir: 'out',
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const compiled = await tool('typescript', 'bin/tsc', '-p', '.').catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe('');
  const { key } = await server.key();
  const { stdout } = await run(process.execPath, [join(folder, 'out', 'program.js')], {
    cwd: folder,
    env: { ...process.env, SERVICE: server.address, KEY: key },
  });
  const printed = JSON.parse(stdout);
  expect(printed).toMatchObject({
    id: 'r9000000003264',
    level: 6,
    children: 2,
    reverse: ['Spain', 'Andalucía', 'Sevilla'],
    email: expect.stringContaining('@example.org'),
    revoked: 200,
    asked: 201,
    board: 1,
    problem: 'not_found',
    path: 'limit',
  });
  expect(printed.merged).toBeGreaterThan(printed.area);
  expect(printed.plans).toBeGreaterThan(1);
  expect(printed.url).toMatch(/\/v1\/exports\/[0-9a-f]{64}\.svg$/);
});
