import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { isCommonWord } from '../../src/domain/names/common_words.ts';
import type { Search } from '../../src/domain/search/hit.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { type FixtureBoundary, insertFixtures } from './fixture_boundaries.ts';

const WORLD: readonly FixtureBoundary[] = [
  // Two relations of one place, of which the older has no polygon, and a part of it.
  { id: 'r60', name: 'Zwillingen', kind: 'country', adminLevel: 2, country: 'MC', wikidata: 'Q60', box: null },
  { id: 'r61', name: 'Zwillingen', kind: 'country', adminLevel: 2, country: 'MC', wikidata: 'Q60' },
  { id: 'r62', name: 'Zwillingen', kind: 'municipality', adminLevel: 8, country: 'MC', wikidata: 'Q60', box: null },
  // Luxembourg, the country and what shares its name.
  {
    id: 'r100',
    name: 'Lëtzebuerg',
    names: {
      en: 'Luxembourg',
      fr: 'Luxembourg',
      de: 'Luxemburg',
      el: 'Λουξεμβούργο',
      ru: 'Люксембург',
      zh: '卢森堡',
      ja: 'ルクセンブルク',
      ar: 'لوكسمبورغ',
      he: 'לוקסמבורג',
      hi: 'लक्ज़मबर्ग',
      ko: '룩셈부르크',
      th: 'ลักเซมเบิร์ก',
    },
    otherNames: [{ type: 'official_name', text: 'Groussherzogtum Lëtzebuerg;Grand Duchy of Luxembourg' }],
    kind: 'country',
    adminLevel: 2,
    countryCode: 'LU',
    iso: 'LU',
    wikidata: 'Q32',
    population: 590667,
    box: [5.7357, 49.4479, 6.5309, 50.1827],
    areaKm2: 2586,
  },
  { id: 'r90', name: 'Luxembourg', kind: 'province', adminLevel: 6, country: 'BE', population: 280000, areaKm2: 4440 },
  { id: 'r91', name: 'Canton Luxembourg', kind: 'district', adminLevel: 6, country: 'LU', areaKm2: 238 },
  {
    id: 'r92',
    name: 'Luxembourg',
    kind: 'municipality',
    place: 'city',
    adminLevel: 8,
    country: 'LU',
    population: 128512,
  },
  { id: 'r93', name: 'Luxembourg-Nord', kind: 'neighbourhood', adminLevel: 10, country: 'LU' },
  { id: 'r94', name: 'Luxemburger Viertel', kind: 'neighbourhood', adminLevel: 10, country: 'DE' },
  { id: 'r95', name: 'Luxembourg', kind: 'postal_code', type: 'postal_code', country: 'LU' },
  // Paris, the city first.
  { id: 'r200', name: 'Paris', kind: 'county', adminLevel: 6, country: 'FR', population: 2161000, areaKm2: 105 },
  {
    id: 'r201',
    name: 'Paris',
    kind: 'municipality',
    place: 'city',
    adminLevel: 8,
    country: 'FR',
    population: 2161000,
    areaKm2: 105,
    codes: ['75056', '75001;75002'],
    box: [2.22, 48.81, 2.47, 48.91],
  },
  { id: 'r202', name: 'Paris', kind: 'neighbourhood', adminLevel: 10, country: 'FR' },
  {
    id: 'r203',
    name: 'Paris',
    kind: 'city',
    adminLevel: 8,
    country: 'US',
    population: 24782,
    box: [-95.63, 33.61, -95.43, 33.74],
  },
  { id: 'r204', name: 'Parisot', kind: 'municipality', adminLevel: 8, country: 'FR', population: 500 },
  { id: 'r205', name: '75001', kind: 'postal_code', type: 'postal_code', country: 'FR', codes: ['75001'] },
  { id: 'r206', name: '7500', kind: 'postal_code', type: 'postal_code', country: 'AT' },
  { id: 'r207', name: 'Paraguay', kind: 'country', adminLevel: 2, countryCode: 'PY', iso: 'PY', population: 7e6 },
  // Several words, and type words.
  { id: 'r300', name: 'Esch-sur-Alzette', kind: 'municipality', adminLevel: 8, country: 'LU', population: 36000 },
  { id: 'r301', name: 'Eschweiler', kind: 'municipality', adminLevel: 8, country: 'DE', population: 56000 },
  { id: 'r302', name: 'Alzette', kind: 'ward', adminLevel: 9, country: 'LU' },
  { id: 'r303', name: 'Gampaha District', kind: 'district', adminLevel: 5, country: 'LK' },
  {
    id: 'r304',
    name: 'Volgograd',
    otherNames: [{ type: 'old_name', text: 'Stalingrad' }],
    kind: 'city',
    adminLevel: 6,
  },
  { id: 'r305', name: 'Stalingrad', kind: 'neighbourhood', adminLevel: 10 },
  { id: 'r306', name: 'Alzenau', kind: 'city', adminLevel: 8, country: 'DE', population: 18000 },
  // Scripts and letters.
  { id: 'r400', name: 'Αθήνα', kind: 'municipality', adminLevel: 7, country: 'GR' },
  { id: 'r401', name: 'Москва', kind: 'state', adminLevel: 4, country: 'RU' },
  { id: 'r402', name: '北京市', kind: 'province', adminLevel: 4, country: 'CN' },
  { id: 'r403', name: 'القاهرة', kind: 'province', adminLevel: 4, country: 'EG' },
  { id: 'r404', name: 'Großenhain', kind: 'municipality', adminLevel: 8, country: 'DE' },
  { id: 'r405', name: 'München', kind: 'city', adminLevel: 6, country: 'DE', names: { en: 'Munich' } },
  { id: 'r406', name: 'Ærø Kommune', kind: 'municipality', adminLevel: 7, country: 'DK' },
  { id: 'r407', name: 'Łódź', kind: 'city', adminLevel: 6, country: 'PL' },
  { id: 'r408', name: '黑龙江省', kind: 'province', adminLevel: 4, country: 'CN' },
  { id: 'r409', name: 'Санкт-Петербург', kind: 'state', adminLevel: 4, country: 'RU' },
  { id: 'r410', name: "L'Haÿ-les-Roses", kind: 'municipality', adminLevel: 8, country: 'FR' },
  { id: 'r411', name: '100%_Berg\\Tal', kind: 'municipality', adminLevel: 8 },
  // Names in other languages, and villages that are named like misspelled states.
  { id: 'r420', name: 'Quesada', kind: 'municipality', adminLevel: 8, country: 'ES', population: 5000 },
  { id: 'r421', name: 'Kedah', names: { pt: 'Quedá' }, kind: 'state', adminLevel: 4, country: 'MY' },
  { id: 'r422', name: "Côte d'Ivoire", kind: 'country', adminLevel: 2, countryCode: 'CI', iso: 'CI', country: 'CI' },
  { id: 'r423', name: 'Maine', kind: 'state', adminLevel: 4, country: 'US', iso: 'US-ME' },
  { id: 'r424', name: 'Hancock', kind: 'county', adminLevel: 6, country: 'US', parents: ['r423'] },
  { id: 'r425', name: 'Mane', kind: 'municipality', adminLevel: 8, country: 'FR' },
  { id: 'r426', name: 'Ávila', kind: 'province', adminLevel: 6, country: 'ES' },
  { id: 'r427', name: 'Ciego de Ávila', kind: 'province', adminLevel: 4, country: 'CU' },
  { id: 'r429', name: 'Sabadell', kind: 'municipality', adminLevel: 8, country: 'ES', population: 216_000 },
  { id: 'r430', name: 'Sabadel-Lauzès', kind: 'municipality', adminLevel: 8, country: 'FR', population: 100 },
  { id: 'r431', name: 'Andorra', kind: 'country', adminLevel: 2, countryCode: 'AD', iso: 'AD', country: 'AD' },
  {
    id: 'r428',
    name: 'Baja California',
    names: { ja: 'バハ・カリフォルニア州' },
    kind: 'state',
    adminLevel: 4,
    country: 'MX',
  },
  // Codes.
  { id: 'r500', name: 'California', kind: 'state', adminLevel: 4, country: 'US', iso: 'US-CA', wikidata: 'Q99' },
  { id: 'r505', name: 'Ordino', kind: 'district', adminLevel: 7, country: 'AD', parents: ['r431'] },
  { id: 'r503', name: 'Blue Nile', names: { tr: 'Mavi Nil' }, kind: 'state', adminLevel: 4, country: 'SD' },
  {
    ...{ id: 'r504', name: 'Oregon', names: { el: 'Ορεγκον' }, kind: 'state', adminLevel: 4, country: 'US' },
    ...{ iso: 'US-OR', population: 4_200_000, areaKm2: 254_000 },
  },
  { id: 'r501', name: 'Berg Q99 Heim', kind: 'county', adminLevel: 6, country: 'DE' },
  { id: 'r502', name: 'SW1A 1AA', kind: 'postal_code', type: 'postal_code', country: 'GB' },
  // Broken, disputed, across the antimeridian.
  { id: 'r600', name: 'Zerbrochen', kind: 'municipality', adminLevel: 8, country: 'DE', box: null },
  { id: 'r601', name: 'Halbinsel', kind: 'region', adminLevel: 4, country: 'AA', countries: ['AA', 'BB'] },
  { id: 'r610', name: 'Motu', kind: 'ward', adminLevel: 9, country: 'FJ', box: [170, -17.1, 170.1, -17] },
  { id: 'r611', name: 'Motu', kind: 'ward', adminLevel: 9, country: 'FJ', box: [-179.5, -17.1, -179.4, -17] },
  { id: 'r612', name: 'Motu', kind: 'ward', adminLevel: 9, country: 'FJ', box: [179.9, -17.1, -179.9, -17] },
  { id: 'r9', name: 'Gleich', kind: 'ward', adminLevel: 9 },
  { id: 'r10', name: 'Gleich', kind: 'ward', adminLevel: 9 },
];

let test: TestDatabase;

beforeAll(async () => {
  test = await testDatabase();
  await insertFixtures(test.db, WORLD);
});
afterAll(() => test?.close());

const find = (q: string, more: Partial<Search> = {}) =>
  searchBoundaries({ db: test.db, boundaries: createBoundaries(test.db) }, { limit: 10, ...more, q });
const ids = async (q: string, more: Partial<Search> = {}) => (await find(q, more)).map((found) => found.id);
const first = async (q: string, more: Partial<Search> = {}) => (await ids(q, more))[0];

describe('ranking', () => {
  it('gives the country first for Luxembourg, then by importance, stripped names, longer names, postcodes last', async () => {
    const found = await ids('Luxembourg', { limit: 40 });
    expect(found.slice(0, 5)).toEqual(['r100', 'r90', 'r92', 'r91', 'r93']);
    expect(found.at(-1)).toBe('r95');
  });

  it('gives the city first for Paris, then the county, the other city, the neighbourhood, then longer names', async () => {
    expect(await ids('Paris')).toEqual(['r201', 'r200', 'r203', 'r202', 'r204']);
  });

  it('prefers what is important among completions', async () => {
    expect((await ids('par')).slice(0, 2)).toEqual(['r207', 'r201']);
  });

  it('gives a country by its code before names that start with it', async () => {
    expect(await first('LU')).toBe('r100');
    expect(await first('py')).toBe('r207');
  });

  it('finds a later word, below a name of its own', async () => {
    expect((await ids('Alzette')).slice(0, 2)).toEqual(['r302', 'r300']);
    expect(await ids('sur-alz')).toEqual(['r300']);
  });

  it('takes a word for a part of a name by the importance of the place', async () => {
    // The middle of a town's name is meant, the start of a village's is not, nor any part of one by a common word.
    expect(await ids('Alzet')).toEqual([]);
    expect(await ids('Zerb')).toEqual([]);
    expect(await ids('Zerb', { prefix: true })).toEqual(['r600']);
    expect(await ids('Zerbrochn')).toEqual(['r600']);
  });

  it('completes a short word only to a name that is in use where the place is', async () => {
    // "Mavi Nil" is the Turkish name of the Blue Nile, "Ορε" begins the Greek one of Oregon.
    expect(await ids('Mavi')).toEqual([]);
    expect(await ids('Ορεγκ')).toEqual([]);
    expect(await ids('Mavi', { prefix: true })).toEqual(['r503']);
    expect(await ids('Blue N')).toEqual(['r503']);
    // Five letters of a division are a chance, six are not.
    expect(await ids('Orego')).toEqual(['r504']);
    expect(await ids('Halbi')).toEqual([]);
    expect(await ids('Halbin')).toEqual(['r601']);
  });

  it('prefers a completion at the end of a word', async () => {
    expect((await ids('Esch')).slice(0, 2)).toEqual(['r300', 'r301']);
  });

  it('strips type words', async () => {
    expect(await ids('Gampaha')).toEqual(['r303']);
    expect(await first('gampaha district')).toBe('r303');
  });

  it('ranks a former name below a present one', async () => {
    expect((await ids('Stalingrad')).slice(0, 2)).toEqual(['r305', 'r304']);
  });

  it('breaks ties by the number of the id', async () => {
    expect(await ids('Gleich')).toEqual(['r9', 'r10']);
  });

  it('gives each boundary once, and as many as asked for', async () => {
    for (const q of ['Luxembourg', 'lux', 'l', 'Lëtzebuerg']) {
      const found = await ids(q, { limit: 40 });
      expect(new Set(found).size).toBe(found.length);
      expect(await ids(q, { limit: 2 })).toEqual(found.slice(0, 2));
    }
  });
});

describe('languages', () => {
  it.each([
    ['luxemburg', 'r100'],
    ['LETZEBUERG', 'r100'],
    ['Λουξεμβούργο', 'r100'],
    ['ΛΟΥΞΕΜΒΟΥΡΓΟ', 'r100'],
    ['Люксембург', 'r100'],
    ['люксем', 'r100'],
    ['卢森堡', 'r100'],
    ['卢森', 'r100'],
    ['ルクセンブルク', 'r100'],
    ['لوكسمبورغ', 'r100'],
    ['לוקסמבורג', 'r100'],
    ['लक्ज़मबर्ग', 'r100'],
    ['룩셈부르크', 'r100'],
    ['ลักเซมเบิร์ก', 'r100'],
    ['grand duchy of luxembourg', 'r100'],
    ['αθηνα', 'r400'],
    ['ΑΘΉΝΑ', 'r400'],
    ['москва', 'r401'],
    ['北京', 'r402'],
    ['北京市', 'r402'],
    ['القاهره', 'r403'],
    ['grossenhain', 'r404'],
    ['GROẞENHAIN', 'r404'],
    ['Munchen', 'r405'],
    ['Mu\u0308nchen', 'r405'],
    ['munich', 'r405'],
    ['aero', 'r406'],
    ['Lodz', 'r407'],
    ['ｌｏｄｚ', 'r407'],
    ['sankt peterburg', undefined],
    ['санкт петербург', 'r409'],
    ['lhay les roses', 'r410'],
    ['L’Haÿ', 'r410'],
  ])('%s', async (q, id) => {
    expect(await first(q)).toBe(id);
  });
});

describe('typos', () => {
  it.each([
    ['Luxenbourg', 'r100'], // one wrong
    ['Luxmbourg', 'r100'], // one missing
    ['Luxemmbourg', 'r100'], // one too many
    ['Lxuembourg', 'r100'], // two swapped
    ['Luxenburgo', 'r100'], // two typos
    ['Pariz', 'r201'],
    ['Pairs', 'r201'],
    ['Prais', 'r201'],
    ['Baris', 'r201'],
    ['Parris', 'r201'],
    ['Gampha', 'r303'],
    ['Alzete', 'r302'],
    ['Esch sur Alzete', 'r300'],
    ['esch alzette', 'r300'],
    ['Californa', 'r500'],
    ['Kaliforn', 'r500'], // the start of a name, and a typo
    ['Масква', 'r401'],
    ['Мсоква', 'r401'],
    ['Αθινα', 'r400'],
    ['Люксенбург', 'r100'],
    ['القاهرت', 'r403'],
    ['黑龙冮省', 'r408'],
    ['लक्ज़मबग', 'r100'],
    ['룩셈뷰르크', 'r100'],
  ])('%s', async (q, id) => {
    expect(await first(q)).toBe(id);
  });

  it('finds a short name behind every typo', async () => {
    const name = 'paris';
    const spelt = new Set<string>();
    for (let i = 0; i <= name.length; i++) {
      const [before, after] = [name.slice(0, i), name.slice(i)];
      for (const letter of 'aqz') spelt.add(before + letter + after).add(before + letter + after.slice(1));
      spelt.add(before + after.slice(1)).add(before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2));
    }
    // "pris" is a word of its own in French.
    const others = [...spelt].filter((q) => !isCommonWord(q) || q === 'parris' || q === 'pairs');
    expect(others.length).toBeGreaterThan(30);
    for (const q of others) expect(await ids(q, { limit: 40 }), q).toContain('r201');
  });

  it('finds a typo inside a longer name, below names of their own', async () => {
    expect(await ids('Alzete')).toEqual(expect.arrayContaining(['r302', 'r300']));
  });

  it('does not take another word for a typo', async () => {
    expect(await ids('Hamburg')).toEqual([]);
    expect(await ids('xyzzy')).toEqual([]);
    expect(await ids('Lux Paris')).toEqual([]);
    expect(await ids('ppp')).toEqual([]);
  });

  it('finds what is written in the place before a typo in a name that other languages use', async () => {
    expect(await ids('Quesda')).toEqual(['r420', 'r421']);
    expect(await ids('Ana Costa')).toEqual([]);
  });

  it('corrects a place behind a name although a village is called so', async () => {
    expect(await ids('Hancock County, Mane')).toEqual(['r424']);
  });

  it('corrects the word for a kind before it takes the name for the end of another', async () => {
    expect(await ids('provicia de Ávila')).toEqual(['r426']);
  });

  it('finds the town that a word is a typo of before a village that begins so', async () => {
    expect(await ids('Sabadel')).toEqual(['r429', 'r430']);
    // Andorra is Andora in other languages.
    expect(await ids('Pandora')).toEqual([]);
  });

  it('finds a division in katakana without the word for one before names that end so', async () => {
    expect((await find('カリフォルニア')).map(({ id, match }) => [id, match])[0]).toEqual(['r500', 'alias']);
  });

  it('finds a state in Korean with the word for one', async () => {
    expect((await find('오리건주')).map(({ id, match }) => [id, match])[0]).toEqual(['r504', 'alias']);
  });

  it('does not look for a place in the country of its own name', async () => {
    expect((await find('Ordino, Andorra')).map(({ id }) => id)).toEqual(['r505']);
    const within = (await find('Ordino Ordino')).map(({ interpretation }) => interpretation.within);
    expect(within.filter((place) => place !== null)).toEqual([]);
  });

  it('takes two common words for a typo in no name of two', async () => {
    expect([isCommonWord('blue'), isCommonWord('mile'), isCommonWord('nlie')]).toEqual([true, true, false]);
    expect(await ids('blue mile')).toEqual([]);
    expect(await ids('blue nlie')).toEqual(['r503']);
  });

  it('leaves typos out when there are better matches enough', async () => {
    expect(await ids('Luxembourg', { limit: 40 })).not.toContain('r94');
  });
});

describe('codes', () => {
  it('finds postcodes, the area first', async () => {
    expect((await ids('75001')).slice(0, 2)).toEqual(['r205', 'r201']);
    expect((await ids('7500')).slice(0, 2)).toEqual(['r206', 'r205']);
    expect(await first('75002')).toBe('r201');
    expect(await first('75056')).toBe('r201');
  });

  it.each(['SW1A 1AA', 'sw1a1aa', 'SW1A-1AA', 'sw1a'])('%s', async (q) => {
    expect(await first(q)).toBe('r502');
  });

  it.each([
    ['US-CA', 'r500'],
    ['us ca', 'r500'],
    ['iso:US-CA', 'r500'],
    ['Q99', 'r500'],
    ['wikidata:q99', 'r500'],
    ['r500', 'r500'],
    ['relation/500', 'r500'],
    ['https://www.openstreetmap.org/relation/500', 'r500'],
  ])('%s', async (q, id) => {
    expect(await first(q)).toBe(id);
  });

  it('does not complete wikidata ids', async () => {
    expect(await ids('Q9')).toEqual(['r501']);
  });
});

describe('filters', () => {
  it('by country, several and disputed', async () => {
    expect(await ids('Paris', { country: ['US'] })).toEqual(['r203']);
    expect(await ids('Paris', { country: ['US', 'FR'] })).toEqual(['r201', 'r200', 'r203', 'r202', 'r204']);
    expect(await ids('Halbinsel', { country: ['BB'] })).toEqual(['r601']);
    expect(await ids('Halbinsel', { country: ['CC'] })).toEqual([]);
    expect(await ids('r500', { country: ['FR'] })).toEqual([]);
    expect(await ids('Q99', { country: ['DE'] })).toEqual(['r501']);
  });

  it('by kind and admin_level, typos and codes included', async () => {
    expect(await ids('Paris', { kind: 'county' })).toEqual(['r200']);
    expect(await ids('Paris', { adminLevel: 10 })).toEqual(['r202']);
    expect(await ids('Pariz', { adminLevel: 10 })).toEqual(['r202']);
    expect(await ids('Pairs', { kind: 'county' })).toEqual(['r200']);
    expect(await ids('75001', { kind: 'postal_code' })).toEqual(['r205']);
    expect(await ids('Luxembourg', { kind: 'postal_code' })).toEqual(['r95']);
  });
});

describe('doubles', () => {
  it('of one place give one answer, the one with a polygon; another level is another place', async () => {
    const found = await searchBoundaries(
      { db: test.db, boundaries: createBoundaries(test.db) },
      { q: 'Zwillingen', limit: 10 },
    );
    expect(found.map(({ id }) => id)).toEqual(['r61', 'r62']);
    const one = await searchBoundaries(
      { db: test.db, boundaries: createBoundaries(test.db) },
      { q: 'Zwillingen', limit: 1 },
    );
    expect(one.map(({ id }) => id)).toEqual(['r61']);
  });
});

describe('near', () => {
  it('prefers the nearer among equals', async () => {
    expect(await first('Paris', { near: { lat: 33.66, lon: -95.55 } })).toBe('r203');
    expect(await first('Paris', { near: { lat: 48.85, lon: 2.35 } })).toBe('r201');
  });

  it('does not put a nearer worse match first', async () => {
    expect(await first('Luxembourg', { near: { lat: 0.5, lon: 0.5 } })).toBe('r100');
  });

  it('measures across the antimeridian', async () => {
    const near = { lat: -17.05, lon: 179.99 };
    expect(await ids('Motu', { near })).toEqual(['r612', 'r611', 'r610']);
    expect(await ids('Motu', { near: { lat: -17.05, lon: -179.45 } })).toEqual(['r611', 'r612', 'r610']);
    expect(await ids('Motu', { near: { lat: -17.05, lon: 170.05 } })).toEqual(['r610', 'r612', 'r611']);
    expect(await first('Motu', { near: { lat: 90, lon: 180 } })).toMatch(/^r61/);
  });
});

describe('any query', () => {
  it('lists broken boundaries as such, and names no names', async () => {
    const [found] = await find('zerbrochen');
    expect(found).toMatchObject({ id: 'r600', has_geometry: false, bbox: null, centroid: null });
    expect(found).not.toHaveProperty('names');
  });

  it('takes what means something to SQL literally', async () => {
    for (const q of ['%', '_', '%%', '\\', '%a%', '_____', "'", '"', "' or 1=1 --", '$1', '%ari%']) {
      const found = await ids(q);
      expect(found, q).not.toContain('r201');
    }
    expect(await ids('100%_Berg\\Tal')).toEqual(['r411']);
    expect(await ids('P%s')).toEqual([]);
    expect(await ids('P___s')).toEqual([]);
  });

  it('answers every text, the same every time', async () => {
    const alphabet = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(...'%_\\\'"$;:-./ \u{10ffff}\uffffÀßÆ京ｱا'), minLength: 1, maxLength: 30 }),
      fc.constantFrom(...WORLD.map((made) => made.name)).map((name) => name.slice(1)),
      fc.string({ minLength: 150, maxLength: 200 }),
      fc.constantFrom('a'.repeat(200), 'ab '.repeat(66), '京'.repeat(200), '1'.repeat(200), ' '),
    );
    await fc.assert(
      fc.asyncProperty(
        alphabet.filter((text) => !/[\0\p{Surrogate}]/u.test(text)),
        async (q) => {
          const found = await ids(q, { limit: 40 });
          expect(found.length).toBeLessThanOrEqual(40);
          expect(await ids(q, { limit: 40 })).toEqual(found);
        },
      ),
      { numRuns: 100 },
    );
  });
});
