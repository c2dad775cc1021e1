import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { ops } from '../../src/ops/index.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type Listening, listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';
import { dataDir } from '../proof/environment.ts';
import { luxembourg } from '../setup/luxembourg.ts';
import { CHECKS } from './ogc_checks.ts';

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

let testServer: BoundaryTestServer;
let listening: Listening;
let root: string;
beforeAll(async () => {
  // Clients follow the links that they are given: the service has to be where it says.
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  testServer = await openBoundaryTestServer({}, { BASE_URL: base }, undefined, dataDir ? luxembourg : undefined);
  await storeBoundaries({ db: testServer.services.db, engine: testServer.engine }, fixtureWorld());
  listening = await listen(createHttpApp(testServer.services, ops).callback(), { host: '127.0.0.1', port }, base);
  root = `${base}/ogc`;
});
afterAll(async () => {
  await listening?.close();
  await testServer?.close();
});

interface Link {
  readonly href: string;
  readonly rel: string;
}

interface Page {
  readonly type: string;
  readonly numberReturned: number;
  readonly links: readonly Link[];
  readonly features: readonly { readonly id: string; readonly properties: Readonly<Record<string, unknown>> }[];
}

async function get<T>(address: string): Promise<T> {
  const reply = await fetch(address);
  expect(reply.status).toBe(200);
  return (await reply.json()) as T;
}

/** All pages of a collection, by their links. */
async function pages(address: string): Promise<Page[]> {
  const all: Page[] = [];
  for (let next: string | undefined = address; next !== undefined; ) {
    const page: Page = await get<Page>(next);
    all.push(page);
    next = page.links.find(({ rel }) => rel === 'next')?.href;
  }
  return all;
}

describe('OGC API - Features', () => {
  it('leads from the landing page to everything there is', async () => {
    const { links } = await get<{ links: Link[] }>(root);
    expect(links.map(({ rel }) => rel)).toEqual([
      'self',
      'alternate',
      'service-desc',
      'service-doc',
      'conformance',
      'data',
    ]);
    for (const { href } of links) expect((await fetch(href)).status).toBe(200);
    const { conformsTo } = await get<{ conformsTo: string[] }>(`${root}/conformance`);
    expect(conformsTo).toContain('http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core');
    const { collections } = await get<{ collections: { id: string; links: Link[] }[] }>(`${root}/collections`);
    expect(collections.length).toBeGreaterThan(2);
    for (const { id, links: own } of collections) {
      expect(await get<{ id: string }>(own.find(({ rel }) => rel === 'self')?.href ?? '')).toMatchObject({ id });
    }
  });

  it('gives every boundary of a level once, page by page', async () => {
    const { count } = only(
      await testServer.services.db.query<{ count: number }>(
        'select count(*)::integer as count from boundary where has_geometry and admin_level = 8',
      ),
    );
    const all = await pages(`${root}/collections/level-8/items?limit=7`);
    const ids = all.flatMap(({ features }) => features.map(({ id }) => id));
    expect(ids.length).toBe(count);
    expect(new Set(ids).size).toBe(count);
    expect(all.every((page) => page.numberReturned === page.features.length)).toBe(true);
    const { features } = defined(all[0]);
    const one = await get<{ id: string; links: Link[] }>(
      `${root}/collections/level-8/items/${defined(features[0]).id}`,
    );
    expect(one).toMatchObject({ id: defined(features[0]).id, properties: { admin_level: 8 } });
    expect(one.links.map(({ rel }) => rel)).toEqual(['self', 'alternate', 'collection']);
  });

  it.each([
    ['an unknown collection', '/collections/level-77', 404],
    ['an unknown feature', '/collections/level-8/items/r1', 404],
    ['an unknown parameter', '/collections/level-8/items?color=red', 400],
    ['a bbox that is none', '/collections/level-8/items?bbox=1,2,3', 400],
    ['a bbox upside down', '/collections/level-8/items?bbox=1,20,3,10', 400],
    ['no features', '/collections/level-8/items?limit=0', 400],
    ['a place to go on that is none', "/collections/level-8/items?after='", 400],
  ])('refuses %s', async (_what, path, status) => {
    expect((await fetch(root + path)).status).toBe(status);
  });
});

describe.runIf(dataDir)('the classes of the conformance page', () => {
  it('are those that are checked here', async () => {
    const { conformsTo } = await get<{ conformsTo: string[] }>(`${root}/conformance`);
    expect(conformsTo.sort()).toEqual(Object.keys(CHECKS).sort());
  });

  it.each(Object.entries(CHECKS))('%s', async (_, check) => check(root));
});

describe.runIf(dataDir)('GDAL', () => {
  const gdal = (program: string, ...args: string[]) => promisify(execFile)(program, args, { maxBuffer: 64e6 });

  it('lists the collections and reads all features of one, across pages and in a box', async () => {
    const { stdout: list } = await gdal('ogrinfo', `OAPIF:${root}`);
    expect(list).toContain('level-8');
    const read = async (level: string, ...more: string[]) => {
      const { stdout } = await gdal('ogr2ogr', '-f', 'GeoJSON', ...more, '/vsistdout/', `OAPIF:${root}`, level);
      return (JSON.parse(stdout) as Page).features;
    };
    const { count } = only(
      await testServer.services.db.query<{ count: number }>(
        'select count(*)::integer as count from boundary where has_geometry and admin_level = 6',
      ),
    );
    expect((await read('level-6')).length).toBe(count);
    const boxed = await read('level-2', '-spat', '6.1', '49.55', '6.2', '49.65');
    expect(boxed.map(({ properties }) => properties.name)).toEqual(['Lëtzebuerg']);
    const lines = await read('lines', '-spat', '6.1', '49.55', '6.2', '49.65');
    expect(lines.length).toBeGreaterThan(10);
    expect(new Set(lines.map(({ properties }) => properties.id)).size).toBe(lines.length);
  });
});
