import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { COLLECTION_FORMATS, contentType } from '../../workers/formats/registry.ts';
import { type BoundaryTestServer, openBoundaryTestServer, type Reply } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';

interface Feature {
  readonly id?: string;
  readonly geometry: { readonly type: string };
  readonly properties: Readonly<Record<string, string | number | null>>;
}
interface Answer {
  readonly features: readonly Feature[];
  readonly code: string;
  readonly detail: string;
  readonly issues: readonly { readonly path: string; readonly message: string }[];
  readonly url: string;
  readonly rows: number;
  readonly rows_without_id: number;
  readonly count: number;
  readonly figures: readonly string[];
}

let server: BoundaryTestServer;
let key: string;
/** Communes with their parents, as they are stored. */
let communes: { id: string; parents: { id: string; admin_level: number }[] }[];
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key());
  const rows = await server.services.db.query<{ id: string }>(
    `select id from boundary where admin_level = 8 and has_geometry order by id`,
  );
  const found = await server.services.boundaries.resolve(rows.map(({ id }) => id));
  communes = found.map(({ boundary }) => boundary as unknown as (typeof communes)[number]);
});
afterAll(() => server?.close());

const read = (reply: Reply) => reply.json as unknown as Answer;
const join = async (csv: string, more: object = {}, by = key) =>
  server.ask('POST', '/v1/join', { key: by, json: { csv, ...more } });
/** The features of a join, by the value of a property. */
const featuresBy = async (name: string, csv: string, more: object = {}) => {
  const { features, detail } = read(await join(csv, more));
  expect(features, detail).toBeDefined();
  return new Map(features.map((feature) => [feature.properties[name], feature]));
};
const tableOf = (value: (i: number) => string, head: string) =>
  `${head}\n${communes.map(({ id }, i) => `${id},${value(i)}`).join('\n')}\n`;
const parentOf = (i: number, level: number) => communes[i]?.parents.find((one) => one.admin_level === level)?.id;

describe('join', () => {
  it('adds each column to its boundary: numbers as numbers, codes as text, nothing as null', async () => {
    const table = tableOf((i) => `${i / 4},0${i},${i % 2 === 0 ? '' : 'x'},n${i}`, 'id,rate,code,word,name');
    const features = await featuresBy('id', table);
    expect(features.size).toBe(communes.length);
    for (const [i, { id }] of communes.entries()) {
      const feature = features.get(id);
      expect(feature?.properties).toMatchObject({
        ...{ rate: i / 4, code: `0${i}`, word: i % 2 === 0 ? null : 'x', table_name: `n${i}` },
      });
      expect(feature?.geometry.type).toMatch(/Polygon$/);
    }
  });

  it('writes every format of collections, on every way of calling', async () => {
    const table = tableOf((i) => String(i), 'id,n');
    for (const format of COLLECTION_FORMATS) {
      const reply = await join(table, { format });
      expect([reply.status, reply.headers['content-type']], format).toEqual([200, contentType(format)]);
      expect(reply.bytes.length, format).toBeGreaterThan(100);
    }
    const named = read(await server.rpc('join', { csv: `${table},99\n`, format: 'csv' }, key));
    expect(named).toMatchObject({ count: communes.length, rows: communes.length, rows_without_id: 1, figures: ['n'] });
    const text = await server.ask('POST', '/v1/join?format=csv', {
      ...{ key, text: table, headers: { 'Content-Type': 'text/csv' } },
    });
    expect(text.headers['boundary-collection']).toContain(`rows=${communes.length}, rows_without_id=0`);
    expect(text.text.split('\n')[0]).toMatch(/,n$|,n,/);
  });

  it('merges groups as dissolve does, with sums, weighted means, shares and extremes', async () => {
    const group = (i: number) => ['west', 'east', 'south'][i % 3];
    const [people, rate] = [(i: number) => 10 * i + 1, (i: number) => (i * 7) % 11];
    const table = tableOf((i) => `${group(i)},${people(i)},${rate(i)}`, 'id,g,people,rate');
    const figures = [
      'people:sum',
      'rate:mean:people',
      'rate:mean',
      'people:share',
      'rate:min',
      'rate:max',
      'rate:count',
    ];
    const features = await featuresBy('name', table, { group_column: 'g', figures: figures.slice(0, 2) });
    const groups: Record<string, string[]> = {};
    for (const [i, { id }] of communes.entries())
      groups[group(i) as string] = [...(groups[group(i) as string] ?? []), id];
    const dissolved = read(await server.ask('POST', '/v1/dissolve', { key, json: { groups } })).features;
    for (const name of ['west', 'east', 'south']) {
      const own = [...communes.keys()].filter((i) => group(i) === name);
      const sum = own.reduce((all, i) => all + people(i), 0);
      const { properties } = features.get(name) as Feature;
      expect(properties.people_sum).toBe(sum);
      expect(properties.rate_mean).toBeCloseTo(own.reduce((all, i) => all + people(i) * rate(i), 0) / sum, 12);
      const area = dissolved.find((one) => one.properties.group === name)?.properties.area_km2;
      expect(properties.area_km2).toBeCloseTo(area as number, 6);
      expect(properties.members).toBe(own.length);
    }
    const more = await featuresBy('name', table, { group_column: 'g', figures: figures.slice(3) });
    const shares = [...more.values()].map(({ properties }) => properties.people_share as number);
    expect(shares.reduce((all, one) => all + one, 0)).toBeCloseTo(1, 12);
    expect(more.get('west')?.properties).toMatchObject({ rate_count: groups.west?.length });
    expect(more.get('west')?.properties.rate_min).toBeLessThanOrEqual(more.get('west')?.properties.rate_max as number);
  });

  it('adds rows up to a parent, and several rows of one boundary', async () => {
    const level = communes[0]?.parents.at(-1)?.admin_level as number;
    const inside = communes.flatMap(({ id }, i) => (parentOf(i, level) ? [`${id},${i}`] : []));
    const table = `id,n\n${inside.join('\n')}\n`;
    const features = await featuresBy('id', table, { parent_level: level, figures: ['n:sum', 'n:count'] });
    for (const [id, { properties }] of features) {
      const own = [...communes.keys()].filter((i) => parentOf(i, level) === id);
      expect(properties).toMatchObject({ n_sum: own.reduce((all, i) => all + i, 0), n_count: own.length });
    }
    const twice = await featuresBy('id', `id,n\n${communes[0]?.id},1\n${communes[0]?.id},2.5\n`, {
      figures: ['n:sum'],
    });
    expect(twice.get(communes[0]?.id as string)?.properties.n_sum).toBe(3.5);
  });

  it.each(['geojson', 'csv', 'topojson', 'kml'])(
    'writes sums, means and shares in meaningful digits: %s',
    async (format) => {
      const { id } = communes[0] as { id: string };
      const whole = 9_007_199_254_740_991;
      const cells = ['0.1,0.7,1', '0.2,0.1,2', '0.8,0.1,6'].map((row, i) => `${id},${row},${i === 0 ? whole : 0}`);
      const figures = ['a:sum', 'a:mean', 'b:mean:w', 'n:sum'];
      const reply = await join(`id,a,b,w,n\n${cells.join('\n')}\n`, { figures, format });
      expect(reply.status, reply.text).toBe(200);
      // As doubles 1.1, 0.36666666666666670 and 0.16666666666666666; a whole number keeps its sixteen digits.
      for (const value of ['1.1', '0.366666666666667', '0.166666666666667', String(whole)])
        expect(reply.text).toMatch(new RegExp(`[^\\d.]${value.replace('.', '\\.')}(?!\\d)`));
    },
  );

  it('names the row and the column of what is wrong', async () => {
    const id = communes[0]?.id as string;
    const wrong = async (csv: string, more: object = {}) => read(await join(csv, more)).detail;
    expect(await wrong(`id,n\n${id},1\n${id},2\n`)).toContain('line 3');
    expect(await wrong(`id,n\n${id},1\n,2\n${id},1 000\n`, { figures: ['n:sum'] })).toContain(
      'line 4, column n: "1 000"',
    );
    expect(await wrong(`id,n\n${id},NaN\n`, { figures: ['n:sum'] })).toContain('"NaN"');
    expect(await wrong(`id,n,w\n${id},1,\n`, { figures: ['n:mean:w'] })).toContain('line 2, column w');
    expect(await wrong(`id,n,w\n${id},1,-1\n`, { figures: ['n:mean:w'] })).toContain('negative');
    expect(await wrong(`id,n\nr99999999,1\n${id},2\n`)).toContain('line 2: r99999999');
    expect(await wrong('id,n\nSevilla,1\n')).toContain('line 2: Sevilla is not an id');
    expect(await wrong('place,n\nSevilla,1\n')).toContain('match_names');
    expect(await wrong('id,n\n,1\n')).toContain('no row with an id');
    expect(await wrong(`id,n\n${id},1\n`, { group_column: 'n' })).toContain('figures');
    expect(await wrong(`id,n\n${id},1\n`, { figures: ['m:sum'] })).toContain('there is no column m');
    expect(await wrong(`id,n\n${id},1\n`, { figures: ['n:median'] })).toContain('column:how');
    expect(await wrong(`id,n\n${id},1\n`, { parent_level: 11, figures: ['n:sum'] })).toContain('admin_level 11');
    expect(await wrong(`id${',a'.repeat(1_200)}\n${id}\n`)).toContain('line 1');
    expect(
      await wrong(`id${Array.from({ length: 150 }, (_, i) => `,c${i}`).join('')}\n${id}${',1'.repeat(150)}\n`),
    ).toContain('at most 100');
    expect((await join(`id,n\n${id},1\n`, {}, '')).status).toBe(401);
  });

  it('refuses a boundary and a part of it where their figures would be added twice', async () => {
    const at = communes.findIndex(({ parents }) => parents.length > 0);
    const child = communes[at]?.id as string;
    const outer = communes[at]?.parents.at(-1) as { id: string; admin_level: number };
    const csv = `id,n,g\n${child},1,a\n${outer.id},10,b\n`;
    const said = `line 2: ${child} is inside of ${outer.id}, of line 3`;
    for (const more of [
      { parent_level: outer.admin_level, figures: ['n:sum'] },
      { group_column: 'g', figures: ['n:sum'] },
      { figures: ['n:share'] },
    ]) {
      const answer = read(await join(csv, more));
      expect([answer.code, answer.detail]).toEqual(['invalid_input', expect.stringContaining(said)]);
    }
    expect(read(await join(csv)).features).toHaveLength(2);
  });

  it('refuses a column with two decimal signs', async () => {
    const [one, two, three] = communes.map(({ id }) => id);
    const csv = `id;n;m\n${one};1.234;1\n${two};12;2,5\n${three};12,5;3,5\n`;
    for (const [more, fault] of [
      [{ figures: ['n'] }, 'line 4, column n: "12,5" has another decimal sign than line 2'],
      [{ figures: ['n:sum'] }, 'line 4, column n: "12,5" has another decimal sign than line 2'],
      [{}, 'line 2, column n: "1.234" has another decimal sign than line 3'],
      [{ figures: ['m:mean:n'] }, 'line 2, column n: "1.234" has another decimal sign than line 3'],
    ] as const) {
      const answer = read(await join(csv, more));
      expect([answer.code, answer.detail]).toEqual(['invalid_input', expect.stringContaining(fault)]);
    }
    const fine = await featuresBy('id', csv, { figures: ['m'] });
    expect(fine.get(two as string)?.properties.m).toBe(2.5);
  });

  it('refuses thousands beside a column with the other decimal sign, and reads three decimals', async () => {
    const [one, two] = communes.map(({ id }) => id);
    const votes = `id;share;votes\n${one};40,1;338.211\n${two};32,9;652.340\n`;
    for (const csv of [votes, votes.replaceAll(',', '#').replaceAll('.', ',').replaceAll('#', '.')]) {
      const { code, detail } = read(await join(csv, {}));
      expect([code, detail]).toEqual([
        'invalid_input',
        expect.stringMatching(/line 2, column votes: "338[.,]211" has/),
      ]);
    }
    const decimals = await featuresBy('id', votes.replaceAll(',', '.'), {});
    expect(decimals.get(one as string)?.properties).toMatchObject({ share: 40.1, votes: 338.211 });
  });

  it('refuses a figure that is named twice before it looks at the cells, and looks at a column once', async () => {
    const { readFigures, withNumbers } = await import('../../src/domain/tables/figures.ts');
    expect(() => readFigures(['n', 'n'], ['id', 'n'])).toThrow('n is there twice');
    let reads = 0;
    const row = (n: string) => ({
      cells: Object.defineProperty(['r1', n], 1, {
        get: () => {
          reads++;
          return n;
        },
      }),
    });
    const figures = readFigures(['n', 'id', 'n:sum'], ['id', 'n']);
    const { signal } = new AbortController();
    const numbers = async (...cells: string[]) =>
      (await withNumbers(figures, cells.map(row), ',', signal))[0]?.isNumber;
    expect([await numbers('1', '', '2.5'), reads]).toEqual([true, 3]);
    expect(await numbers('1', 'x', '2')).toBe(false);
    expect(await numbers('1', '01')).toBe(false);
    expect(await numbers('', ' ')).toBe(false);
    expect(reads).toBe(9);
  });

  it('costs a unit for each distinct boundary', async () => {
    const mine = (await server.key('free')).key;
    const [one, two] = communes;
    await join(`id,n\n${one?.id},1\n${one?.id},1\n${two?.id},1\n`, { figures: ['n:sum'] }, mine);
    expect(await server.used(mine)).toBe(2);
  });
});
