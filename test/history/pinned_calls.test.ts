import { afterAll, beforeAll, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { pinOf } from '../../src/core/pins.ts';
import { pruneRecords } from '../../src/sources/prune.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { type MadeArea, middleOf, rowOf, storeMade } from './made_editions.ts';

let server: BoundaryTestServer;
let key: string;
/** The moment of the first import. */
let first: string;

const area = (id: string, name: string, from: number, to: number): MadeArea => ({
  id,
  name,
  cells: rowOf(0, from, to),
});
const { lat, lon } = middleOf(2, 0);
const reverse = `/v1/boundaries/reverse?lat=${lat}&lon=${lon}`;
const ask = (path: string, moment?: string) =>
  server.ask('GET', path, { key, headers: moment === undefined ? {} : { 'Boundary-Data': moment } });
const namesOf = ({ json }: Awaited<ReturnType<typeof ask>>) => json.items.map(({ name }) => name);

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
  await storeMade(server, null, [area('A', 'Abeche', 0, 2), area('B', 'Bol', 2, 4)]);
  first = defined((await ask(reverse)).headers['boundary-data']);
  await storeMade(server, null, [area('A', 'Abeche', 0, 3), area('B', 'Bol', 3, 4)]);
}, 300_000);
afterAll(() => server?.close());

it('takes the moment as a header or as a parameter, by the route and by name', async () => {
  expect(namesOf(await ask(reverse))).toEqual(['Abeche']);
  expect(namesOf(await ask(reverse, first))).toEqual(['Bol']);
  expect(namesOf(await ask(`${reverse}&recorded_before=${first}`))).toEqual(['Bol']);
  const { json } = await server.rpc('reverse_boundaries', { lat, lon, recorded_before: first }, key);
  expect(json.items.map(({ name }) => name)).toEqual(['Bol']);
  const named = { json: { lat, lon }, key, headers: { 'Boundary-Data': first } };
  expect((await server.ask('POST', '/v1/ops/reverse_boundaries', named)).json.items[0]?.name).toBe('Bol');
  expect((await ask(reverse, first)).headers['boundary-data']).toBe(first);
  expect((await ask(reverse)).headers.vary).toContain('Boundary-Data');
});

it('refuses moments that are none, of the future, before all that is kept, and two at once', async () => {
  for (const moment of [
    'now',
    '2026-11-25',
    '2026-02-30T10:00:00Z',
    '2026-11-25T10:00:00+01:00',
    `${first}, ${first}`,
    '',
  ]) {
    expect(await ask(reverse, moment), moment).toMatchObject({ status: 400, json: { code: 'invalid_input' } });
  }
  const [late, early] = [await ask(reverse, '2999-01-01T00:00:00Z'), await ask(reverse, '2001-01-01T00:00:00Z')];
  const moment = /\d{4}-\d\d-\d\dT[\d:.]+Z/.source;
  expect(late.json.detail).toMatch(new RegExp(`is in the future: it can be from ${moment} to ${moment}`));
  expect(early.json.detail).toMatch(new RegExp(`before the first moment that is kept: it can be from ${moment}`));
  const other = new Date(Date.parse(first) + 1).toISOString();
  expect((await ask(`${reverse}&recorded_before=${other}`, first)).json.code).toBe('invalid_input');
});

it('refuses it where only the present data answers', async () => {
  for (const path of [
    '/v1/usage',
    '/v1/data-status',
    '/tiles/boundaries/3/4/3.mvt',
    '/tiles/boundaries.json',
    '/ogc/collections',
    '/ogc/collections/municipality/items',
  ]) {
    const { status, json } = await ask(path, first);
    expect([status, json?.code], path).toEqual([400, 'invalid_input']);
  }
  const { json } = await server.rpc('create_area', { description: 'Bol', recorded_before: first }, key);
  expect(json.code).toBe('invalid_input');
  const scoped = await ask(`${reverse}&scope=all`, first);
  expect([scoped.status, scoped.json.code]).toEqual([400, 'invalid_input']);
});

it('does not see what commits later, though it began before the moment', async () => {
  const { db } = server.services;
  let begun = () => {};
  let end = () => {};
  const changed = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const slow = db.transaction(async (tx) => {
    await tx.query("update boundary set name = 'Half' where name = 'Bol'");
    begun();
    await ended;
  });
  await changed;
  // Another change begins later and commits first; the embedded database has one transaction at a time.
  if (server.databaseUrl !== null) await db.query("update boundary set name = 'Abeche II' where name = 'Abeche'");
  await new Promise((resolve) => setTimeout(resolve, 20));
  const moment = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const at = (found: string) => `/v1/boundaries/search?q=${found}&recorded_before=${moment}`;
  // While it runs, a pin already leaves it out: calls that have the pin go on after it has committed.
  const open = server.databaseUrl === null ? null : await pinOf(db, moment);
  end();
  await slow;
  if (open !== null) expect(await pinOf(db, moment)).toEqual(open);
  const later = await pinOf(db, new Date().toISOString());
  expect([later.number, later.open]).not.toEqual([open?.number, open?.open]);
  // Names are searched in a table of their own, which this does not change.
  expect(namesOf(await ask(at('Bol')))).toEqual(['Bol']);
  if (server.databaseUrl !== null) expect(namesOf(await ask(at('Abeche')))).toEqual(['Abeche II']);
  expect(namesOf(await ask('/v1/boundaries/search?q=Bol'))).toEqual(['Half']);
});

it('removes what only earlier moments need, and refuses these', async () => {
  const { db } = server.services;
  const between = defined((await ask(reverse)).headers['boundary-data']);
  await storeMade(server, null, [area('A', 'Abeche', 0, 1), area('B', 'Bol', 1, 4)]);
  const [early, late] = [(await ask(reverse, first)).text, (await ask(reverse, between)).text];
  expect(early).not.toBe(late);
  const report = await pruneRecords(db, between, false);
  expect(report.rows).toBeGreaterThan(10);
  expect((await ask(reverse, first)).text).toBe(early);
  expect(await pruneRecords(db, between, true)).toEqual({ ...report, applied: true });
  expect((await ask(reverse, between)).text).toBe(late);
  expect((await ask(reverse, first)).json.detail).toContain(`it can be from ${between} to`);
  expect((await pruneRecords(db, between, true)).rows).toBe(0);
});

it('keeps every column of the rows that were replaced', async () => {
  const rows = await server.services.db.query<{ name: string; kept: string[]; now: string[] }>(`
    select c.relname as name, array_agg(a.attname::text order by a.attname) as kept,
           (select array_agg(n.attname::text order by n.attname) from pg_attribute n
            where n.attrelid = substr(c.relname, 6)::regclass and n.attnum > 0 and not n.attisdropped) as now
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relname like 'past\\_%' and c.relkind = 'r' group by c.relname`);
  expect(rows.length).toBeGreaterThan(10);
  for (const { name, kept, now } of rows) expect(kept, name).toEqual([...now, 'replaced_in'].sort());
});
