import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type MadeArea, rowOf, storeMade } from '../history/made_editions.ts';
import { builtScript } from '../setup/built.ts';
import { isNative } from '../setup/database.ts';
import { type BoundaryTestServer, openBoundaryTestServer, type Reply } from './boundary_test_server.ts';
import { fixtureWorld } from './fixture_world.ts';

interface Told {
  readonly type: string;
  readonly subscription: { readonly id: string };
  readonly change: { readonly id: string; readonly source: string | null; readonly valid_from: string | null };
  readonly total: number;
  readonly more: number;
  readonly events: readonly { readonly id: string; readonly types: readonly string[]; readonly name_before?: string }[];
  readonly changes: readonly { readonly type: string; readonly name: string }[];
  readonly url: string;
}

const ANNOUNCER = await builtScript('test/ops/announcer.ts');

let server: BoundaryTestServer;
let key: string;
let org: string;
const calls: { readonly body: string; readonly signature: string }[] = [];
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    calls.push({ body: Buffer.concat(parts).toString(), signature: String(request.headers['boundary-signature']) });
    response.end();
  });
});
let hook: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  server = await openBoundaryTestServer({}, { WEBHOOK_ALLOW: '127.0.0.1' });
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
}, 120_000);
afterAll(async () => {
  receiver.close();
  await server?.close();
});
beforeEach(async () => {
  await server.services.db.query('delete from change_subscription');
  await server.services.db.query('delete from outbox');
  await announce();
  calls.length = 0;
  ({ key, org } = await server.key('pro'));
});

const announce = () => server.services.subscriptions.announce(new AbortController().signal);
const code = ({ status, json }: Reply) => [status, json.code ?? null];
const subscribe = (json: object, by = key) => server.ask('POST', '/v1/subscriptions', { json, key: by });
async function received(): Promise<Told[]> {
  await announce();
  await server.webhooks.sendDue();
  return calls.splice(0).map(({ body }) => JSON.parse(body) as Told);
}
const rename = (id: string, name: string) =>
  server.services.db.query('update boundary set name = $2 where id = $1', [id, name]);
const mails = () =>
  server.services.db.query<{ recipient: string; subject: string; text: string }>('select * from outbox');

describe('a subscription', () => {
  it('gets one signed message for each transaction that changes what it watches', async () => {
    const made = await subscribe({ boundary: 'r100', subdivisions: true, webhook: hook });
    expect(code(made)).toEqual([201, null]);
    const { webhook_secret: secret, id } = made.json as unknown as { webhook_secret: string; id: string };
    const other = await subscribe({ boundary: 'r102', webhook: hook });
    expect(other.status).toBe(201);
    expect(await received()).toEqual([]);
    await server.services.db.transaction(async (tx) => {
      await tx.query("update boundary set name = name || ' II' where id = 'r101'");
      await tx.query("update boundary set population = 5 where id = 'r103'");
      await tx.query("update boundary set name = name || 'I' where id = 'r101'");
    });
    await announce();
    await server.webhooks.sendDue();
    const { body, signature } = calls[0] as (typeof calls)[number];
    const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]+)/.exec(signature) ?? [];
    expect(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')).toBe(hex);
    expect(calls.length).toBe(1);
    calls.length = 0;
    const message = JSON.parse(body) as Told;
    expect([message.type, message.subscription.id, message.total, message.more]).toEqual([
      'boundaries.changed',
      id,
      1,
      0,
    ]);
    expect(message.events).toMatchObject([{ id: 'r101', types: ['renamed'] }]);
    // What ends as it was is not a change.
    const before = await nameOf('r102');
    await server.services.db.transaction(async (tx) => {
      await tx.query("update boundary set name = 'x' where id = 'r102'");
      await tx.query("update boundary set name = $1 where id = 'r102'", [before]);
    });
    expect(await received()).toEqual([]);
  });

  it('hears of what ends and what is created, by country and level, and says how many more there are', async () => {
    const { db } = server.services;
    const country = (await db.query<{ country: string }>("select country from boundary where id = 'r100'"))[0]?.country;
    if (!country) throw new Error('the fixture has no country');
    await subscribe({ country: country.toLowerCase(), webhook: hook });
    await subscribe({ country, admin_level: 12, webhook: hook });
    await db.query("update boundary set name = name || '!' where country = $1", [country]);
    const [message, ...others] = await received();
    const { count } = (
      await db.query<{ count: number }>('select count(*)::integer as count from boundary where country = $1', [country])
    )[0] ?? { count: 0 };
    expect(others).toEqual([]);
    expect([message?.total, message?.events.length, message?.more]).toEqual([
      count,
      Math.min(50, count),
      Math.max(0, count - 50),
    ]);
    const [row] = await db.query<{ id: string }>(
      'select id from boundary b where country = $1 and not exists (select from boundary_parent p where p.parent = b.id) limit 1',
      [country],
    );
    await db.transaction((tx) => tx.query('delete from boundary where id = $1', [row?.id]));
    expect((await received()).map(({ events }) => events.map(({ id, types }) => [id, ...types]))).toEqual([
      [[row?.id, 'ended']],
    ]);
  });

  it('writes no message twice when several processes announce, and loses none of a transaction that fails', async () => {
    await subscribe({ boundary: 'r101', webhook: hook });
    await rename('r101', `North ${Date.now()}`);
    await server.services.db
      .transaction(async (tx) => {
        await tx.query("update boundary set name = 'never' where id = 'r101'");
        throw new Error('canceled');
      })
      .catch(() => undefined);
    await Promise.all([announce(), announce(), announce()]);
    expect((await received()).length).toBe(1);
  });

  it.skipIf(!isNative)(
    'loses no message and writes none twice when a process is killed while it writes them',
    async () => {
      const databaseUrl = String(server.databaseUrl);
      await subscribe({ boundary: 'r101', webhook: hook });
      await subscribe({ boundary: 'r100', subdivisions: true, webhook: hook });
      await rename('r101', `Killed ${Date.now()}`);
      const run = (killAfter: string) =>
        spawnSync(process.execPath, [ANNOUNCER, databaseUrl, killAfter], { encoding: 'utf8' });
      const written = async () =>
        (await server.services.db.query('select id from webhook where delivered_at is null')).length;
      for (const statement of ['insert into webhook', 'update change_subscription', 'update data_batch']) {
        const { signal, stderr } = run(statement);
        expect([statement, signal], stderr).toEqual([statement, 'SIGKILL']);
        expect(await written()).toBe(0);
      }
      const { status, stderr } = run('');
      expect(status, stderr).toBe(0);
      expect(await written()).toBe(2);
      expect((await received()).length).toBe(2);
      expect(await received()).toEqual([]);
    },
    120_000,
  );

  it('mails its creator, at most 24 times a day, and no one who left', async () => {
    await subscribe({ boundary: 'r101', mail: true });
    for (let i = 0; i < 26; i++) {
      await rename('r101', `Name ${i}`);
      await announce();
    }
    const sent = await mails();
    expect(sent.length).toBe(24);
    expect(sent.filter(({ text }) => text.includes('last mail of today')).length).toBe(1);
    expect(sent.some(({ text }) => text.includes('renamed from Name 3'))).toBe(true);
    await server.services.db.query('update change_subscription set mailed = 0');
    await server.services.db.query('delete from membership where org = $1', [org]);
    await rename('r101', 'Name of no one');
    await announce();
    expect((await mails()).length).toBe(24);
  });

  it('hears what an edition changes, as list_changes has it', async () => {
    const area = (id: string, name: string, cells: MadeArea['cells']): MadeArea => ({ id, name, cells });
    await storeMade(server, '2010-01-01', [area('1', 'Ati', rowOf(1, 0, 2)), area('2', 'Bili', rowOf(1, 2, 4))]);
    const found = await server.get('/v1/boundaries/search?q=Bili&as_of=2011-01-01', key);
    const { id } = found.json.items[0] as { id: string };
    await announce();
    expect(code(await subscribe({ country: 'TD', webhook: hook }))).toEqual([201, null]);
    await storeMade(server, '2015-01-01', [area('1', 'Ati', rowOf(1, 0, 4))]);
    const [message, ...more] = await received();
    expect(more).toEqual([]);
    expect(message?.change).toMatchObject({ source: 'made', valid_from: '2015-01-01' });
    expect(message?.changes.map(({ type, name }) => `${type} ${name}`).sort()).toEqual(['ended Bili', 'merged Ati']);
    expect(message?.url).toContain('/v1/changes?from=2014-12-31&to=2015-01-01&source=made');
    expect(message?.total).toBe(2);
    expect(JSON.stringify(message)).toContain(id);
  });

  it('refuses what it cannot watch, private addresses, and more than an organization may have', async () => {
    for (const [json, status] of [
      [{ mail: true }, 400],
      [{ boundary: 'r101', country: 'ES', mail: true }, 400],
      [{ boundary: 'r101' }, 400],
      [{ country: 'ES', subdivisions: true, mail: true }, 400],
      [{ country: 'Spain', mail: true }, 400],
      [{ boundary: 'r99999999', mail: true }, 404],
      [{ file_id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB', mail: true }, 404],
      [{ boundary: 'r101', webhook: 'http://10.0.0.1/' }, 400],
      [{ boundary: 'r101', webhook: 'http://user:secret@example.org/' }, 400],
    ] as const) {
      expect([json, (await subscribe(json)).status]).toEqual([json, status]);
    }
    const made = await Promise.all(Array.from({ length: 21 }, () => subscribe({ boundary: 'r101', mail: true })));
    expect(made.filter(({ status }) => status === 201).length).toBe(20);
    const { key: foreign } = await server.key('pro');
    const [first] = made.filter(({ status }) => status === 201);
    const id = String(first?.json.id);
    expect((await server.ask('DELETE', `/v1/subscriptions/${id}`, { key: foreign })).status).toBe(404);
    expect((await server.get('/v1/subscriptions', foreign)).json).toMatchObject({ items: [], total: 0 });
    expect((await server.get('/v1/subscriptions?limit=5', key)).json).toMatchObject({ total: 20 });
    expect((await server.ask('DELETE', `/v1/subscriptions/${id}`, { key })).json).toEqual({ id, deleted: true });
    expect((await server.get('/v1/subscriptions', key)).json).toMatchObject({ total: 19 });
    expect((await server.ask('GET', '/v1/subscriptions', {})).status).toBe(401);
    const log = (await server.get('/v1/orgs/audit-log?action=subscription.delete', key)).json;
    expect(log).toMatchObject({ total: 1 });
  });
});

describe('the feed of changes', () => {
  it('is valid Atom, escaped, filtered, and the same until something changes', async () => {
    await rename('r101', 'A & <b> "c" \u0001');
    const all = await server.ask('GET', '/v1/changes.atom', {});
    expect([all.status, all.headers['content-type']]).toEqual([200, 'application/atom+xml']);
    expect(all.text).toContain('A &amp; &lt;b&gt; &quot;c&quot; \ufffd');
    const again = await server.ask('GET', '/v1/changes.atom', {
      headers: { 'If-None-Match': String(all.headers.etag) },
    });
    expect(again.status).toBe(304);
    const own = (await server.ask('GET', '/v1/changes.atom?boundary=r101', {})).text;
    expect(own.match(/<entry>/g)?.length).toBeGreaterThan(0);
    const none = (await server.ask('GET', '/v1/changes.atom?boundary=r101&country=XX', {})).text;
    expect(none).not.toContain('<entry>');
    await rename('r102', 'Changed again');
    const next = await server.ask('GET', '/v1/changes.atom?boundary=r102', {});
    expect(next.text.indexOf('Changed again')).toBeGreaterThan(0);
    const level = await server.ask('GET', '/v1/changes.atom?admin_level=12', {});
    expect([level.status, level.text.includes('<entry>')]).toEqual([200, false]);
    expect((await server.ask('GET', '/v1/changes.atom?country=Spain', {})).status).toBe(400);
    expect((await server.rpc('get_change_feed', { boundary: 'r102' }, key)).text).toContain('Changed again');
  });

  it('leads by its links to every change of a country, however many others came after it', async () => {
    const { db } = server.services;
    await rename('r101', 'Long ago');
    await db.query(`with made as (
        insert into data_batch (transaction, started_at, recorded_in)
        select pg_current_xact_id(), now() + i * interval '1 second', 1 from generate_series(1, 1040) i returning id
      )
      insert into data_event (batch, boundary_id, after)
      select id, 'r' || 900000000 + id, jsonb_build_object('name', 'Elsewhere ' || id, 'country', 'XX') from made`);
    const [{ country } = { country: '' }] = await db.query<{ country: string }>(
      "select country from boundary where id = 'r101'",
    );
    const follow = async (path: string, most: number) => {
      const texts: string[] = [];
      for (let at: string | undefined = path; at !== undefined && texts.length < most; ) {
        const { status, text }: { status: number; text: string } = await server.ask('GET', at, {});
        expect(status).toBe(200);
        texts.push(text);
        const link = /<link rel="next"[^>]* href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
        at = link === undefined ? undefined : link.slice(link.indexOf('/v1/'));
      }
      return texts;
    };
    const own = await follow(`/v1/changes.atom?country=${country}`, 30);
    expect(own[0]).not.toContain('<entry>');
    expect(own.length).toBeLessThan(30);
    expect(own.filter((text) => text.includes('Long ago')).length).toBe(1);
    expect(own.at(-1)).not.toContain('rel="next"');
    const all = (await follow('/v1/changes.atom', 60)).join('');
    const ids = [...all.matchAll(/#chg_(\d+)<\/id>|<id>[^<]*chg_(\d+)<\/id>/g)].map(([, one, two]) => one ?? two);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(1040);
    expect((await server.ask('GET', '/v1/changes.atom?before=0', {})).status).toBe(400);
    await db.query("delete from data_batch where id in (select batch from data_event where boundary_id like 'r9000%')");
  });
});

async function nameOf(id: string): Promise<string | undefined> {
  return (await server.services.db.query<{ name: string }>('select name from boundary where id = $1', [id]))[0]?.name;
}

describe('what one statement removes', () => {
  it('is recorded with the parents of each, and subscriptions to these hear of all', async () => {
    const { db } = server.services;
    await subscribe({ boundary: 'r101', subdivisions: true, webhook: hook });
    const kept = await db.query<{ child: string; parents: string[] }>(
      `select child, array_agg(parent order by parent) as parents from boundary_parent
       where child similar to 'r1(1|2)_' group by child order by child`,
    );
    expect(kept.length).toBeGreaterThan(3);
    await db.query('delete from boundary where id = any ($1::text[])', [kept.map(({ child }) => child)]);
    const rows = await db.query<{ boundary_id: string; parents: string[] }>(
      `select boundary_id, before -> 'parents' as parents from data_event
       where batch = (select max(id) from data_batch) and after is null order by boundary_id`,
    );
    expect(rows.map(({ boundary_id: child, parents }) => ({ child, parents: parents.sort() }))).toEqual(kept);
    const [message] = await received();
    const own = kept.filter(({ parents }) => parents.includes('r101')).map(({ child }) => [child, 'ended']);
    expect(own.length).toBeGreaterThan(1);
    expect(message?.events.map(({ id, types }) => [id, ...types])).toEqual(own);
  });
});

describe('a file of the library', () => {
  it('says what changed since it was made, and a subscription to it reports that', async () => {
    const save = async (json: object) => String((await server.ask('POST', '/v1/files', { key, json })).json.id);
    const one = await save({ boundary_id: 'r102', detail: 'low' });
    const union = await save({ union: { include: ['r101', 'r103'] }, detail: 'low' });
    const collection = await save({ collection: { children_of: 'r100' }, detail: 'low' });
    const outdated = async (id: string) =>
      ((await server.get(`/v1/files/${id}`, key)).json as unknown as { outdated: Outdated }).outdated;
    for (const id of [one, union, collection]) expect(await outdated(id)).toEqual({ total: 0, items: [] });
    expect((await subscribe({ file_id: union, webhook: hook })).status).toBe(201);
    await announce();
    await rename('r101', `Renamed ${Date.now()}`);
    expect((await outdated(one)).total).toBe(0);
    expect(await outdated(union)).toMatchObject({ total: 1, items: [{ id: 'r101', types: ['renamed'] }] });
    expect((await outdated(collection)).items.map(({ id }) => id)).toEqual(['r101']);
    expect((await received()).map(({ events }) => events.map(({ id }) => id))).toEqual([['r101']]);
    await server.services.db.query("delete from boundary where id = 'r103'");
    expect((await outdated(union)).items.map(({ id, types }) => [id, ...types])).toEqual([
      ['r101', 'renamed'],
      ['r103', 'ended'],
    ]);
    expect((await outdated(collection)).items.map(({ id }) => id)).toContain('r103');
  });
});

interface Outdated {
  readonly total: number;
  readonly items: readonly { readonly id: string; readonly types: readonly string[] }[];
}
