import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { createFreshness } from '../../src/domain/boundaries/freshness.ts';
import { importFile } from '../../src/sources/import.ts';
import { replicate } from '../../src/sources/update/replication.ts';
import { openEnvironment, type ProofEnvironment } from '../proof/environment.ts';
import { boundariesOf, differences, openFolder, stateOf } from './change_files.ts';

const square = (moved = 0, version = 1) => `
  <node id="1" version="1" lat="47" lon="9"/><node id="2" version="1" lat="47" lon="9.1"/>
  <node id="3" version="${version}" lat="47.1" lon="${9.1 + moved}"/><node id="4" version="1" lat="47.1" lon="9"/>`;
const MAP = `<osm version="0.6">${square()}
  <way id="1" version="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="1"/></way>
  <relation id="1" version="1"><member type="way" ref="1" role="outer"/><tag k="type" v="boundary"/>
    <tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Aa"/></relation></osm>`;
const move = (n: number) =>
  `<modify><node id="3" version="${n + 1}" lat="47.1" lon="${(9.1 + n / 1000).toFixed(4)}"/></modify>`;

const folder = openFolder();
const root = join(folder.folder, 'replication');
const nameOf = (n: number) => `000/000/00${n}`;
const put = (name: string, bytes: string | Uint8Array) => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), bytes);
};
const putState = (name: string, n: number) =>
  put(name, `#made\nsequenceNumber=${n}\ntimestamp=2024-03-0${n}T00\\:00\\:00Z\n`);
/** Puts change n into the folder, which then says that it is at it. */
function publish(n: number): void {
  put(`${nameOf(n)}.osc.gz`, readFileSync(folder.write(move(n), { packed: true })));
  putState(`${nameOf(n)}.state.txt`, n);
  putState('state.txt', n);
}

let testServer: ProofEnvironment;
/** What a request gets before the files of the folder. */
let misbehave: RequestListener | null = null;
const server = createServer((request, response) => {
  if (misbehave) return misbehave(request, response);
  try {
    response.end(readFileSync(join(root, request.url ?? '')));
  } catch {
    response.writeHead(404).end('not found');
  }
});
let http = '';

beforeAll(async () => {
  testServer = await openEnvironment();
  const path = join(folder.folder, 'map.osm');
  writeFileSync(path, MAP);
  await importFile({ db: testServer.test.db, engine: testServer.engine }, path, null);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  http = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}, 60_000);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await testServer?.close();
  folder.remove();
});

const run = (options: { from?: string; sequence?: number; most?: number } = {}) =>
  replicate({ db: testServer.test.db, engine: testServer.engine }, { from: http, timeoutMs: 500, ...options });
const lonOf = async () => {
  const { x } = only(await testServer.test.db.query<{ x: number }>('select st_xmax(geom) as x from boundary_shape'));
  return x;
};

describe('a replication folder', { timeout: 60_000 }, () => {
  it('needs to know where to begin, once', async () => {
    publish(1);
    publish(2);
    await expect(run()).rejects.toThrow('--sequence');
    const { changes, sequence, latest } = await run({ sequence: 0 });
    expect(changes.map(({ sequence: n }) => n)).toEqual([1, 2]);
    expect([sequence, latest, await lonOf()]).toEqual([2, 2, 9.102]);
    expect((await run()).changes).toEqual([]);
    const { sources, updates } = await createFreshness(testServer.test.db).status();
    expect(updates).toMatchObject([{ address: http, sequence: 2, data_at: '2024-03-02T00:00:00.000Z' }]);
    expect(defined(sources[0]).data_at).toBe('2024-03-02T00:00:00.000Z');
  });

  it('is taken in a part at a time', async () => {
    publish(3);
    publish(4);
    expect(await run({ most: 1 })).toMatchObject({ sequence: 3, latest: 4 });
    expect(await run({ most: 5 })).toMatchObject({ sequence: 4, latest: 4 });
  });

  it('with a gap stops before it and says so', async () => {
    publish(5);
    publish(7);
    await expect(run()).rejects.toThrow(/change 6 is missing: .*000\/000\/006\.osc\.gz was not found/);
    expect(await lonOf()).toBe(9.105);
    publish(6);
    putState('state.txt', 7);
    expect(await run()).toMatchObject({ sequence: 7 });
  });

  it.each([
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length - 20)],
    ['damaged', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 40), Buffer.alloc(30, 7), bytes.subarray(70)])],
    ['a web page', () => Buffer.from('<html><body>busy</body></html>')],
    ['empty', () => Buffer.alloc(0)],
  ])('with a change that is %s takes in nothing of it', async (_what, broken) => {
    const before = await stateOf(testServer.test.db);
    publish(8);
    const name = `${nameOf(8)}.osc.gz`;
    put(name, broken(readFileSync(join(root, name))));
    await expect(run()).rejects.toThrow('8.osc.gz');
    expect(await stateOf(testServer.test.db)).toEqual(before);
    const { updates } = await createFreshness(testServer.test.db).status();
    expect(defined(updates[0]).sequence).toBe(7);
  });

  it.each<[string, RequestListener, RegExp]>([
    ['is down for a moment', (_request, response) => response.writeHead(503).end(), /it answers 503/],
    [
      'ends in the middle',
      (_request, response) => {
        response.writeHead(200, { 'Content-Length': 1000 }).write('sequ');
        setTimeout(() => response.destroy(), 20);
      },
      /state\.txt: /,
    ],
    [
      'never goes on',
      (_request, response) => void response.writeHead(200).write('sequenceNumber'),
      /no answer for 500 ms/,
    ],
    ['is something else', (_request, response) => void response.end('<html>'), /no sequenceNumber/],
  ])('whose server %s is an error, and goes on afterwards', async (_how, listener, message) => {
    publish(8);
    const before = await boundariesOf(testServer.test.db);
    misbehave = listener;
    await expect(run()).rejects.toThrow(message);
    misbehave = null;
    expect(differences(before, await boundariesOf(testServer.test.db))).toEqual([]);
  });

  it('by a file: address has its own sequence, and one that was set back is refused', async () => {
    const from = pathToFileURL(root).href;
    expect(await run({ from, sequence: 7 })).toMatchObject({ sequence: 8, latest: 8 });
    putState('state.txt', 6);
    await expect(run({ from })).rejects.toThrow('the folder was reset');
    await expect(run({ from: 'ftp://example.org/' })).rejects.toThrow('file:, http: or https:');
  });
});
