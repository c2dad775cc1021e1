import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { citiesNamed } from '../../src/domain/names/city_names.ts';
import { createNameIndex, type NameIndex } from '../../src/domain/read_model/name_index.ts';
import type { Hit } from '../../src/domain/search/hit.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { openSeededEnvironment, type ProofEnvironment } from '../proof/environment.ts';
import { Draw, type Stored, storedOf } from './made.ts';

/** Share of a class that has to be right. */
const SHARE = 0.95;
/** Queries of one class. */
const COUNT = 60;

const { names: shortNames, initials } = JSON.parse(readFileSync('data/short_names.json', 'utf8')) as Record<
  'names' | 'initials',
  Readonly<Record<string, string>>
>;

const divisionNames = readFileSync('data/division_names.tsv', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'));

/** The letters that have to be replaced, added or left out to make one text of another. */
function near(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let k = 0; k < b.length; k++)
      next.push(Math.min(defined(row[k]) + Number(letter !== b[k]), defined(row[k + 1]) + 1, defined(next[k]) + 1));
    row = next;
  }
  return defined(row[b.length]);
}

describe('names in other forms than the stored ones', { timeout: 600_000 }, () => {
  const draw = new Draw();
  let server: ProofEnvironment;
  let names: NameIndex;
  let counties: Stored[];
  /** Ids by ISO 3166 code. */
  let coded: ReadonlyMap<string, string>;

  beforeAll(async () => {
    server = await openSeededEnvironment();
    names = createNameIndex(server.test.db, 2 ** 28);
    await names.warm();
    counties = (await storedOf(server.test.db, 'US', 6)).filter(({ kind }) => kind === 'county');
    const rows = await server.test.db.query<{ iso: string; id: string }>(
      'select iso, id from boundary where iso is not null',
    );
    coded = new Map(rows.map(({ iso, id }) => [iso, id]));
  }, 600_000);
  afterAll(() => server?.close());

  const services = () => ({ db: server.test.db, boundaries: createBoundaries(server.test.db) });
  const search = (q: string): Promise<Hit[]> => searchBoundaries({ ...services(), names }, { q, limit: 10 });

  /** Expects that the share of a class is found first. */
  async function expectFirst(
    queries: readonly { readonly q: string; readonly id: string | undefined }[],
  ): Promise<void> {
    const wrong: string[] = [];
    expect(queries.length).toBeGreaterThan(5);
    for (const { q, id } of queries) {
      const [hit] = await search(q);
      if (id === undefined || hit?.id !== id) wrong.push(`${q}: ${hit?.name ?? 'nothing'}`);
    }
    expect(1 - wrong.length / queries.length, `${wrong.join('; ')} (MADE_SEED=${draw.seed})`).toBeGreaterThanOrEqual(
      SHARE,
    );
  }

  it('countries and states by abbreviations, former names and other names of the table', async () => {
    const all = Object.entries(shortNames).flatMap(([code, list]) =>
      list.split(';').flatMap((text) => (text.length > 4 && coded.has(code) ? [{ q: text, id: coded.get(code) }] : [])),
    );
    await expectFirst(draw.some(all, COUNT));
  });

  it('states and communities by their names in other languages and scripts', async () => {
    const named = divisionNames.flatMap(([name = '', list = '']) => {
      const ids = list.split(' ').flatMap((code) => coded.get(code) ?? []);
      // A city of the name comes before its province.
      return ids.length === 0 || citiesNamed(name).length > 0 ? [] : [{ name, ids }];
    });
    expect(named.length).toBeGreaterThan(500);
    const wrong: string[] = [];
    const some = draw.some(named, COUNT);
    for (const { name, ids } of some) {
      const [hit] = await search(name);
      const [map] = await search(`map of ${name}`);
      if (!ids.includes(hit?.id ?? '') || !ids.includes(map?.id ?? ''))
        wrong.push(`${name}: ${hit?.name}, ${map?.name}`);
    }
    expect(1 - wrong.length / some.length, `${wrong.join('; ')} (MADE_SEED=${draw.seed})`).toBeGreaterThanOrEqual(
      SHARE,
    );
  });

  it('initials are meant in capitals alone', async () => {
    const all = Object.entries(initials).flatMap(([code, list]) =>
      list
        .split(';')
        .flatMap((text) =>
          code.length === 2 && coded.has(code) ? [{ q: text.toUpperCase(), id: coded.get(code) }] : [],
        ),
    );
    await expectFirst(draw.some(all, COUNT));
    const stored = await server.test.db.query<{ folded: string }>(
      'select distinct folded from boundary_name where folded = any ($1)',
      [all.map(({ q }) => q.toLowerCase())],
    );
    const named = new Set([
      ...Object.values(shortNames).flatMap((list) => list.split(';')),
      ...stored.map(({ folded }) => folded),
    ]);
    for (const { q, id } of draw.some(all, COUNT).filter((one) => !named.has(one.q.toLowerCase()))) {
      const hits = await search(q.toLowerCase());
      expect(
        hits.filter((hit) => hit.id === id && hit.match === 'alias'),
        q,
      ).toEqual([]);
    }
  });

  it('a county before the abbreviation of its state', async () => {
    const short = new Map(Object.entries(shortNames).map(([code, list]) => [code, list.split(';').at(-1) as string]));
    const made = counties.flatMap(({ id, name, within_iso }) =>
      short.has(within_iso ?? '') &&
      !/state|dominion|frontier|land|bay|rhody|dixie/.test(short.get(within_iso ?? '') as string)
        ? [{ q: `${name} County, ${short.get(within_iso ?? '')}.`, id }]
        : [],
    );
    await expectFirst(draw.some(made, COUNT));
  });

  it('the code of a state with a word for it', async () => {
    const states = [...coded].filter(([code]) => /^US-(?!PR|DC)[A-Z]{2}$/.test(code));
    await expectFirst(states.map(([code, id]) => ({ q: `${code.slice(3)} state`, id })));
    await expectFirst(states.map(([code, id]) => ({ q: `iso ${code}`, id })));
    const countries = [...coded].filter(([code]) => code.length === 2);
    await expectFirst(draw.some(countries, COUNT).map(([code, id]) => ({ q: `country code ${code}`, id })));
  });

  it('a county before the code of its state with one typo, if one state alone fits', async () => {
    const letters = new Set(counties.map(({ within_iso }) => within_iso?.slice(3) ?? ''));
    const swapped = counties.filter(({ name, within_iso }) => {
      const turned = [...(within_iso?.slice(3) ?? '')].reverse().join('');
      return !letters.has(turned) && counties.filter((one) => one.name === name).length === 1;
    });
    await expectFirst(
      draw.some(swapped, COUNT).map(({ id, name, within, within_iso }) => ({
        ...{
          id,
          q: `${name} ${within === 'Louisiana' ? 'Parish' : 'County'}, ${[...(within_iso ?? '').slice(3)].reverse().join('')}`,
        },
      })),
    );
  });

  it('a county that one state alone has, before the code of another: the code is ignored', async () => {
    const only = counties.filter(({ name }) => counties.filter((one) => one.name === name).length === 1);
    const letters = new Set(counties.map(({ within_iso }) => within_iso?.slice(3) ?? ''));
    const turned = (iso: string | null): string => [...(iso?.slice(3) ?? '')].reverse().join('');
    const miscoded = only.filter(({ within, within_iso }) => within !== 'Louisiana' && letters.has(turned(within_iso)));
    await expectFirst(
      draw
        .some(miscoded, COUNT)
        .map(({ id, name, within_iso }) => ({ id, q: `${name} County, ${turned(within_iso)}` })),
    );
    const [patrick] = await search('Patrick County, GA');
    expect(patrick).toMatchObject({ match: 'fuzzy', interpretation: { within: null, ignored: 'ga' } });
  });

  it('a county of several states, before the code of another: those of which the code is one letter away are guessed', async () => {
    const letters = new Set(counties.map(({ within_iso }) => within_iso?.slice(3) ?? ''));
    const isNear = (a: string, b: string): boolean => (a[0] === b[0]) !== (a[1] === b[1]);
    /** Whether a state has a county that the name may be meant for, with a typo or more of its name. */
    const hasLike = (code: string, name: string): boolean =>
      counties.some(
        (one) =>
          one.within_iso === `US-${code}` &&
          (one.name.includes(name) || name.includes(one.name) || (one.name[0] === name[0] && near(one.name, name) < 3)),
      );
    const miscoded = counties.flatMap((county) => {
      const named = counties.filter(({ name }) => name === county.name);
      const states = named.map(({ within_iso }) => within_iso?.slice(3) ?? '');
      const own = county.within_iso?.slice(3) ?? '';
      const wrong = [...letters].find((code) => isNear(code, own) && !states.includes(code));
      const isClear = wrong !== undefined && states.filter((code) => isNear(code, wrong)).length === 1;
      // Swapped letters are likelier than another one.
      const isSwapped = wrong !== undefined && states.includes([...wrong].reverse().join(''));
      const isPlain = !(states.includes('LA') || states.includes('VA') || isSwapped);
      return named.length > 1 && isClear && isPlain && !hasLike(wrong, county.name)
        ? [{ id: county.id, q: `${county.name} County, ${wrong}` }]
        : [];
    });
    await expectFirst(draw.some(miscoded, COUNT));
    const [lyon] = await search('Lyon County, ME');
    expect(lyon).toMatchObject({ match: 'fuzzy', interpretation: { within: null, ignored: 'me' } });
    // No state with such a code has one.
    expect(await search('Walker County, OH')).toEqual([]);
  });

  it('a county before the first letters of its state', async () => {
    const only = counties.filter(
      ({ name, within }) => (within ?? '').length > 7 && counties.filter((one) => one.name === name).length === 1,
    );
    const begun = draw.some(only, COUNT).map(({ id, name, within }) => ({
      id,
      q: `${name} ${(within ?? '').slice(0, draw.one([-1, -2, 6]))}`,
    }));
    await expectFirst(begun);
    for (const q of ['Jackson Missou', 'Hampden, Massach'])
      expect((await search(q))[0]).toMatchObject({ match: 'fuzzy', interpretation: { ignored: null } });
  });

  it.each([
    ['Haute-Volta', 'BF'],
    ['VAE', 'AE'],
    ['Ολλανδία', 'NL'],
    ['アラゴン州', 'ES-AR'],
    ['BRD', 'DE'],
    ['Abyssinia', 'ET'],
    ['Lone Star State', 'US-TX'],
    ['the Lone Star State', 'US-TX'],
    ['T&T', 'TT'],
    ['B & H', 'BA'],
    ['Calif. map', 'US-CA'],
    ['granice Polski', 'PL'],
    ['mapa Hiszpanii', 'ES'],
    ['карта России', 'RU'],
    ['карта Китая', 'CN'],
    ['harta României', 'RO'],
    ['hranice Itálie', 'IT'],
    ['indiana.geojson', 'US-IN'],
    ['delstaten Iowa', 'US-IA'],
    ['US-ND state', 'US-ND'],
    ['Вашингтон штат', 'US-WA'],
    ['Kentuki', 'US-KY'],
    ['Misisipi', 'US-MS'],
    ['Ivory Cost', 'CI'],
    ['Autonomous Community of Aragon', 'ES-AR'],
    ['show me Delaware please', 'US-DE'],
    ['stato dello Utah', 'US-UT'],
    ['provincia della Navarra', 'ES-NA'],
    ['karta över Danmark', 'DK'],
    ['plattegrond van Texas', 'US-TX'],
    ['INE provincia 41', 'ES-SE'],
    ['code INSEE pays FR', 'FR'],
    ['Ländercode: CH', 'CH'],
    ['stan Kolorado', 'US-CO'],
    ['staten Missouri', 'US-MO'],
    ['Cape Verde Islands', 'CV'],
    ['Texas, Nnited States', 'US-TX'],
    ['Texas, Unted States', 'US-TX'],
    ["stato dell'Alaska", 'US-AK'],
    ["Communauté autonome d'Aragon", 'ES-AR'],
    ['Emerald Isle', 'IE'],
    ['ประเทศลาว', 'LA'],
    ['加利福尼亚州', 'US-CA'],
    ['hvor ligger Estland', 'EE'],
    ['US-NH iso code', 'US-NH'],
    ['mapa de carreteras de Asturias', 'ES-AS'],
  ])('%s is %s', async (q, code) => {
    const hits = await search(q);
    expect(hits[0]?.id).toBe(coded.get(code));
    expect(await searchBoundaries(services(), { q, limit: 10 })).toEqual(hits);
  });

  it.each([
    ['Jerez dela Frontera', 'Jerez de la Frontera'],
    ['Hospitalet', "L'Hospitalet de Llobregat"],
    ['Villareal, Castellón', 'Vila-real'],
    ['Hll County, MT', 'Hill'],
    ['Apache County, AAZ', 'Apache'],
    ['#bernalillocounty', 'Bernalillo'],
    ['Mecklen North Carolina', 'Mecklenburg'],
    ['Manhatten', 'New York'],
    ['Chicgo', 'Cook'],
    ['Oakland County boundary Michigan', 'Oakland'],
    ['48201 FIPS', 'Harris'],
    ['San Juan County, M', 'San Juan'],
    ["B'more", 'Baltimore'],
    ['OC California', 'Orange'],
  ])('%s is %s', async (q, name) => {
    expect((await search(q))[0]?.name).toBe(name);
  });

  it('the province comes first of what has the end of a name, and what a hyphen joins follows', async () => {
    expect(defined((await search('Tenerife'))[0]).kind).toBe('province');
    const dade = (await search('Dade County')).slice(0, 3).map(({ name, match }) => [name, match]);
    expect(dade).toEqual([
      ['Dade', 'exact'],
      ['Dade', 'exact'],
      ['Miami-Dade', 'word'],
    ]);
  });

  it.each([
    'que',
    'nun',
    'vae',
    'Oscar',
    'Nestlé S.A.',
    '(?i)test',
    'Las Ramblas',
    'Georgiou',
    'H&M',
    '-273.15',
    'ISO 9001',
    'Sunny',
    "D'more",
  ])('%s names nothing', async (q) => {
    expect(await search(q)).toEqual([]);
  });

  it('finds what both halves of a query name, and what words about a place or a flag stand beside', async () => {
    const inGerman = new Intl.DisplayNames('de', { type: 'region', fallback: 'none' });
    const inFrench = new Intl.DisplayNames('fr', { type: 'region', fallback: 'none' });
    const countries = draw.some(
      [...coded].filter(([code]) => code.length === 2),
      COUNT,
    );
    const named = countries.flatMap(([code, id]) => {
      const [one, other] = [inGerman.of(code), inFrench.of(code)];
      const isPlain = [one, other].every((name) => /^\p{L}+$/u.test(name ?? ''));
      return isPlain && one !== other ? [{ q: `${one} ${other}`, id }] : [];
    });
    await expectFirst(named);
    const flags = countries.map(([code, id]) => ({
      q: `flag ${String.fromCodePoint(...[...code].map((letter) => (letter.codePointAt(0) ?? 0) + 0x1f1a5))}`,
      id,
    }));
    await expectFirst(flags);
    expect(await search('white flag')).toEqual([]);
  });
});
