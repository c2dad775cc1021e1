import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createNameIndex, type NameIndex } from '../../src/domain/read_model/name_index.ts';
import type { Hit, Search } from '../../src/domain/search/hit.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { importFile } from '../../src/sources/import.ts';
import { insertFixtures } from '../domain/fixture_boundaries.ts';
import { dataDir, openSeededEnvironment, type ProofEnvironment } from '../proof/environment.ts';
import { drawn } from '../proof/rounds.ts';
import { leading } from '../setup/elements.ts';
import { municipalities } from './stored_places.ts';

/** A query as people type it; `expect`: what may come first (id, iso:CODE or source/id in the source), or nothing at all. */
interface Query {
  readonly class: string;
  readonly lang: string;
  readonly q: string;
  readonly expect: readonly string[];
}

const read = (file: string): Query[] => JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
/**
 * The second set was made by other rules than the first, after the code. The third has what the tests of two other
 * geocoders ask of places that are stored here too: of pelias/placeholder (test/cases, and placeholder_*.json of
 * pelias/acceptance-tests) and of Photon (QueryBasicSearchTest, QueryRelevanceTest, ApostropheNormalizationTest).
 */
const SETS = {
  queries: read('queries.json'),
  more_queries: read('more_queries.json'),
  asked_of_others: read('asked_of_others.json'),
} as const;
const queries = Object.values(SETS).flat();
const classes = Object.entries(SETS).flatMap(([set, list]) =>
  [...new Set(list.map((query) => query.class))].map((name) => ({ set: set as keyof typeof SETS, name })),
);

/** Shares of a class that have to be right at the first place, and among the first three. */
const FIRST = 0.97;
const FIRST_THREE = 0.99;
/** Of Photon's, "ascq" is known not to find Villeneuve-d'Ascq: an article before an apostrophe is part of its word. */
const OF_OTHERS = 0.95;

const FILES = ['luxembourg-2018-boundaries', 'liechtenstein-2024', 'malta-2018', 'anhui-cn-2017'];

describe.skipIf(!dataDir)('queries as people type them (needs REAL_DATA_DIR)', { timeout: 900_000 }, () => {
  let server: ProofEnvironment;
  let names: NameIndex;
  const ids = new Map<string, string[]>();
  const one = (key: string): string => defined((ids.get(key) ?? [])[0]);
  const search = (q: string, more: Partial<Search> = {}): Promise<Hit[]> =>
    searchBoundaries({ db: server.test.db, boundaries: createBoundaries(server.test.db) }, { q, limit: 10, ...more });

  beforeAll(async () => {
    server = await openSeededEnvironment();
    names = createNameIndex(server.test.db, 2 ** 28);
    const deps = { db: server.test.db, engine: server.engine };
    for (const file of FILES) await importFile(deps, join(dataDir as string, `osm/${file}.boundaries.osm.pbf`), null);
    const rows = await server.test.db.query<{ id: string; iso: string | null; source: string; source_id: string }>(
      'select id, iso, source, source_id from boundary',
    );
    for (const { id, iso, source, source_id } of rows) {
      for (const key of [id, `iso:${iso}`, `${source}/${source_id}`]) ids.set(key, [...(ids.get(key) ?? []), id]);
    }
    // Their shapes decide nothing here: read with their boxes, 40,000 municipalities take seconds.
    const [france, italy] = await Promise.all([
      municipalities('fr-communes.geojson.gz', 'code', 'nom', 'FR', one('iso:FR'), 8_000_000_000_000),
      municipalities('it-comuni.geojson.gz', 'com_istat_code', 'name', 'IT', one('iso:IT'), 8_100_000_000_000),
    ]);
    await insertFixtures(server.test.db, [...france.made, ...italy.made]);
    for (const [key, id] of france.keys) ids.set(`ign-communes/${key}`, [id]);
    for (const [key, id] of italy.keys) ids.set(`istat-comuni/${key}`, [id]);
    // As an import ends. Without vacuum, each search reads all new names beside the index (gin_pending_list_limit).
    await server.test.db.query('vacuum (analyze) boundary, boundary_name, boundary_parent');
  }, 900_000);
  afterAll(() => server?.close());

  it('are at least 1,000 and 300 more in ten languages each, and what they expect is stored', () => {
    expect(SETS.queries.length).toBeGreaterThanOrEqual(1_000);
    expect(SETS.more_queries.length).toBeGreaterThanOrEqual(300);
    for (const set of [SETS.queries, SETS.more_queries]) {
      expect(new Set(set.map(({ lang }) => lang)).size).toBeGreaterThanOrEqual(10);
    }
    expect(queries.filter((query) => query.expect.length === 0).length).toBeGreaterThanOrEqual(100);
    const unknown = queries.flatMap((query) => query.expect).filter((key) => !ids.has(key));
    expect(unknown).toEqual([]);
  });

  it.each(classes)('$set: $name', async ({ set, name }) => {
    const wrong: string[] = [];
    const differ: string[] = [];
    const boundaries = createBoundaries(server.test.db);
    await names.warm();
    let [all, first, three] = [0, 0, 0];
    const asked = SETS[set].filter((query) => query.class === name);
    // The statements of the database take most of the time.
    const compared = new Set(drawn(asked).map(({ q }) => q));
    for (const { q, expect: keys } of asked) {
      const hits = await searchBoundaries({ db: server.test.db, boundaries, names }, { q, limit: 10 });
      if (compared.has(q) && !isDeepStrictEqual(hits, await search(q))) differ.push(q);
      const found = hits.map(({ id }) => id);
      const wanted = keys.flatMap((key) => ids.get(key) ?? []);
      const isRight = (places: number) =>
        keys.length === 0 ? found.length === 0 : found.slice(0, places).some((id) => wanted.includes(id));
      all++;
      if (isRight(1)) first++;
      else wrong.push(q);
      if (isRight(3)) three++;
    }
    const others = set === 'asked_of_others';
    expect(first / all, wrong.join('; ')).toBeGreaterThanOrEqual(others ? OF_OTHERS : FIRST);
    expect(three / all, wrong.join('; ')).toBeGreaterThanOrEqual(others ? OF_OTHERS : FIRST_THREE);
    expect(differ, 'answered otherwise from memory').toEqual([]);
  });

  it('say how they were understood', async () => {
    const [chaves] = leading(await search('Chaves County, NM'), 1);
    expect([chaves.name, chaves.match, chaves.interpretation]).toEqual([
      'Chaves',
      'exact',
      { name: 'chaves', within: { id: 'r162014', name: 'New Mexico' }, kind: 'county', ignored: null },
    ]);
    const [misspelled] = leading(await search('Roosvelt County'), 1);
    expect([misspelled.name, misspelled.match]).toEqual(['Roosevelt', 'fuzzy']);
    expect(defined((await search('UK'))[0]).match).toBe('alias');
    expect(defined((await search('Sevil'))[0]).match).toBe('prefix');
  });

  it.each([
    ['Ohio Co.', 'county', 'Ohio'],
    ['ajuntament de El Grado', 'municipality', 'El Grado'],
    ['Iowa Co.', 'county', 'Iowa'],
    ['València/Valencia province', 'province', 'València/Valencia'],
    ['Alacant/Alicante province', 'province', 'Alacant/Alicante'],
    ['Noáin (Valle de Elorz)/Noain (Elortzibar), Navarra', 'municipality', 'Noáin (Valle de Elorz)/Noain (Elortzibar)'],
    ['Noáin (Valle de Elorz)/Noain (Elortzibar), ES', 'municipality', 'Noáin (Valle de Elorz)/Noain (Elortzibar)'],
    ['Springfield/Illinois', 'county', 'Sangamon'],
    ['Chaves/New Mexico', 'county', 'Chaves'],
  ])('signs and short words in a name: %s', async (q, kind, name) => {
    const [hit] = await search(q);
    expect([hit?.kind ?? null, hit?.name]).toEqual([kind, name]);
  });

  it.each([
    ['Cook County', 'US-IL'],
    ['Lake County', 'US-IL'],
    ['Franklin County', 'US-OH'],
    ['Clark County', 'US-NV'],
    ['Kings', 'US-NY'],
  ])('mean the county in which most people live: %s', async (q, state) => {
    const [hit] = await search(q);
    const within = hit?.parents.at(-1)?.id;
    expect([hit?.kind, within]).toEqual(['county', one(`iso:${state}`)]);
  });

  it('that are still being typed are completed and not corrected', async () => {
    expect(defined((await search('sevil', { prefix: true }))[0]).match).toBe('prefix');
    expect(await search('sevlla', { prefix: true })).toEqual([]);
  });

  it.each([
    ['Chaves County, NM', 'r162014/Chaves'],
    ['Chaves County, New Me', 'r162014/Chaves'],
    ['chaves n', 'r162014/Chaves'],
    ['Dallas County, Te', 'iso:US-TX/Dallas'],
    ['Chaves Cou', '/Chaves'],
    ['provincia de Sevi', '/Sevilla'],
    ['Cádiz, Esp', 'iso:ES/Cádiz'],
    ['Verea, Ourens', 'iso:ES-OR/Verea'],
    ['Vere, Ourense', 'iso:ES-OR/Verea'],
    ['Chaves, q', null],
    ['Chaves xylo', null],
  ])('what is typed with its place or kind is completed: %s', async (q, expected) => {
    const wanted = { q, prefix: true, limit: 5 };
    const hits = await search(q, { prefix: true, limit: 5 });
    await names.warm();
    const services = { db: server.test.db, boundaries: createBoundaries(server.test.db), names };
    expect(await searchBoundaries(services, wanted)).toEqual(hits);
    const [within, name] = expected?.split('/') ?? [];
    const inside = within === '' ? undefined : within?.startsWith('iso:') ? one(within) : within;
    expect(hits[0]?.name ?? null).toBe(name ?? null);
    if (inside !== undefined) expect(defined(hits[0]).interpretation.within?.id).toBe(inside);
  });

  it('are completed from memory', async () => {
    const held = await names.warm();
    expect(held?.count).toBeGreaterThan(100_000);
    expect((held?.bytes ?? 0) / (held?.count ?? 1)).toBeLessThan(250);
    const services = { db: server.test.db, boundaries: createBoundaries(server.test.db) };
    for (const q of ['s', 'par', 'New Y', 'saint-é', '中', 'cha', '28', 'vill', 'reggio ']) {
      const wanted = { q, prefix: true, limit: 10 };
      expect(await searchBoundaries({ ...services, names }, wanted), q).toEqual(
        await searchBoundaries(services, wanted),
      );
    }
  });

  it('name what is not stored, and are found in its country', async () => {
    const [firenze] = leading(await search('Firenze, Toscana'), 1);
    expect([firenze.name, firenze.interpretation.within?.name]).toEqual(['Firenze', 'Italy']);
    expect(defined((await search('ES618'))[0]).iso).toBe('ES-SE');
  });

  it('are answered with the people of countries and states', async () => {
    const [spain] = leading(await search('Spain'), 1);
    const [california] = leading(await search('California'), 1);
    expect([spain.population, california.population]).toEqual([47_280_400, 39_250_017]);
  });

  it('are answered by what is near where several have the name', async () => {
    const georgia = await search('Georgia', { near: { lat: 33.75, lon: -84.39 } });
    expect(defined(georgia[0]).iso).toBe('US-GA');
    expect(defined((await search('Georgia'))[0]).iso).toBe('GE');
  });
});
