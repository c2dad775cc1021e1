import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admitBy } from '../../src/app/admission.ts';
import { defined } from '../../src/common/elements.ts';
import { loadQuery } from '../../src/db/query.ts';
import { createLimits } from '../../src/domain/billing/limits.ts';
import { compactRevision } from '../../src/domain/boundaries/revision.ts';
import { ops } from '../../src/ops/index.ts';
import { importFile } from '../../src/sources/import.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { type FixtureBoundary, insertFixtures } from '../domain/fixture_boundaries.ts';
import { dataDir } from '../proof/environment.ts';
import { watchStatements } from '../setup/watched.ts';
import { type BoundaryTestServer, openBoundaryTestServer, type Reply } from './boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, ringsOf } from './fixture_world.ts';

interface Page {
  readonly items: readonly { readonly id: string; readonly name: string }[];
  readonly total: number;
  readonly limit: number;
  readonly next: string | null;
  readonly covers: number | null;
  readonly other_levels: readonly { readonly admin_level: number | null; readonly count: number }[];
  readonly code: string;
  readonly issues: readonly { readonly path: string; readonly code: string }[];
}

/**
 * An island (r1) of two halves of different levels: a county (r10, level 6) of two towns (r101, r102) in the west; in
 * the east three towns (r11, r12, r13, level 8) of their own. A vertex at every degree: neighbors share all of theirs.
 */
const strip = (west: number, east: number) => {
  const longitudes = Array.from({ length: east - west + 1 }, (_, i) => west + i);
  const ring = [...longitudes.map((x) => [x, 0]), ...longitudes.reverse().map((x) => [x, 1]), [west, 0]];
  return ringsOf(ring as [number, number][]);
};
const ISLAND = [
  fixtureBoundary('r1', 'Island', strip(10, 16), { adminLevel: 4, wikidata: 'Q1' }),
  fixtureBoundary('r10', 'West', strip(10, 13), { adminLevel: 6 }),
  fixtureBoundary('r101', 'Äa', strip(10, 12), { adminLevel: 8 }),
  fixtureBoundary('r102', 'Zb', strip(12, 13), { adminLevel: 8 }),
  fixtureBoundary('r11', 'Mc', strip(13, 14), { adminLevel: 8, names: { fr: 'Aaa' } }),
  fixtureBoundary('r12', 'Md', strip(14, 15), { adminLevel: 8 }),
  fixtureBoundary('r13', 'Me', strip(15, 16), { adminLevel: 8 }),
  fixtureBoundary('r2', '1234', strip(13, 14), { type: 'postal_code', adminLevel: null }),
];

const MANY = 2345;
/** A place of many parts, more than a page has; no shapes are needed for a list of them. */
const LARGE: readonly FixtureBoundary[] = [
  { id: 'r5000000', name: 'Large', kind: 'state', adminLevel: 4, areaKm2: 4690, box: [50, 50, 60, 60] },
  ...Array.from({ length: MANY }, (_, i): FixtureBoundary => {
    const name = `Part ${String((i * 7919) % MANY).padStart(4, '0')}`;
    const parents = ['r5000000'];
    return {
      id: `r${5_000_001 + i}`,
      name,
      kind: 'municipality',
      adminLevel: 8,
      parents,
      areaKm2: 1,
      names: { fr: `Z${i}` },
    };
  }),
];

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries(
    { db: server.services.db, engine: server.engine },
    { source: FIXTURE_SOURCE, file: 'made', boundaries: ISLAND },
  );
  await insertFixtures(server.services.db, LARGE);
});
afterAll(() => server?.close());

const page = ({ json }: Reply) => json as unknown as Page;
const list = async (id: string, query = '') => page(await server.get(`/v1/boundaries/${id}/children${query}`));
const ids = ({ items }: Page) => items.map(({ id }) => id);
const touch = (name = 'Mc') => server.services.db.query("update boundary set name = $1 where id = 'r11'", [name]);

describe('a place with children of two levels', () => {
  it('lists the next level, and says what that leaves out', async () => {
    const found = await list('r1');
    expect(ids(found)).toEqual(['r10']);
    expect(found).toMatchObject({ total: 1, limit: 1000, next: null, covers: 0.5 });
    expect(found.other_levels).toEqual([{ admin_level: 8, count: 3 }]);
  });

  it('levels=direct has what tiles it, whatever the level', async () => {
    const found = await list('r1', '?levels=direct');
    expect(ids(found)).toEqual(['r11', 'r12', 'r13', 'r10']);
    expect(found).toMatchObject({ total: 4, covers: 1, other_levels: [] });
  });

  it('levels=all has every descendant, and covers no more than there is', async () => {
    const found = await list('r1', '?levels=all');
    expect(ids(found)).toEqual(['r101', 'r11', 'r12', 'r13', 'r10', 'r102']);
    expect(found).toMatchObject({ total: 6, covers: 1, other_levels: [] });
  });

  it('admin_level=N has those of that level', async () => {
    const found = await list('r1', '?admin_level=8');
    expect(ids(found)).toEqual(['r101', 'r11', 'r12', 'r13', 'r102']);
    expect(found).toMatchObject({ covers: 1, other_levels: [{ admin_level: 6, count: 1 }] });
    const none = await list('r1', '?admin_level=7');
    expect(none).toMatchObject({ items: [], total: 0, covers: 0, next: null });
    expect(none.other_levels).toEqual([
      { admin_level: 6, count: 1 },
      { admin_level: 8, count: 3 },
    ]);
  });

  it('a page of a list tells of the whole list', async () => {
    const found = await list('r1', '?levels=direct&limit=1');
    expect(found).toMatchObject({ total: 4, limit: 1, covers: 1, next: expect.any(String) });
    expect(ids(found)).toEqual(['r11']);
  });

  it('both levels and admin_level are refused, and values that are none', async () => {
    for (const [query, path] of [
      ['?levels=all&admin_level=8', 'levels'],
      ['?levels=next', 'levels'],
      ['?limit=1001', 'limit'],
      ['?limit=0', 'limit'],
      ['?cursor=abc', 'cursor'],
      ['?cursor=', 'cursor'],
    ]) {
      // Whatever is wrong with the input is said before the id is read.
      for (const id of ['r1', 'r0']) {
        const found = await list(id, query);
        expect([found.code, found.issues.map((issue) => issue.path)], query).toEqual(['invalid_input', [path]]);
      }
    }
  });

  it('a leaf has none, a postcode area no_children; what has no area of its own covers nothing known', async () => {
    expect(await list('r13')).toEqual({ items: [], total: 0, limit: 1000, next: null, covers: 0, other_levels: [] });
    expect((await list('r2', '?levels=direct')).code).toBe('no_children');
  });

  it('a Feature with include=children says the same', async () => {
    const { json } = await server.get('/v1/boundaries/r1?include=children');
    const { items, ...rest } = await list('r1');
    expect([json.properties.children, json.properties.children_page]).toEqual([items, rest]);
  });

  it('is in the order of local names in every language', async () => {
    const [local, french] = [await list('r1', '?levels=direct'), await list('r1', '?levels=direct&lang=fr')];
    expect(ids(french)).toEqual(ids(local));
    expect(defined(french.items[0]).name).toBe('Aaa');
  });
});

describe('pages', () => {
  const whole = async (more = ''): Promise<Page[]> => {
    const pages = [await list('r5000000', `?x${more}`.replace('?x&', '?').replace('?x', ''))];
    for (let { next } = defined(pages[0]); next !== null; next = (pages.at(-1) as Page).next) {
      pages.push(await list('r5000000', `?cursor=${next}${more}`));
    }
    return pages;
  };

  it('have a thousand items at most, and all of them together each boundary once, by name', async () => {
    const pages = await whole();
    expect(pages.map(({ items }) => items.length)).toEqual([1000, 1000, 345]);
    expect(new Set(pages.map(({ total, covers, limit }) => `${total} ${covers} ${limit}`))).toEqual(
      new Set([`${MANY} 0.5 1000`]),
    );
    const names = pages.flatMap(({ items }) => items.map(({ name }) => name));
    expect(names).toEqual([...names].sort());
    expect(new Set(pages.flatMap(ids)).size).toBe(MANY);
  });

  it('may change their size and language on the way', async () => {
    const all = (await whole()).flatMap(ids);
    const small = await list('r5000000', '?limit=7');
    const rest = await list('r5000000', `?limit=995&lang=fr&cursor=${small.next}`);
    expect([...ids(small), ...ids(rest)]).toEqual(all.slice(0, 1002));
    const last = await list('r5000000', `?limit=1000&cursor=${rest.next}`);
    expect(ids(last)).toEqual(all.slice(1002, 2002));
  });

  it('a cursor is of one list', async () => {
    const { next } = await list('r5000000', '?limit=7');
    for (const path of [`r1/children?cursor=${next}`, `r5000000/children?levels=all&cursor=${next}`]) {
      const found = page(await server.get(`/v1/boundaries/${path}`));
      expect([found.code, found.issues[0]]).toEqual(['invalid_input', expect.objectContaining({ path: 'cursor' })]);
    }
    const forged = Buffer.from(
      Buffer.from(next as string, 'base64url')
        .toString()
        .replace('.7.', '.2345.'),
    );
    expect((await list('r5000000', `?cursor=${forged.toString('base64url')}`)).code).toBe('invalid_input');
  });

  it('a cursor is good until the boundaries change, and then says to start again', async () => {
    const { next } = await list('r5000000', '?limit=7');
    await compactRevision(server.services.db);
    expect((await list('r5000000', `?cursor=${next}`)).items).toHaveLength(1000);
    await touch();
    const reply = await server.get(`/v1/boundaries/r5000000/children?cursor=${next}`);
    expect([reply.status, page(reply).code, reply.json.detail]).toEqual([
      400,
      'invalid_input',
      expect.stringContaining('start again'),
    ]);
  });
});

describe('work', () => {
  it('an answer is kept as bytes until the data changes, and made once for all who ask at once', async () => {
    await touch();
    const { tiers } = server.services.cache;
    const before = { lists: tiers.lists.misses, outlines: tiers.outlines.misses };
    const ask = () => server.get('/v1/boundaries/r5000000/children');
    const statements: string[] = [];
    const end = watchStatements(server.services.db, (sql) => statements.push(sql));
    try {
      const replies = await Promise.all(Array.from({ length: 50 }, ask));
      expect(new Set(replies.map(({ headers }) => headers.etag)).size).toBe(1);
      expect(statements.filter((sql) => sql.includes('string_agg(id'))).toHaveLength(1);
      // One of the id of the list, one more for who asks while that runs, one of the items of the page: the others are
      // answered with the bytes of the first.
      expect(statements.filter((sql) => sql === loadQuery('boundary_resolve')).length).toBeLessThanOrEqual(3);
      statements.length = 0;
      const again = await ask();
      expect(again.bytes.equals(defined(replies[0]).bytes)).toBe(true);
      expect(statements.filter((sql) => sql !== loadQuery('data_revision'))).toEqual([]);
      const same = await server.ask('GET', '/v1/boundaries/r5000000/children', {
        headers: { 'If-None-Match': again.headers.etag as string },
      });
      expect([same.status, same.bytes.length]).toEqual([304, 0]);
    } finally {
      end();
    }
    await touch('Mc2');
    expect(defined((await list('r1', '?levels=direct')).items[0]).name).toBe('Mc2');
    expect(tiers.lists.misses - before.lists).toBeGreaterThan(0);
    await touch();
  });

  it('a change that commits while a page is made is not mixed into it', async () => {
    const { db } = server.services;
    const query = db.query.bind(db);
    let pages = 0;
    Object.assign(db, {
      query: async (sql: string, values: readonly unknown[] = [], ...rest: [object?]) => {
        const isPage = sql === loadQuery('boundary_resolve') && (values[0] as string[]).length === 2;
        if (isPage && pages++ === 0) await touch('Changed');
        return query(sql, values, ...rest);
      },
    });
    try {
      expect((await list('r1', '?levels=direct&limit=2')).items.map(({ name }) => name)).toEqual(['Changed', 'Md']);
      expect(pages).toBe(2);
    } finally {
      Object.assign(db, { query });
      await touch();
    }
  });

  it('a large page counts as several requests of a network, a small one as one, and a key is not weighed', async () => {
    const { db } = server.services;
    await db.query("update plan set requests_per_minute = 25 where id like 'anonymous%'");
    const time = 1_000 * 60_000 + 1;
    const limits = createLimits(db, { shared: false, now: () => time });
    const services = { ...server.services, admit: admitBy(limits) };
    const listening = await listen(
      createHttpApp(services, ops).callback(),
      { host: '127.0.0.1', port: 0 },
      services.config.BASE_URL,
    );
    try {
      const ask = async (path: string, headers: Record<string, string> = {}) => {
        const reply = await fetch(`${listening.address}/v1/boundaries/${path}`, { headers });
        return [reply.status, Number(reply.headers.get('ratelimit-remaining')), (await reply.text()).length > 1000];
      };
      expect(await ask('r13/children')).toEqual([200, 24, false]);
      expect(await ask('r5000000/children')).toEqual([200, 14, true]);
      expect(await ask('r5000000/children?limit=101')).toEqual([200, 12, true]);
      expect(await ask('r1?include=children')).toEqual([200, 11, true]);
      expect(await ask('r5000000/children')).toEqual([200, 1, true]);
      expect(await ask('r5000000/children')).toEqual([429, 0, false]);
      const { key } = await server.key('free');
      expect((await ask('r5000000/children', { Authorization: `Bearer ${key}` })).slice(0, 2)).toEqual([200, 119]);
    } finally {
      await listening.close();
      await db.query("update plan set requests_per_minute = 60 where id like 'anonymous%'");
    }
  });
});

describe.skipIf(!dataDir)('real data (needs REAL_DATA_DIR)', () => {
  it('the cantons of Luxembourg and its communes, the communes of Liechtenstein: nothing is left out', async () => {
    const services = { db: server.services.db, engine: server.engine };
    for (const file of ['luxembourg-2018-boundaries.boundaries.osm.pbf', 'liechtenstein-2024.boundaries.osm.pbf']) {
      await importFile(services, join(dataDir as string, 'osm', file), null);
    }
    const cantons = await list('iso:LU');
    // The twelve, and the rivers that it shares with Germany.
    expect(cantons).toMatchObject({ total: 13, covers: 1, next: null });
    expect(cantons.other_levels).toEqual([]);
    const direct = await list('iso:LU', '?levels=direct');
    expect([ids(direct), direct.covers]).toEqual([ids(cantons), 1]);
    const communes = await list('iso:LU', '?admin_level=8');
    // The shared rivers belong to no commune.
    expect([communes.covers, communes.other_levels]).toEqual([
      expect.closeTo(0.9973, 3),
      [{ admin_level: 6, count: 13 }],
    ]);
    const of = await Promise.all(cantons.items.map(({ id }) => list(id, '?levels=direct')));
    expect(of.flatMap(ids).length).toBeGreaterThanOrEqual(communes.total);
    expect(await list('iso:LI')).toMatchObject({ total: 2, covers: 1, other_levels: [] });
    expect(await list('iso:LI', '?admin_level=8')).toMatchObject({ total: 11, covers: 1 });
    const named = await server.get('/v1/boundaries/iso:LU/children?lang=de&names=fr,de');
    expect(page(named).items[0]).toMatchObject({ local_name: expect.any(String), names: expect.any(Object) });
  }, 120_000);
});
