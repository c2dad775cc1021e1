import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { foldName } from '../../src/domain/names/fold.ts';
import { latinOf } from '../../src/domain/names/latin.ts';
import { codesWithNames } from '../../src/domain/names/place_names.ts';
import { createNameIndex, type NameIndex } from '../../src/domain/read_model/name_index.ts';
import { nominativesOf } from '../../src/domain/search/declined.ts';
import type { Hit } from '../../src/domain/search/hit.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { openSeededEnvironment, type ProofEnvironment } from '../proof/environment.ts';
import { Draw, type Stored, storedOf } from './made.ts';

/** Share of a class that has to be right. */
const SHARE = 0.95;
/** Queries of one class. */
const COUNT = 60;

const QUESTIONS: readonly ((name: string, place: string) => string)[] = [
  (name, place) => `where in ${place} is ${name}`,
  (name, place) => `in which part of ${place} is ${name} located?`,
  (name, place) => `wo in ${place} liegt ${name}`,
  (name, place) => `où en ${place} se trouve ${name}`,
  (name, place) => `en qué parte de ${place} está ${name}`,
];

describe('questions, codes and places with a typo beside a name', { timeout: 600_000 }, () => {
  const draw = new Draw();
  let server: ProofEnvironment;
  let names: NameIndex;
  let counties: Stored[];

  beforeAll(async () => {
    server = await openSeededEnvironment();
    names = createNameIndex(server.test.db, 2 ** 28);
    await names.warm();
    counties = (await storedOf(server.test.db, 'US', 6)).filter(({ kind }) => kind === 'county');
  }, 600_000);
  afterAll(() => server?.close());

  const search = (q: string): Promise<Hit[]> =>
    searchBoundaries({ db: server.test.db, boundaries: createBoundaries(server.test.db), names }, { q, limit: 10 });

  async function expectFirst(queries: readonly { readonly q: string; readonly id: string }[]): Promise<void> {
    const wrong: string[] = [];
    expect(queries.length).toBeGreaterThan(5);
    for (const { q, id } of queries) {
      const [hit] = await search(q);
      if (hit?.id !== id) wrong.push(`${q}: ${hit?.name ?? 'nothing'}`);
    }
    expect(1 - wrong.length / queries.length, `${wrong.join('; ')} (MADE_SEED=${draw.seed})`).toBeGreaterThanOrEqual(
      SHARE,
    );
  }

  it('ask where in a state a county is', async () => {
    const asked = draw.some(counties, COUNT).map(({ name, within, id }, i) => ({
      q: defined(QUESTIONS[i % QUESTIONS.length])(`${name} County`, within ?? ''),
      id,
    }));
    await expectFirst(asked);
  });

  it('ask which county a city is in', async () => {
    for (const [q, county] of [
      ['what county is Boise in', 'Ada'],
      ['which county is Scranton in?', 'Lackawanna'],
      ['in which state is Ada County', 'Ada'],
    ] as const) {
      const [hit] = await search(q);
      expect(hit?.name, q).toBe(county);
    }
  });

  it('have the number of a county beside the word for one', async () => {
    const coded = await server.test.db.query<{ id: string; code: string }>(
      "select id, substring(source_id from '[0-9]{5}$') as code from boundary where kind = 'county' and source_id ~ '[0-9]{5}$'",
    );
    expect(coded.length).toBeGreaterThan(3_000);
    const asked = draw.some(coded, COUNT).map(({ id, code }, i) => ({
      q: i % 2 === 0 ? `${code} county` : `county ${code}`,
      id,
    }));
    await expectFirst(asked);
  });

  it('have a code of the Census Bureau, or one that lost its first zero', async () => {
    const coded = await server.test.db.query<{ id: string; code: string }>(
      "select id, substring(source_id from '[0-9]{5}$') as code from boundary where kind = 'county' and source_id ~ '[0-9]{5}$'",
    );
    const forms = [
      (code: string) => `0500000US${code}`,
      (code: string) => `GEOID: 0500000US${code}`,
      (code: string) => `fips_${code}`,
      (code: string) => `GEOID20 ${code}`,
      (code: string) => `FIPS ${code.replace(/^0/, '')}`,
    ];
    const asked = draw.some(coded, COUNT).map(({ id, code }, i) => ({ q: defined(forms[i % forms.length])(code), id }));
    await expectFirst(asked);
    for (const q of ['ISO2 DE', 'ISO-Code DEU', 'iso_a3 DEU', 'alpha-3: DEU'])
      expect((await search(q))[0]?.country, q).toBe('DE');
  });

  it('have pictures, signs, a number of a list or hyphens in them', async () => {
    const asked = draw.some(counties, COUNT).map(({ name, within, id }, i) => {
      const full = `${name} County, ${within}`;
      const forms = [`${full} ❤️`, `🏞️ ${full}`, `${full} ✔️`, `1. ${full}`, `➡️ ${full}`, `${full}™`];
      return { q: defined(forms[i % forms.length]), id };
    });
    await expectFirst(asked);
    const [hit] = await search('marin-county-boundary.kml');
    expect(hit?.name).toBe('Marin');
    for (const q of ['❤️', '1. ', '☀️ 🏖️']) expect(await search(q), q).toEqual([]);
  });

  it('have "Saint" written out and a letter lost', async () => {
    const saints = counties.filter(({ name }) => /^St\. \p{L}{5,}$/u.test(name));
    expect(saints.length).toBeGreaterThan(10);
    await expectFirst(
      saints.map(({ name, within, id }) => ({
        q: `${name.replace('St.', 'Saint').slice(0, -2)}${name.slice(-1)} County, ${within}`,
        id,
      })),
    );
  });

  it('ask how large a county is, or what it looks like', async () => {
    const asked = draw.some(counties, COUNT).map(({ name, within, id }, i) => {
      const full = `${name} County, ${within}`;
      const forms = [
        `how big is ${full}?`,
        `what does ${full} look like on a map`,
        `size of ${full}`,
        `bbox of ${full}`,
      ];
      return { q: defined(forms[i % forms.length]), id };
    });
    await expectFirst(asked);
  });

  it('have more of the same place beside the name', async () => {
    for (const [q, name] of [
      ['Texas (TX)', 'Texas'],
      ['New York (NY)', 'New York'],
      ['Kenya, Africa', 'Kenya'],
      ['Peru South America', 'Peru'],
      ['Ohio, the United States', 'Ohio'],
      ['Eibar, el País Vasco', 'Eibar'],
      ['Gary, Ind.', 'Lake'],
      ['Adeje, Tenerife', 'Adeje'],
      ['Navarra (Nafarroa)', 'Comunidad Foral de Navarra'],
      ['Spanish Catalonia', 'Cataluña/Catalunya'],
      ['Cook County (Chicago)', 'Cook'],
      ['TX Dallas', 'Dallas'],
      ['El Porriño', 'O Porriño'],
      ['La Salle County, IL', 'LaSalle'],
    ] as const)
      expect((await search(q))[0]?.name, q).toBe(name);
    for (const q of ['Cook County (Denver)', 'Kenya, Europe', 'Texas (NY)']) expect(await search(q), q).toEqual([]);
  });

  it('are around a city with a letter lost, in its state', async () => {
    for (const [q, name] of [
      ['Seatle, WA', 'King'],
      ['Austn, TX', 'Travis'],
      ['Clevland, Ohio', 'Cuyahoga'],
      ['Scrnton, PA', 'Lackawanna'],
    ] as const)
      expect((await search(q))[0]?.name, q).toBe(name);
  });

  it('are consolidated cities, with their county or with a word for them', async () => {
    for (const [q, name] of [
      ['Macon-Bibb County', 'Bibb'],
      ['Butte-Silver Bow', 'Silver Bow'],
      ['Louisville/Jefferson County, KY', 'Jefferson'],
      ['Augusta-Richmond County', 'Richmond'],
      ['Metro Nashville', 'Davidson'],
      ['Bozeman', 'Gallatin'],
      ['Stockton', 'San Joaquin'],
    ] as const)
      expect((await search(q))[0]?.name, q).toBe(name);
    for (const q of ['Paris-Texas Rally', 'Boston-Madrid flight']) expect(await search(q), q).toEqual([]);
  });

  it('are counties without a comma, cities with words for one, addresses and codes beside names', async () => {
    for (const [q, name] of [
      ['Houston County TX', 'Houston'],
      ['Saint Joseph County MI', 'St. Joseph'],
      ['what county in Texas is Killeen in', 'Bell'],
      ['Phoenix county', 'Maricopa'],
      ['Las Cruces city', 'Doña Ana'],
      ['123 Main St, Rockford, IL 61101', 'Winnebago'],
      ['Seattle WA zip code 98101', 'King'],
      ['TX Texas', 'Texas'],
      ['USA-AK', 'Alaska'],
      ['Vestavia Hls', 'Jefferson'],
      ['Talahassee', 'Leon'],
      ['CCAA de Extremadura', 'Extremadura'],
      ['Galicia autonomous community', 'Galicia'],
      ['Montroy o Montroi', 'Montroi/Montroy'],
      ['t.m. Getafe', 'Getafe'],
      ['mapa Niemiec', 'Germany'],
    ] as const)
      expect((await search(q))[0]?.name, q).toBe(name);
    for (const q of ['state of mind', 'province of mind', 'EN 50128', 'Hannover', 'ISO 12345, Geneva'])
      expect(await search(q), q).toEqual([]);
  });

  it('are not found for a fraction, a code of another form and a larger city elsewhere', async () => {
    for (const q of ['½', 'BRA-SP', 'POL-MA', 'Одеса']) expect(await search(q), q).toEqual([]);
  });

  it('are in no place for a number that no county has, or for a year', async () => {
    for (const q of ['county 99999', 'county 2024', 'state 00000']) expect(await search(q), q).toEqual([]);
  });

  it('are in a region that is not stored, with two letters of it swapped', async () => {
    for (const [q, name] of [
      ['Nassau County, Long Islnad', 'Nassau'],
      ['Suffolk County, Long Ilsand', 'Suffolk'],
    ] as const) {
      const [hit] = await search(q);
      expect([hit?.name, hit?.interpretation.ignored], q).toEqual([name, 'long island']);
    }
  });

  it('are towns and divisions in other alphabets that no table has', async () => {
    for (const [q, name] of [
      ['Οβιέδο', 'Oviedo'],
      ['Λερίδα', 'Lleida'],
      ['Սալամանկա', 'Salamanca'],
    ] as const)
      expect(
        (await search(q)).map((hit) => hit.name),
        q,
      ).toContain(name);
    for (const q of ['μπουζούκι', 'Τσαρούχι', 'балалайка', 'შოთი', 'բարեւ ձեզ']) expect(await search(q), q).toEqual([]);
  });
});

describe('names in other alphabets', () => {
  it('are written in Latin letters', () => {
    expect(latinOf('γενοβα')).toBe('genova');
    expect(latinOf('μπολονια')).toBe('bolonia');
    expect(latinOf('genova')).toBeNull();
    expect(latinOf('ερ')).toBeNull();
    expect(latinOf('12 γενοβα')).toBeNull();
  });
});

describe('names of divisions in the genitive', () => {
  it('lead to each name that the table has in Russian and Ukrainian', () => {
    const stored = [...codesWithNames()].flatMap(([, list]) => list.map(foldName));
    const cases = [
      [foldName('ская область'), foldName('ской области')],
      [foldName('ський район'), foldName('ського району')],
      [foldName('ська область'), foldName('ської області')],
    ] as const;
    for (const [nominative, genitive] of cases) {
      const names = stored.filter((name) => name.endsWith(nominative) && name.split(' ').length === 2);
      if (nominative === cases[0][0]) expect(names.length).toBeGreaterThan(20);
      for (const name of names)
        expect(nominativesOf(name.slice(0, -nominative.length) + genitive), name).toContain(name);
    }
  });
});
