import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createNameIndex, type NameIndex } from '../../src/domain/read_model/name_index.ts';
import type { Hit } from '../../src/domain/search/hit.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { openSeededEnvironment, type ProofEnvironment } from '../proof/environment.ts';
import { leading } from '../setup/elements.ts';
import {
  byCode,
  byFlag,
  citiesBesideCounties,
  citiesElsewhere,
  countiesOfCities,
  countiesWithNoise,
  countiesWithTypos,
  Draw,
  localNames,
  type MadeQuery,
  NO_NAMES,
  placesElsewhere,
  type Stored,
  storedOf,
  withFlags,
  withKindWords,
  withNoise,
} from './made.ts';
import { phrasesOf } from './made_phrases.ts';
import { commonWords, namesAlone, typosAlone } from './made_words.ts';

/** Shares of a class that have to be right at the first place, and among the first three. */
const FIRST = 0.95;
const FIRST_THREE = 0.98;
/** Queries of one class. */
const COUNT = 60;

describe('queries made by rule from the stored names', { timeout: 600_000 }, () => {
  const draw = new Draw();
  let server: ProofEnvironment;
  let names: NameIndex;
  let counties: Stored[];
  /** Ids of the states of the United States by their letters. */
  let states: ReadonlyMap<string, string>;

  beforeAll(async () => {
    server = await openSeededEnvironment();
    names = createNameIndex(server.test.db, 2 ** 28);
    await names.warm();
    counties = await storedOf(server.test.db, 'US', 6);
    states = new Map((await storedOf(server.test.db, 'US', 4)).map(({ id, iso }) => [iso?.slice(3) ?? '', id]));
  }, 600_000);
  afterAll(() => server?.close());

  const search = (q: string, more: { readonly country?: readonly string[] } = {}): Promise<Hit[]> =>
    searchBoundaries(
      { db: server.test.db, boundaries: createBoundaries(server.test.db), names },
      { q, limit: 10, ...more },
    );

  /** Expects the shares of a class, and that no result lies outside the place that its interpretation names. */
  async function expectRight(name: string, queries: readonly MadeQuery[]): Promise<void> {
    expect(queries.length, name).toBeGreaterThan(0);
    const wrong: string[] = [];
    let three = 0;
    for (const { q, expect: wanted } of queries) {
      const hits = await search(q);
      for (const { name, parents, interpretation } of hits) {
        const within = interpretation.within?.id;
        if (within !== undefined)
          expect(
            parents.map((one) => one.id),
            `${q}: ${name}`,
          ).toContain(within);
      }
      const ids = hits.map((hit) => hit.id);
      const isRight = (found: readonly string[]) =>
        wanted.length === 0 ? ids.length === 0 : found.some((id) => wanted.includes(id));
      if (!isRight(ids.slice(0, 1))) wrong.push(q);
      if (isRight(ids.slice(0, 3))) three++;
    }
    const message = `${name} (MADE_SEED=${draw.seed}): ${wrong.join('; ')}`;
    expect(1 - wrong.length / queries.length, message).toBeGreaterThanOrEqual(FIRST);
    expect(three / queries.length, message).toBeGreaterThanOrEqual(FIRST_THREE);
  }

  it('words for a kind before or behind a name, in other languages, mean that kind', async () => {
    await expectRight('a word for the kind', await withKindWords(server.test.db, draw, COUNT));
  });

  it('counties with typos are found in the state that is written', async () => {
    for (const [name, queries] of Object.entries(countiesWithTypos(counties, draw, COUNT)))
      await expectRight(name, queries);
  });

  it('a city in no county and the county of its name are told apart by their words', async () => {
    const queries = citiesBesideCounties(counties);
    expect(queries.length).toBeGreaterThan(80);
    await expectRight('independent cities', queries);
  });

  it('a code of a division is never read as the country whose code has its letters', async () => {
    const divisions = await server.test.db.query<{ id: string; iso: string }>(
      "select id, iso from boundary where iso ~ '^[A-Z]{2}-' and has_geometry",
    );
    expect(divisions.filter(({ iso }) => /-.$/.test(iso)).length).toBeGreaterThan(10);
    for (const { id, iso } of divisions) {
      for (const q of [iso, iso.replace('-', ' '), iso.toLowerCase()]) {
        const found = await search(q);
        if (q === iso || q.length === 4) expect(found[0]?.id, q).toBe(id);
        expect(
          found.filter(({ kind }) => kind === 'country').map(({ name }) => name),
          q,
        ).toEqual([]);
      }
    }
    // No division of Sweden is stored, and Senegal is SEN.
    for (const q of ['SE-N', 'AR-E']) expect(await search(q), q).toEqual([]);
  });

  it('places are found by their own name before a country that another language calls so', async () => {
    await expectRight('local names', await localNames(server.test.db));
  });

  it('words for a map, a border or a file around a name are left out', async () => {
    const [states, provinces, countries] = await Promise.all([
      storedOf(server.test.db, 'US', 4),
      storedOf(server.test.db, 'ES', 6),
      server.test.db.query<Stored>("select id, name, country from boundary where kind = 'country' and has_geometry"),
    ]);
    await expectRight('maps of states', withNoise(states, draw, COUNT));
    // Communities of one province have its name.
    const communities = await storedOf(server.test.db, 'ES', 4);
    const alone = provinces.filter(({ name }) => !communities.some((one) => one.name.includes(name)));
    const ofCounties = ['county map of X', 'X counties', 'map of the counties of X', 'the counties in X'];
    const described = states
      .filter(({ name }) => !countries.some((one) => one.name === name))
      .map(({ id, name }) => ({ q: draw.one(ofCounties).replace('X', name), expect: [id] }));
    await expectRight('maps of what is in states', described);
    await expectRight('maps of provinces', withNoise(alone, draw, COUNT));
    await expectRight('maps of countries', withNoise(countries, draw, COUNT));
    await expectRight('maps of counties', countiesWithNoise(counties, draw, COUNT));
    await expectRight('flags', [...withFlags(alone, draw, COUNT / 2), ...withFlags(states, draw, COUNT / 2)]);
    await expectRight('flags of countries', byFlag(countries, draw, COUNT));
    await expectRight('codes', await byCode(server.test.db, draw, COUNT));
  });

  it('phrases around counties, with a code in front, a year behind, or a town of them', async () => {
    for (const [name, queries] of Object.entries(await phrasesOf(server.test.db, draw, COUNT)))
      await expectRight(name, queries);
    await expectRight(
      'codes before their country',
      ['LA', 'DE', 'IN', 'TX'].map((letters) => ({ q: `${letters}, USA`, expect: [defined(states.get(letters))] })),
    );
    for (const q of ['EN 50128', 'ISO 20022', 'zorgly 2024', 'lorem ipsum 12345'])
      expect(await search(q), q).toEqual([]);
  });

  it.each([
    ['Junta de Extremadura', 'Extremadura'],
    ['città indipendente di Chesapeake', 'Chesapeake'],
    ['the Caymans', 'Cayman Islands'],
    ['the Solomons', 'Solomon Islands'],
    ['Torrejón', 'Torrejón de Ardoz'],
    ['Salinas', 'Monterey'],
    ['Ames', 'Story'],
  ])('a place that a name may mean is among the first three: %s', async (q, name) => {
    expect((await search(q)).slice(0, 3).map((hit) => hit.name)).toContain(name);
  });

  it('the county of the city of a name comes first, and no other place for a city that is not stored', async () => {
    await expectRight('counties of cities', await countiesOfCities(server.test.db));
    await expectRight('cities elsewhere', await citiesElsewhere(server.test.db, draw, COUNT * 2));
    await expectRight(
      'no names',
      NO_NAMES.map((q) => ({ q, expect: [] })),
    );
  });

  it('a common word is not a typo in the name of a village, and a typo alone is one in that of a place people know', async () => {
    await expectRight('common words', await commonWords(server.test.db, draw, COUNT * 2));
    for (const file of ['person_names.json', 'brand_names.json'] as const)
      await expectRight(file, await namesAlone(server.test.db, draw, { file, count: COUNT * 2 }));
    await expectRight('a typo alone', await typosAlone(server.test.db, draw, COUNT * 4));
  });

  it('a place of the world that is not stored is not a typo in the name of another', async () => {
    const guessed: string[] = [];
    for (const q of placesElsewhere(draw, COUNT * 2)) {
      for (const { name, match } of await search(q)) if (match === 'fuzzy') guessed.push(`${q}: ${name}`);
    }
    expect(guessed, `MADE_SEED=${draw.seed}`).toEqual([]);
  });

  it.each([
    ['Brooklyn', ['36047']],
    ['Manhattan', ['36061']],
    ['Staten Island, NY', ['36085']],
    ['the Bronx', ['36005']],
    ['Philly', ['42101']],
    ['Queens NYC', ['36081']],
    ['Brooklyn, New York City', ['36047']],
    ['the Bronx NYC', ['36005']],
    ['LA County', ['06037']],
    ['L.A.', ['06037']],
    ['SF', ['06075']],
    ['NYC', ['36061', '36047', '36081', '36005', '36085']],
  ])('names in use of cities are found: %s', async (q, codes) => {
    const hits = await search(q);
    const found = await Promise.all(
      hits
        .slice(0, codes.length)
        .map(({ id }) =>
          server.test.db.query<{ code: string }>('select codes[1] as code from boundary where id = $1', [id]),
        ),
    );
    expect(found.map(([one]) => defined(one).code)).toEqual(codes);
    const statements = await searchBoundaries(
      { db: server.test.db, boundaries: createBoundaries(server.test.db) },
      { q, limit: 10 },
    );
    expect(statements).toEqual(hits);
  });

  it('a part of a name behind a hyphen is found in the state that is written, and no city in a place far from it', async () => {
    const parts = counties.flatMap((one): MadeQuery[] => {
      const [, last] = /-([A-Z][a-z]{3,})$/.exec(one.name) ?? [];
      if (last === undefined || counties.some((other) => other.name.startsWith(last) && other.within === one.within))
        return [];
      return [{ q: `${last} County, ${one.within}`, expect: [one.id] }];
    });
    await expectRight('behind a hyphen', parts);
    await expectRight('cities of another name', [{ q: 'Mississippi River', expect: [] }]);
    expect(defined((await search('Salt Lake City'))[0]).parents.at(-1)?.name).toBe('Utah');
    expect(defined((await search('Dade County, Florida'))[0]).match).toBe('word');
  });

  it('say which words around the name were left out', async () => {
    expect(defined((await search('map of Texas'))[0]).interpretation.ignored).toBe('map');
    expect(defined((await search('Texas geojson'))[0]).interpretation.ignored).toBe('geojson');
    expect(defined((await search("carte de l'Andalousie"))[0]).iso).toBe('ES-AN');
    expect(defined((await search('#Texas'))[0]).interpretation.ignored).toBeNull();
    expect(defined((await search('🇬🇪 Georgia'))[0]).iso).toBe('GE');
    expect(defined((await search('🇺🇸 Georgia'))[0]).iso).toBe('US-GA');
    expect((await search('🇪🇸')).map(({ iso }) => iso)).toEqual(['ES']);
    expect(await search('🇪🇸 Texas', { country: ['US'] })).toEqual([]);
  });

  it.each([
    ['Lee co. AL', 'Alabama', null],
    ['Frnklin County, OH', 'Ohio', null],
    ['Washimgton, AL', 'Alabama', null],
    ['Chaves County, NM', 'New Mexico', null],
    ['Alabama country', undefined, 'country'],
  ])('say what was not used: %s', async (q, within, ignored) => {
    const [hit] = leading(await search(q), 1);
    expect([hit.interpretation.within?.name, hit.interpretation.ignored]).toEqual([within, ignored]);
  });
});
