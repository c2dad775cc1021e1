import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { invoke } from '../../src/core/invoke.ts';
import { LOCAL_OPERATOR } from '../../src/core/op.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { foldName } from '../../src/domain/names/fold.ts';
import { createNameIndex, type NameIndex } from '../../src/domain/read_model/name_index.ts';
import type { Hit } from '../../src/domain/search/hit.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { matchNames } from '../../src/ops/tables/match_names.ts';
import { openPlanning, type Planning } from '../areas/planned.ts';
import type { ProofEnvironment } from '../proof/environment.ts';
import { servicesOf } from '../setup/services.ts';
import { Draw } from './made.ts';

/** Share of a class that has to be right. */
const SHARE = 0.95;
/** Cities of one class. */
const COUNT = 60;

interface Row {
  readonly code: string;
  readonly name: string;
  /** Whether the name means the city only before its state. */
  readonly isWord: boolean;
}

const { cities, inside } = JSON.parse(readFileSync('data/city_names.json', 'utf8')) as Readonly<
  Record<'cities' | 'inside', Readonly<Record<string, readonly string[]>>>
>;
const { regions: regionNames } = JSON.parse(readFileSync('data/region_names.json', 'utf8')) as {
  readonly regions: Readonly<Record<string, string>>;
};
const nicknames = JSON.parse(readFileSync('scripts/city_names/known_nicknames.json', 'utf8')) as Readonly<
  Record<'cities' | 'counties', Readonly<Record<string, string>>>
>;
const rowsOf = (country: string): Row[] =>
  defined(inside[country]).map((row) => {
    const [code = '', , name = ''] = row.split(';');
    return { code, name: name.replace(/^@/, ''), isWord: name.startsWith('@') };
  });

interface Stored {
  readonly key: string;
  readonly id: string;
  readonly name: string;
  /** Name and ISO 3166-2 code of the state or region around it. */
  readonly within: string | null;
  readonly iso: string | null;
}

describe('cities that are not stored, in a boundary of another name', { timeout: 600_000 }, () => {
  const draw = new Draw();
  let planning: Planning;
  let server: ProofEnvironment;
  let names: NameIndex;
  /** Counties of the United States and municipalities of Spain, by their official codes. */
  let stored: ReadonlyMap<string, Stored>;

  beforeAll(async () => {
    planning = await openPlanning();
    server = planning.server;
    names = createNameIndex(server.test.db, 2 ** 28);
    await names.warm();
    const rows = await server.test.db.query<Stored>(
      `select b.country || ' ' || b.codes[1] as key, b.id, b.name, p.name as within, p.iso
       from boundary b left join lateral (
         select p.name, p.iso from boundary_parent bp join boundary p on p.id = bp.parent
         where bp.child = b.id and p.admin_level = 4 limit 1) p on true
       where b.country = 'US' and b.admin_level = 6 or b.country = 'ES' and b.admin_level = 8`,
    );
    stored = new Map(rows.map((row) => [row.key, row]));
  }, 600_000);
  afterAll(() => planning?.close());

  const services = () => ({ db: server.test.db, boundaries: createBoundaries(server.test.db) });
  const search = (q: string, more: { readonly prefix?: boolean } = {}): Promise<Hit[]> =>
    searchBoundaries({ ...services(), names }, { q, limit: 10, ...more });
  /** The first result that is not the boundary of a whole name. */
  const around = (hits: readonly Hit[]): Hit | undefined => hits.find(({ match }) => match === 'around');

  it('the county around a city of the United States is found with the state, and says so', async () => {
    const wrong: string[] = [];
    const cities = draw.some(rowsOf('US'), COUNT);
    for (const { code, name } of cities) {
      const county = stored.get(`US ${code}`);
      const hits = await search(`${name}, ${county?.within}`);
      const found = around(hits);
      const isLast =
        hits.findIndex(({ match }) => match === 'around') >= hits.filter(({ match }) => match === 'exact').length;
      if (found?.id !== county?.id || found?.interpretation.name !== name || !isLast) wrong.push(name);
    }
    expect(1 - wrong.length / cities.length, `${wrong.join('; ')} (MADE_SEED=${draw.seed})`).toBeGreaterThanOrEqual(
      SHARE,
    );
  });

  it('with the word for a county without using it, and not while a name is typed', async () => {
    for (const { name } of draw.some(rowsOf('US'), COUNT)) {
      expect(around(await search(`${name} county`))?.interpretation.ignored ?? 'county', name).toBe('county');
      expect(around(await search(name, { prefix: true })), name).toBeUndefined();
    }
  });

  it('a town finds its county with the state behind it, also one that is called like a country', async () => {
    const towns = readFileSync('data/american_towns.tsv', 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    const wrong: string[] = [];
    for (const [name = '', codes = ''] of draw.some(towns, COUNT)) {
      const county = stored.get(`US ${draw.one(codes.split(' '))}`);
      const hits = (await search(`${name}, ${county?.within}`)).slice(0, 3);
      if (!hits.some(({ id }) => id === county?.id)) wrong.push(`${name}, ${county?.within}`);
    }
    expect(1 - wrong.length / COUNT, `${wrong.join('; ')} (MADE_SEED=${draw.seed})`).toBeGreaterThanOrEqual(SHARE);
    for (const [q, county] of [
      ['Poland, Ohio', 'Mahoning'],
      ['Mexico, New York', 'Oswego'],
      ['Peru IL', 'LaSalle'],
    ] as const)
      expect((await search(q))[0]).toMatchObject({ name: county, match: 'around' });
    // Two small letters are a word: Hope is in Indiana, too.
    expect(await search('hope in')).toEqual([]);
  });

  it('the county with most of a large city comes before that with the rest', async () => {
    const names = (await search('Aurora, Colorado')).slice(0, 2).map(({ name }) => name);
    expect(names).toEqual(['Arapahoe', 'Adams']);
  });

  it('a nickname finds the county of its city, alone if it needs no state and else before it', async () => {
    const codes = new Map<string, string[]>();
    for (const row of [...defined(cities.US), ...defined(inside.US)]) {
      const [code = '', , ...called] = row.split(';');
      for (const name of called)
        codes.set(name.replace(/^@/, ''), [...(codes.get(name.replace(/^@/, '')) ?? []), code]);
    }
    const all = Object.values({ ...nicknames.cities, ...nicknames.counties }).flatMap((list) => list.split(';'));
    const some = draw.some(all, COUNT);
    const wrong: string[] = [];
    for (const name of some) {
      const own = codes.get(foldName(name.replace(/^@/, ''))) ?? [];
      const counties = own.flatMap((code) => stored.get(`US ${code.split('+')[0]}`) ?? []);
      const placed = await search(`${name.replace(/^@/, '')}, ${counties[0]?.within}`);
      const alone = name.startsWith('@') ? placed : await search(name);
      const isOne = (hit: Hit | undefined): boolean => counties.some(({ id }) => id === hit?.id);
      if (!isOne(placed[0]) || !isOne(alone[0])) wrong.push(name);
    }
    expect(1 - wrong.length / some.length, `${wrong.join('; ')} (MADE_SEED=${draw.seed})`).toBeGreaterThanOrEqual(
      SHARE,
    );
  });

  it('a region or an island behind a name stands for the division that it is in, and is said to be ignored', async () => {
    const regions = Object.entries(regionNames).flatMap(([code, list]) =>
      list.split(';').flatMap((region) => (/^(?:US|ES)-/.test(code) ? [{ code, region }] : [])),
    );
    const wrong: string[] = [];
    const some = draw.some(regions, COUNT);
    for (const { code, region } of some) {
      const inside = [...stored.values()].filter(
        ({ iso, name }) => iso === code && !/[/,]/.test(name) && foldName(name) !== region,
      );
      if (inside.length === 0) continue;
      const { id, name, within } = draw.one(inside);
      const hits = (await search(`${name}, ${region}`)).slice(0, 3);
      const hit = hits.find((one) => one.id === id);
      const { interpretation } = hit ?? {};
      // Another name of the division itself ("Andalusien") is not ignored.
      const isSaid = [region, null].includes(interpretation?.ignored ?? null);
      if (!isSaid || interpretation?.within?.name !== within) wrong.push(`${name}, ${region}`);
      for (const { parents, interpretation: read } of hits)
        if (read.within) expect(parents.map((parent) => parent.name)).toContain(read.within.name);
    }
    expect(1 - wrong.length / some.length, `${wrong.join('; ')} (MADE_SEED=${draw.seed})`).toBeGreaterThanOrEqual(
      SHARE,
    );
  });

  it.each([
    ['MAHON menorca', 'Maó', 'Illes Balears'],
    ['Nassau county Long Island', 'Nassau', 'New York'],
    ['Marbella Costa del Sol', 'Marbella', 'Málaga'],
    ['Lubbock County West Texas', 'Lubbock', 'Texas'],
    ['Barnstable county New England', 'Barnstable', 'United States of America'],
  ])('%s is %s in %s', async (q, name, within) => {
    const hits = await search(q);
    expect([hits[0]?.name, hits[0]?.interpretation.within?.name]).toEqual([name, within]);
    expect(await searchBoundaries(services(), { q, limit: 10 })).toEqual(hits);
  });

  it('a town that is a part of a municipality of another name finds it', async () => {
    const wrong: string[] = [];
    const towns = rowsOf('ES').filter(({ code }) => stored.has(`ES ${code}`));
    expect(towns.length).toBeGreaterThan(20);
    for (const { code, name } of towns) {
      const [hit] = await search(name);
      if (hit?.id !== stored.get(`ES ${code}`)?.id || hit?.match !== 'around') wrong.push(name);
    }
    expect(1 - wrong.length / towns.length, wrong.join('; ')).toBeGreaterThanOrEqual(0.9);
  });

  it.each([
    ['Chicago', 'Cook'],
    ['Vegas', 'Clark'],
    ['Phoenix Arizona', 'Maricopa'],
    ['city of Detroit, Michigan', 'Wayne'],
    ['Jersey City', 'Hudson'],
    ['Kansas City', 'Jackson'],
    ['Чикаго', 'Cook'],
    ['Majorca', 'Illes Balears'],
    ['Majorca, Spain', 'Illes Balears'],
    ['Mallorca', 'Illes Balears'],
    ['Lanzarote', 'Las Palmas'],
    ['Madison, Wisconsin', 'Dane'],
    ['Motor City', 'Wayne'],
    ['Scranton, PA', 'Lackawanna'],
    ['city of Scranton', 'Lackawanna'],
    ['Paris, Texas', 'Lamar'],
    ['Springfield, OR', 'Lane'],
    ['Iowa City', 'Johnson'],
    ['road map of Chicago', 'Cook'],
    ['Cincy', 'Hamilton'],
    ['Indy', 'Marion'],
    ['Indy, Indiana', 'Marion'],
    ['KC Missouri', 'Jackson'],
    ['SLC', 'Salt Lake'],
    ['Music City Nashville', 'Davidson'],
  ])('%s is in %s', async (q, county) => {
    const hits = await search(q);
    expect([hits[0]?.name, hits[0]?.match]).toEqual([county, 'around']);
    expect(await searchBoundaries(services(), { q, limit: 10 })).toEqual(hits);
  });

  it('the county around a large city comes before those of its name, unless a word says county', async () => {
    const named = [...Array(5).fill('exact')];
    expect((await search('Houston')).map(({ match }) => match)).toEqual(['around', ...named]);
    expect((await search('Houston County')).map(({ match }) => match)).toEqual(named);
    expect((await search('Austin, Texas')).map(({ name }) => name)).toEqual(['Travis', 'Austin']);
    expect((await search('Austin County, Texas')).map(({ name }) => name)).toEqual(['Austin']);
    // A smaller city of the name is not meant by most.
    expect((await search('Lancaster'))[0]).toMatchObject({ name: 'Lancaster', match: 'exact' });
  });

  it('the county around a larger city follows the county of the city that is called like it', async () => {
    for (const [q, county] of [
      ['Macon', 'Bibb'],
      ['Madison', 'Dane'],
    ] as const)
      expect((await search(q)).slice(0, 2)).toMatchObject([{ match: 'exact' }, { name: county, match: 'around' }]);
    expect(around(await search('city of Dallas'))).toBeUndefined();
  });

  it('the largest city of the name anywhere is meant', async () => {
    for (const q of ['Vancouver', 'Paris', 'Birmingham City']) expect(around(await search(q)), q).toBeUndefined();
  });

  it('never first where a municipality of the name is stored', async () => {
    const named = await server.test.db.query<{ name: string }>(
      `select distinct n.folded as name from boundary_name n join boundary b on b.id = n.boundary_id
       where b.kind = 'municipality' and n.type = 'name' and n.folded = any ($1)`,
      [[...rowsOf('US'), ...rowsOf('ES')].map(({ name }) => name)],
    );
    expect(named.length).toBeGreaterThan(0);
    for (const { name } of named) expect((await search(name))[0]?.match, name).not.toBe('around');
  });

  it('areas and tables do not take the county for the city', async () => {
    const cities = draw.some(rowsOf('US'), 12);
    for (const { code, name } of cities) {
      const county = stored.get(`US ${code}`);
      for (const description of [name, `${name}, ${county?.within}`, `${name} and ${county?.within}`]) {
        const area = await planning.plan(description);
        expect(area?.include.map(({ id }) => id) ?? [], description).not.toContain(county?.id);
      }
    }
    const services = servicesOf({
      ...server,
      db: server.test.db,
      boundaries: createBoundaries(server.test.db),
      names,
      upstream: null,
    });
    const { body } = await invoke(
      matchNames,
      { rows: cities.map(({ name }) => ({ name })) },
      {
        ...{ caller: LOCAL_OPERATOR, address: null, requestId: 'test', signal: new AbortController().signal },
        ...{ deadline: Date.now() + 120_000, transport: 'rpc' as const, services, baseUrl: 'https://maps.example' },
        headers: {},
      },
    );
    const { rows } = body as { readonly rows: readonly { readonly boundary: { readonly id: string } | null }[] };
    for (const [i, { boundary }] of rows.entries())
      expect(boundary?.id, defined(cities[i]).name).not.toBe(stored.get(`US ${defined(cities[i]).code}`)?.id);
  });
});
