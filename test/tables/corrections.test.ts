import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertFixtures } from '../domain/fixture_boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { TABLES_WORLD } from './tables_world.ts';

interface Answer {
  readonly rows: readonly { readonly match: string; readonly boundary: { readonly id: string } | null }[];
  readonly saved: number;
  readonly deleted: number;
  readonly skipped: number;
  readonly items: readonly { readonly name: string; readonly within: readonly string[]; readonly id: string }[];
  readonly total: number;
  readonly code: string;
  readonly detail: string;
  readonly issues: readonly { readonly path: string; readonly message: string }[];
}

let server: BoundaryTestServer;
let ours: string;
let theirs: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await insertFixtures(server.services.db, TABLES_WORLD);
  ours = (await server.key()).key;
  theirs = (await server.key('free')).key;
});
afterAll(() => server?.close());

const call = async (op: string, input: object, key = ours) =>
  (await server.rpc(op, input, key)).json as unknown as Answer;
const match = async (rows: readonly object[], key = ours) =>
  (await call('match_names', { rows, decide: 'row' }, key)).rows.map((row) => row.boundary?.id ?? row.match);

it('remembers for the organization, and for no other one, what a name means, with its places', async () => {
  const rows = [{ name: 'Clay' }, { name: 'clay', within: 'Texas' }, { name: 'Old Town' }];
  expect(await match(rows)).toEqual(['ambiguous', 'r107', 'not_found']);
  const saved = await call('save_match_corrections', {
    rows: [
      { name: 'CLAY', id: 'r106' },
      { name: 'old  town', id: 'iso:US-TX' },
    ],
  });
  expect(saved).toEqual({ saved: 2, deleted: 0, skipped: 0 });
  expect(await match(rows)).toEqual(['r106', 'r107', 'r11']);
  expect((await call('match_names', { rows })).rows.map((row) => row.match)).toEqual([
    'correction',
    'exact',
    'correction',
  ]);
  expect(await match(rows, theirs)).toEqual(['ambiguous', 'r107', 'not_found']);
  expect((await call('list_match_corrections', {}, theirs)).total).toBe(0);
  const { items, total } = await call('list_match_corrections', {});
  expect([total, items.map(({ name, within, id }) => [name, within, id])]).toEqual([
    2,
    [
      ['CLAY', [], 'r106'],
      ['old  town', [], 'r11'],
    ],
  ]);
  expect(await call('save_match_corrections', { rows: [{ name: 'Clay', id: null }] })).toMatchObject({ deleted: 1 });
  expect(await match(rows)).toEqual(['ambiguous', 'r107', 'r11']);
});

it('takes a matched table back: of its rows those that were open', async () => {
  const send = (path: string, method: string, text: string) =>
    server.ask(method, path, { key: ours, text, headers: { 'Content-Type': 'text/csv' } });
  const table = 'county,state\nWashington,\nSangamon,\nTravs,Texas\nClay,Nowhere\n';
  const matched = (await send('/v1/match?decide=row', 'POST', table)).text;
  const corrected = matched
    .split('\n')
    .map((line) => line.replace(/^Washington,,,/, 'Washington,,r101,').replace(/^Clay,Nowhere,,/, 'Clay,Nowhere,r107,'))
    .join('\n');
  const saved = (await send('/v1/match/corrections', 'PUT', corrected)).json as unknown as Answer;
  expect(saved).toEqual({ saved: 3, deleted: 0, skipped: 1 });
  const again = (await send('/v1/match?decide=row', 'POST', table)).text.split('\n').slice(1, 5);
  expect(again.map((line) => line.split(',')[2])).toEqual(['r101', 'r102', 'r105', 'r107']);
});

it('takes no correction that the code of the row or a filter of the call contradicts', async () => {
  const own = (await server.key()).key;
  await call(
    'save_match_corrections',
    {
      rows: [
        { name: 'Clay', id: 'r106' },
        { name: 'Quarter', id: 'r210' },
      ],
    },
    own,
  );
  expect(
    await match([{ name: 'Clay' }, { name: 'Clay', code: '17025' }, { name: 'Clay', code: '48077' }], own),
  ).toEqual(['r106', 'r106', 'r107']);
  expect(await match([{ name: 'Quarter', code: '48453' }], own)).toEqual(['ambiguous']);
  const filtered = async (more: object) =>
    (await call('match_names', { rows: [{ name: 'Quarter' }], decide: 'row', ...more }, own)).rows[0]?.match;
  expect(await filtered({ country: 'ES', within: 'r200', admin_level: 8, kind: 'municipality' })).toBe('correction');
  for (const other of [{ country: 'US' }, { within: 'r201' }, { admin_level: 6 }, { kind: 'province' }]) {
    expect(await filtered(other)).toBe('not_found');
  }
});

it('refuses two meanings of one name in one call, with the line', async () => {
  const before = (await call('list_match_corrections', {})).total;
  const csv =
    'county,state,match_id,match\nWell,Texas,r105,not_found\nWell,,r105,not_found\nWELL,Texas,r107,not_found\n';
  const refused = await call('save_match_corrections', { csv });
  expect([refused.code, refused.issues[0]?.path]).toEqual(['invalid_input', 'csv']);
  expect(refused.issues[0]?.message).toMatch(/^line 4: WELL means r107 here and r105 in line 2/);
  const rows = [
    { name: 'Well', id: 'r11' },
    { name: 'well', id: null },
  ];
  expect((await call('save_match_corrections', { rows })).issues[0]?.path).toBe('rows.1');
  const same = [rows[0], { name: 'WELL', id: 'iso:US-TX' }];
  expect((await call('list_match_corrections', {})).total).toBe(before);
  expect(await call('save_match_corrections', { rows: same })).toMatchObject({ saved: 1, deleted: 0 });
});

it('takes the names of a matched table from the columns that are named, never from those that were added', async () => {
  const own = (await server.key()).key;
  const csv = 'a,b,match_id,match_name,match\nDell,Texas,r105,Travis,typo\n';
  const open = await call('save_match_corrections', { csv }, own);
  expect(open.issues[0]).toMatchObject({ path: 'name_column' });
  expect(open.issues[0]?.message).toMatch(/one of a, b$/);
  expect((await call('save_match_corrections', { csv, name_column: 'match_name' }, own)).code).toBe('invalid_input');
  const asked = { csv, name_column: 'a', within_columns: ['b'] };
  expect(await call('save_match_corrections', asked, own)).toMatchObject({ saved: 1 });
  expect(await match([{ name: 'Dell' }, { name: 'Dell', within: 'Texas' }], own)).toEqual(['not_found', 'r105']);
  const { code } = await call(
    'save_match_corrections',
    { rows: [{ name: 'Dell', id: 'r105' }], within_columns: ['b'] },
    own,
  );
  expect(code).toBe('invalid_input');
});

it('refuses unknown boundaries and callers, and saves then nothing', async () => {
  const before = (await call('list_match_corrections', {})).total;
  const rows = [
    { name: 'Paris', id: 'r100' },
    { name: 'Rome', id: 'r99999' },
  ];
  expect((await call('save_match_corrections', { rows })).code).toBe('not_found');
  expect((await call('save_match_corrections', { rows: [{ name: '!!!', id: 'r100' }] })).code).toBe('invalid_input');
  expect((await call('save_match_corrections', {})).code).toBe('invalid_input');
  expect((await call('save_match_corrections', { csv: 'name\nParis\n' })).code).toBe('invalid_input');
  expect((await server.rpc('save_match_corrections', { rows }, '')).status).toBe(401);
  expect((await server.rpc('list_match_corrections', {}, '')).status).toBe(401);
  expect((await call('list_match_corrections', {})).total).toBe(before);
});
