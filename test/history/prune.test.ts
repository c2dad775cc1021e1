import { expect, it } from 'vitest';
import { keepEditions, keptEditions, pruneEditions } from '../../src/sources/prune.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { type MadeArea, rowOf, storeMade } from './made_editions.ts';
import { editionRows } from './stored_editions.ts';

const area = (id: string, name: string, from: number, to: number, level = 8): MadeArea => ({
  id,
  name,
  level,
  cells: rowOf(0, from, to),
});
const cantons = (at: number) => [area('K', 'Kanem', 0, at, 4), area('L', 'Lac', at, 8, 4)];
const three = (a: number, b: number) => [area('A', 'Abeche', 0, a), area('B', 'Bol', a, b), area('C', 'Chari', b, 8)];

/** Editions of two layers; that of 2015 has no cantons, so that those of 2010 last until 2020. */
const EDITIONS: Readonly<Record<string, readonly MadeArea[]>> = {
  '2005-01-01': [...cantons(4), ...three(2, 4)],
  '2010-01-01': [...cantons(4), ...three(2, 5)],
  '2015-01-01': three(3, 5),
  '2020-01-01': [...cantons(5), ...three(3, 5)],
};
/** What is left of them since 2016: of 2010 only its cantons. */
const SINCE_2016 = { ...EDITIONS, '2005-01-01': [], '2010-01-01': cantons(4) };

const ORPHANS = {
  states:
    'select count(*) from edition_boundary b where not exists (select from edition_member m where m.state = b.state)',
  shapes: 'select count(*) from edition_shape s where not exists (select from edition_boundary b where b.shape = s.id)',
  arcs: `select count(*) from edition_arc a where not exists (select from edition_reach r where r.arc = a.id)
           and not exists (select from edition_shape s where s.arc_ids @> array[a.id])`,
  reaches: `select count(*) from edition_reach r where not exists (
              select from edition_member m join edition_boundary b on b.state = m.state
              where m.edition = r.edition and b.arc_ids @> array[r.arc])`,
  missing: `select count(*) from edition_shape s cross join unnest(s.arc_ids) r (id)
            where not exists (select from edition_arc a where a.id = r.id)`,
  conflicts:
    'select count(*) from edition_conflict c where not exists (select from edition_arc a where a.id in (c.a, c.b))',
  intervals:
    'select count(*) from edition_interval i where not exists (select from edition_member m where m.state = i.state)',
  editions: 'select count(*) from edition e where not exists (select from edition_layer l where l.edition = e.id)',
};

async function expectNoOrphans({ services }: BoundaryTestServer): Promise<void> {
  for (const [what, sql] of Object.entries(ORPHANS)) {
    const [row] = await services.db.query<{ count: string }>(sql);
    expect(Number(row?.count), what).toBe(0);
  }
}

async function storeAll(server: BoundaryTestServer, editions: Readonly<Record<string, readonly MadeArea[]>>) {
  for (const [date, areas] of Object.entries(editions)) if (areas.length > 0) await storeMade(server, date, areas);
}

/** What is said of each boundary as of a date, without the day on which that began. */
async function answersAt(server: BoundaryTestServer, key: string, date: string): Promise<string[]> {
  const answers: string[] = [];
  for (const name of ['Abeche', 'Bol', 'Chari', 'Kanem', 'Lac']) {
    const { json } = await server.get(`/v1/boundaries/search?q=${name}&as_of=${date}`, key);
    const { id } = json.items[0] ?? {};
    if (id === undefined) continue;
    for (const path of [
      `${id}?detail=full&as_of=${date}`,
      `${id}/children?as_of=${date}`,
      `${id}/neighbors?as_of=${date}`,
    ]) {
      const { text } = await server.get(`/v1/boundaries/${path}`, key);
      answers.push(text.replaceAll(/"valid_from":"[^"]*"/g, '').replaceAll(/"version":"?\d+"?/g, ''));
    }
  }
  return answers;
}

it('leaves what a store has that never had the removed editions, and reports it first', {
  timeout: 240_000,
}, async () => {
  let left: Record<string, string[]>;
  const server = await openBoundaryTestServer();
  try {
    const { db } = server.services;
    const { key } = await server.key();
    await storeAll(server, EDITIONS);
    const whole = await editionRows(db);
    expect(await keptEditions(db)).toEqual({ all: true });
    expect(await pruneEditions(db, true)).toMatchObject({ layers: [], editions: 0, states: 0, arcs: 0 });

    expect(await keepEditions(db, { since: '2016-01-01' })).toEqual({ since: '2016-01-01' });
    const kept = ['2016-01-01', '2019-12-31', '2020-01-01', '2025-01-01'];
    const before = await Promise.all(kept.map((date) => answersAt(server, key, date)));
    expect(before.map((list) => list.length)).toEqual([15, 15, 15, 15]);
    const report = await pruneEditions(db, false);
    expect(report.layers.map((one) => `${one.valid_from} ${one.admin_level} ${one.boundaries}`)).toEqual([
      '2005-01-01 4 2',
      '2005-01-01 8 3',
      '2010-01-01 8 3',
    ]);
    // Abeche of 2005 and 2010 and Bol and Chari of each of these; the cantons of 2005 are those of 2010.
    expect(report).toMatchObject({ applied: false, editions: 1 });
    expect(report.bytes).toBeGreaterThan(1_000);
    expect(await editionRows(db)).toEqual(whole);
    await expectNoOrphans(server);

    expect(await pruneEditions(db, true)).toEqual({ ...report, applied: true });
    await expectNoOrphans(server);
    left = await editionRows(db);
    expect((whole.edition_shape?.length ?? 0) - (left.edition_shape?.length ?? 0)).toBe(report.shapes);
    expect((whole.edition_arc?.length ?? 0) - (left.edition_arc?.length ?? 0)).toBe(report.arcs);
    expect(await Promise.all(kept.map((date) => answersAt(server, key, date)))).toEqual(before);
    // What counted in 2012 was removed in part: neither that nor less is an answer.
    const { json } = await server.get('/v1/boundaries/search?q=Abeche&as_of=2012-01-01', key);
    expect(json.detail).toContain('the edition of made of 2010-01-01 was pruned; ask as of 2015-01-01 or later');
    const { id } = (await server.get('/v1/boundaries/search?q=Abeche&as_of=2016-01-01', key)).json.items[0] ?? {};
    const versions = (await server.get(`/v1/boundaries/${id}/versions`, key)).json as unknown as { pruned: string[] };
    expect(versions.pruned).toEqual(['2005-01-01', '2010-01-01']);
    expect(await pruneEditions(db, true)).toMatchObject({ layers: [], editions: 0, states: 0 });
    // An edition that was removed can be stored again.
    await storeMade(server, '2005-01-01', EDITIONS['2005-01-01'] ?? []);
    expect(await answersAt(server, key, '2006-01-01')).toHaveLength(15);
  } finally {
    await server.close();
  }
  const other = await openBoundaryTestServer();
  try {
    await storeAll(other, SINCE_2016);
    const fresh = await editionRows(other.services.db);
    // The municipalities of 2010 had cut the borders of its cantons, whose arcs are kept as they are.
    for (const table of ['edition_layer', 'edition_member', 'edition_interval', 'edition_name', 'edition_parent']) {
      expect(left[table], table).toEqual(fresh[table]);
    }
  } finally {
    await other.close();
  }
});

it('never answers with an older state than that which was pruned', { timeout: 240_000 }, async () => {
  const server = await openBoundaryTestServer();
  try {
    const { db } = server.services;
    const { key } = await server.key();
    const ask = (path: string, moment?: string) =>
      server.ask('GET', path, { key, headers: moment === undefined ? {} : { 'Boundary-Data': moment } });
    // Stored without a date in 2008, ended by an edition of 2010, which is then pruned.
    await storeAll(server, EDITIONS);
    await storeMade(server, null, three(2, 4));
    await db.query("update boundary set imported_at = '2008-01-01'");
    const [{ id = '' } = {}] = await db.query<{ id: string }>("select id from boundary where name = 'Bol'");
    const paths = [
      `/v1/boundaries/search?q=Bol&as_of=2012-01-01`,
      `/v1/boundaries/${id}?as_of=2012-01-01`,
      `/v1/boundaries/${id}@2012-01-01`,
      `/v1/boundaries/reverse?lat=10.05&lon=20.35&as_of=2012-01-01`,
      '/v1/changes?from=2012-01-01&to=2020-01-01&source=made',
      '/tiles/boundaries/3/4/3.mvt?as_of=2012-01-01',
    ];
    const before = await Promise.all(paths.map((path) => ask(path)));
    expect(before.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const moment = before[0]?.headers['boundary-data'] as string;
    const versions = await ask(`/v1/boundaries/${id}/versions`);
    await keepEditions(db, { editions: 1 });
    await pruneEditions(db, true);
    for (const path of paths) {
      const { status, text } = await ask(path);
      expect([status, text.includes('was pruned')], path).toEqual([400, true]);
      if (path.startsWith('/tiles')) continue;
      const pinned = await ask(path, moment);
      expect([pinned.status, pinned.text.includes('was pruned')], path).toEqual([400, true]);
    }
    // The state of 2008 has ended, though nothing is left of what ended it.
    const left = (await ask(`/v1/boundaries/${id}/versions`)).json.items as unknown as { valid_to: string | null }[];
    expect(left[0]?.valid_to).toBe('2010-01-01');
    expect((await ask(`/v1/boundaries/${id}/versions`, moment)).json.code).toBe('invalid_input');
    expect((await ask(`/v1/boundaries/${id}?as_of=2021-01-01`)).status).toBe(200);
    // What is imported again answers again, but not for the moment before.
    for (const date of ['2005-01-01', '2010-01-01', '2015-01-01']) await storeMade(server, date, EDITIONS[date] ?? []);
    for (const path of paths) expect((await ask(path)).status, path).toBe(200);
    expect((await ask(paths[1] as string)).text.replaceAll(/"version":"?\d+"?/g, '')).toBe(
      before[1]?.text.replaceAll(/"version":"?\d+"?/g, ''),
    );
    expect((await ask(`/v1/boundaries/${id}/versions`)).json.items).toHaveLength(versions.json.items.length);
    expect((await ask(paths[1] as string, moment)).text).toContain('was pruned');
  } finally {
    await server.close();
  }
});

it('keeps the last editions of each layer, or none', { timeout: 240_000 }, async () => {
  const server = await openBoundaryTestServer();
  try {
    const { db } = server.services;
    await storeAll(server, EDITIONS);
    await keepEditions(db, { editions: 2 });
    const { layers } = await pruneEditions(db, true);
    expect(layers.map((one) => `${one.valid_from} ${one.admin_level}`)).toEqual([
      '2005-01-01 4',
      '2005-01-01 8',
      '2010-01-01 8',
    ]);
    await expectNoOrphans(server);
    await keepEditions(db, { editions: 0 });
    expect(await pruneEditions(db, true)).toMatchObject({ editions: 3 });
    await expectNoOrphans(server);
    const rows = await editionRows(db);
    for (const [table, list] of Object.entries(rows)) expect(list, table).toEqual([]);
    await keepEditions(db, { all: true });
    expect(await keptEditions(db)).toEqual({ all: true });
  } finally {
    await server.close();
  }
});
