import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { MADE, rowOf, storeMade } from '../history/made_editions.ts';
import { madeHistory } from '../history/made_history.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { generator } from '../proof/made.ts';
import { seeds } from '../proof/rounds.ts';

const oracle = process.env.ORACLE_DATABASE_URL;

interface Answer {
  readonly code?: string;
  readonly detail?: string;
  readonly columns: readonly {
    name: string;
    given: number;
    unexplained: number | null;
    by_area: number;
    empty: number;
  }[];
  readonly items: readonly {
    id: string;
    name: string;
    share_covered: number;
    values: (number | null)[];
    by_area: number[];
  }[];
  readonly not_whole: { readonly total: number };
  readonly without_weight: number;
}

async function convert(server: BoundaryTestServer, key: string, json: object): Promise<Answer> {
  return (await server.ask('POST', '/v1/convert-values', { key, json })).json as unknown as Answer;
}

describe('areas of cells', () => {
  let server: BoundaryTestServer;
  let key: string;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    server = await openBoundaryTestServer();
    ({ key } = await server.key());
    // Two municipalities of six cells each, and three of four; the cells are of level 10.
    await storeMade(server, '2010-01-01', [
      { id: 'A', name: 'Old A', cells: rowOf(0, 0, 6) },
      { id: 'B', name: 'Old B', cells: rowOf(0, 6, 12) },
      ...Array.from({ length: 12 }, (_, i) => ({
        id: `c${i}`,
        name: `Cell ${i}`,
        level: 10,
        cells: rowOf(0, i, i + 1),
      })),
    ]);
    await storeMade(server, '2020-01-01', [
      { id: 'P', name: '=New P', cells: rowOf(0, 0, 4) },
      { id: 'Q', name: 'New Q', cells: rowOf(0, 4, 8) },
      { id: 'R', name: 'New R', cells: rowOf(0, 8, 11) },
    ]);
    const rows = await server.services.db.query<{ id: string; code: string }>(
      "select distinct id, regexp_replace(source_id, '^.*/', '') as code from edition_boundary",
    );
    for (const { id, code } of rows) ids.set(code, id);
  }, 120_000);
  afterAll(() => server?.close());
  const id = (code: string) => ids.get(code) ?? code;
  const news = () => ['P', 'Q', 'R'].map(id);
  const when = { as_of: '2010-06-01', as_of_b: '2020-06-01' };

  it('splits counts by area to the last person, and averages rates, with the rest as a row', async () => {
    const csv = `id,people,money,rate\n${id('A')},1000,10.55,6\n${id('B')},101,0.01,12\n`;
    const input = { csv, b: news(), counts: ['people', 'money'], rates: ['rate', 'rate2'], ...when };
    expect((await convert(server, key, input)).code).toBe('invalid_input');
    const answer = await convert(server, key, { ...input, rates: ['rate'] });
    const [people, money, rate] = answer.columns;
    // A: 4 of 6 cells to P, 2 to Q. B: 2 to Q, 3 to R, 1 to none.
    expect(answer.items.map(({ name, values }) => [name, ...values.map((one) => Number(one?.toFixed(2)))])).toEqual([
      ['=New P', 667, 7.03, 6],
      ['New Q', 367, 3.52, 9],
      ['New R', 50, 0.01, 12],
    ]);
    expect([people?.given, people?.unexplained, money?.unexplained, rate?.unexplained]).toEqual([1101, 17, 0, 12]);
    const sum = (place: number) => answer.items.reduce((all, { values }) => all + (values[place] ?? 0), 0);
    expect(sum(0) + (people?.unexplained ?? 0)).toBe(1101);
    expect((sum(1) + (money?.unexplained ?? 0)).toFixed(2)).toBe('10.56');
    expect(answer.not_whole.total).toBe(1);
    expect(people?.by_area).toBeCloseTo(1101 - 101 / 6, 3);
    const table = await server.ask('POST', '/v1/convert-values', {
      key,
      json: { ...input, rates: ['rate'], format: 'csv' },
    });
    const lines = table.text.trimEnd().split('\n');
    expect(lines[0]).toBe('id,name,share_covered,people,money,rate');
    expect(lines[1]).toContain("'=New P");
    expect(lines.at(-1)).toBe('unexplained,,,17,0,12');
  });

  it('splits by the weights of finer boundaries, and says what rests on area alone', async () => {
    const cells = Array.from({ length: 6 }, (_, i) => `${id(`c${i}`)},${i === 5 ? 75 : i === 4 ? 5 : 5}`);
    const csv = `id,people,rate\n${id('A')},1000,6\n${id('B')},600,12\n`;
    const input = { csv, b: news(), counts: ['people'], ...when };
    const weights_csv = `id,weight\n${cells.join('\n')}\n`;
    const answer = await convert(server, key, { ...input, weights_csv });
    // A: 20 of 100 to P, 80 to Q. B has no weights: by area.
    expect(answer.items.map(({ values }) => values[0])).toEqual([200, 1000, 300]);
    expect(answer.items.map(({ by_area: [one] }) => Math.round(one ?? -1))).toEqual([0, 200, 300]);
    expect(answer.columns[0]?.unexplained).toBe(100);
    // Those of a selection have no population here.
    const none = await convert(server, key, { ...input, weights: { ids: [id('B')] } });
    expect([none.code, none.detail]).toEqual(['invalid_input', expect.stringContaining('population')]);
    await server.services.db.query('update edition_boundary set population = 10 where admin_level = 10');
    const people = await convert(server, key, { ...input, weights: Array.from({ length: 12 }, (_, i) => id(`c${i}`)) });
    expect(people.items.map(({ values }) => values[0])).toEqual([667, 533, 300]);
    expect(people.columns[0]?.by_area).toBeLessThan(0.01);
  });

  it('splits a finer boundary that both sides cut by what all three have in common', async () => {
    // The boundary A as a finer one of cells: P has 4 of 6, cell 4 is in Q.
    const csv = `id,people\n${id('c3')},10\n${id('c4')},30\n`;
    const input = { csv, b: news(), counts: ['people'], ...when, weights_csv: `id,weight\n${id('A')},600\n` };
    const answer = await convert(server, key, input);
    expect(answer.items.map(({ values }) => values[0])).toEqual([10, 30, null]);
    expect(answer.columns[0]?.by_area).toBeCloseTo(40, 6);
  });

  it('refuses what would count twice, or is not a number, with the line', async () => {
    const csv = `id,people\n${id('A')},1000\n`;
    const base = { csv, b: news(), counts: ['people'], ...when };
    for (const [change, said] of [
      [{ csv: `${csv}${id('A')},3\n` }, 'line 3'],
      [{ csv: `${csv}${id('B')},many\n` }, 'line 3, column people'],
      [{ csv: `${csv}${id('B')},9007199254740993\n` }, 'too many digits'],
      [{ b: [...news(), id('A')], as_of_b: undefined, as_of: undefined }, ''],
      [{ counts: ['people', 'People'] }, 'twice'],
      [{ counts: [], rates: undefined }, ''],
      [{ counts: undefined }, 'counts'],
      [{ weights_csv: 'id,weight\nr1,-1\n' }, 'negative'],
      [{ weights: [id('c0')], weights_csv: 'id,weight\nr1,1\n' }, 'weights_csv'],
      [{ as_of: '2010-13-01' }, ''],
    ] as const) {
      const answer = await convert(server, key, { ...base, ...change });
      expect([answer.code, change]).toEqual([expect.stringMatching(/^(?:invalid_input|not_found)$/), change]);
      expect(JSON.stringify(answer)).toContain(said);
    }
    const twice = await convert(server, key, { ...base, b: [id('A'), id('c0'), id('c1')], as_of_b: '2010-06-01' });
    expect([twice.code, JSON.stringify(twice)]).toEqual(['invalid_input', expect.stringContaining('twice')]);
  });
});

/** The shares of the areas of one GeoJSON file in those of another, by codes, by PostGIS. */
const SHARES = `
  with features as (
    select side, f -> 'properties' ->> 'id' as code, st_geomfromgeojson(f -> 'geometry') as geom
    from (values (1, $1::json), (2, $2::json)) v (side, file), json_array_elements(file -> 'features') f
    where f -> 'properties' ->> 'level' = '8'
  ), areas as (select side, code, st_union(geom) as geom from features group by side, code)
  select a.code as one, b.code as other,
         st_area(st_intersection(a.geom, b.geom)::geography) / st_area(a.geom::geography) as share
  from areas a join areas b on a.side = 1 and b.side = 2 and st_intersects(a.geom, b.geom)`;

describe.skipIf(!oracle)('random worlds', () => {
  it.each(seeds(21, 4))('moves made people as a PostGIS program does (seed %i)', { timeout: 300_000 }, async (seed) => {
    const postgis = new pg.Client({ connectionString: oracle });
    await postgis.connect();
    const server = await openBoundaryTestServer();
    const history = madeHistory(seed, 2, 25);
    try {
      const { key } = await server.key();
      for (const { date, file } of history.worlds) {
        await importFile(server.services, file, MADE, { validFrom: date });
      }
      const rows = await server.services.db.query<{ id: string; code: string; level: number }>(
        "select distinct id, admin_level as level, regexp_replace(source_id, '^.*/', '') as code from edition_boundary",
      );
      const ids = new Map(rows.filter(({ level }) => level === 8).map(({ id, code }) => [code, id]));
      const texts = history.worlds.map(({ file }) => readFileSync(file, 'utf8'));
      const shares = (await postgis.query(SHARES, texts)).rows as { one: string; other: string; share: number }[];
      const random = generator(seed);
      const people = new Map(
        [...new Set(shares.map(({ one }) => one))].map((code) => [code, Math.floor(random() * 1e5)]),
      );
      const expected = new Map<string, number>();
      for (const { one, other, share } of shares) {
        expected.set(other, (expected.get(other) ?? 0) + share * (people.get(one) ?? 0));
      }
      const csv = `id,people\n${[...people].map(([code, count]) => `${ids.get(code)},${count}`).join('\n')}\n`;
      const b = [...expected.keys()].map((code) => ids.get(code));
      const when = { as_of: history.worlds[0]?.date, as_of_b: history.worlds[1]?.date };
      const answer = await convert(server, key, { csv, b, counts: ['people'], ...when });
      const total = [...people.values()].reduce((sum, one) => sum + one, 0);
      const converted = new Map(answer.items.map(({ id, values: [value] }) => [id, value ?? 0]));
      for (const [code, exact] of expected) {
        expect(Math.abs((converted.get(ids.get(code) ?? '') ?? 0) - exact), code).toBeLessThan(1 + 1e-5 * exact);
      }
      const unexplained = answer.columns[0]?.unexplained ?? 0;
      expect([...converted.values()].reduce((sum, one) => sum + one, 0) + unexplained).toBe(total);
      expect(answer.columns[0]?.given).toBe(total);
      expect(unexplained / total).toBeLessThan(0.01);
    } finally {
      history.remove();
      await postgis.end();
      await server.close();
    }
  });
});
