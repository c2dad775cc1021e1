/** Tables as no one should send them: each is refused at once, with the line and the column. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertFixtures } from '../domain/fixture_boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { TABLES_WORLD } from './tables_world.ts';

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await insertFixtures(server.services.db, TABLES_WORLD);
  ({ key } = await server.key());
});
afterAll(() => server?.close());

/** Each operation that takes a table, by its route, with what it needs beside the table. */
const ROUTES = {
  match_names: ['POST', '/v1/match'],
  save_match_corrections: ['PUT', '/v1/match/corrections'],
  join: ['POST', '/v1/join?format=csv'],
  draw_map: ['POST', '/v1/maps?title=Figures'],
} as const;
type Name = keyof typeof ROUTES;
const NAMES = Object.keys(ROUTES) as Name[];

async function send(name: Name, text: string, query = '') {
  const [method, path] = ROUTES[name];
  const headers = { 'Content-Type': 'text/csv' };
  const reply = await server.ask(method, path + (path.includes('?') ? query.replace('?', '&') : query), {
    key,
    text,
    headers,
  });
  return { status: reply.status, text: reply.text, said: `${reply.json?.code}: ${reply.json?.detail}` };
}
const convert = async (csv: string, more: object = {}) => {
  const { status, json } = await server.rpc('convert_values', { csv, b: ['r200'], counts: ['value'], ...more }, key);
  return { status, said: `${json.code}: ${json.detail}` };
};

describe.each(NAMES)('%s', (name) => {
  it('refuses a million columns, and a row of a megabyte', async () => {
    const used = await server.used(key);
    const wide = `${Array.from({ length: 1_000_000 }, (_, i) => `c${i}`).join(',')}\n`;
    const wideAnswer = await send(name, wide);
    expect([400, 413], wideAnswer.said).toContain(wideAnswer.status);
    expect(wideAnswer.said).toMatch(/line 1 |The body is over \d+ bytes/);
    const long = await send(name, `id,value\nr200,1\nr201,${'9'.repeat(2 ** 20 - 100)}\n`);
    expect(long.said).toMatch(/line 3 |The body is over \d+ bytes/);
    expect([400, 413]).toContain(long.status);
    expect(await server.used(key)).toBe(used);
  });

  it('refuses more columns than a table has, naming the line', async () => {
    const head = ['id', 'name', 'value', 'lon', 'lat', ...Array.from({ length: 1_500 }, (_, i) => `c${i}`)].join(',');
    const { status, said } = await send(name, `${head}\n`);
    expect([status, said]).toEqual([400, expect.stringMatching(/line 1.*(?:columns|cells)|columns/)]);
  });
});

it('convert_values refuses both', async () => {
  const wide = `${Array.from({ length: 1_000_000 }, (_, i) => `c${i}`).join(',')}\n`;
  expect((await convert(wide)).said).toMatch(/^invalid_input: .*line 1 |too_large/);
  expect((await convert(`id,value\nr200,${'1'.repeat(2 ** 20)}\n`)).said).toMatch(/line 2/);
});

it('ids that are there twice are named with their lines', async () => {
  const table = 'id,value\nr200,1\nr201,2\nr200,3\n';
  const all = [await send('join', table), await send('draw_map', table), await convert(table)];
  for (const { status, said } of all) expect([status, said]).toEqual([400, expect.stringMatching(/line 4.*r200/)]);
  const twice = await server.rpc(
    'create_area_set',
    {
      name: 'twice',
      features: ['a', 'b', 'a'].map((id, i) => ({
        ...{ type: 'Feature', properties: { id, name: id } },
        geometry: { type: 'Polygon', coordinates: [[[i, 0], [i + 1, 0], [i + 1, 1], [i, 0]]] }, // biome-ignore format: a ring
      })),
    },
    key,
  );
  // The second of them is left out, and said so.
  expect([twice.status, JSON.stringify(twice.json)]).toEqual([expect.any(Number), expect.stringMatching(/\ba\b/)]);
  expect(JSON.stringify(twice.json)).toMatch(/left_out.*"total":1|twice|duplicate/);
});

it('a figure that is not a number is named with its line and column', async () => {
  const table = 'id,group,value\nr200,a,1\nr201,a,many\n';
  const grouped = await send('join', table, '?group_column=group&figures=value:sum');
  expect([grouped.status, grouped.said]).toEqual([400, expect.stringMatching(/line 3(?=.*value).*many/)]);
  const map = await send('draw_map', 'id,value\nr200,1\nr201,many\n');
  expect([map.status, map.said]).toEqual([400, expect.stringMatching(/line 3(?=.*value).*many/)]);
  const moved = await convert('id,value\nr200,1\nr201,many\n');
  expect([moved.status, moved.said]).toEqual([400, expect.stringMatching(/line 3(?=.*value).*many/)]);
});

it('formulas are escaped on request', async () => {
  const table = 'name,note\nTravis,=1+1\nSangamon,"@x, ""y"""\nClay,-5\n';
  const cellsOf = (text: string) => text.split('\n').map((line) => line.split(',')[1]);
  expect(cellsOf((await send('match_names', table)).text).slice(1, 4)).toEqual(['=1+1', '"@x', '-5']);
  expect(cellsOf((await send('match_names', table, '?safe_csv=true')).text).slice(1, 4)).toEqual([
    "'=1+1",
    `"'@x`,
    '-5',
  ]);
});
