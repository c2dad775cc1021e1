import { describe, expect, it } from 'vitest';
import { KINDS } from '../../src/common/kinds.ts';
import { countryAt, countryOfList, countryOfTags, countryTable, isCountryCode } from '../../src/sources/countries.ts';
import { kindOf, kindRows } from '../../src/sources/kinds.ts';

const area = (adminLevel: number | null, country: string | null, more: Partial<Parameters<typeof kindOf>[0]> = {}) =>
  kindOf({
    type: 'administrative',
    adminLevel,
    country,
    countryCode: null,
    tags: {},
    place: null,
    id: 'r1',
    ...more,
  });

describe('kinds table', () => {
  it('has a source, a date, a known kind and no two plain rows for one (country, level)', () => {
    const seen = new Set<string>();
    for (const row of kindRows()) {
      expect(KINDS).toContain(row.kind);
      expect(row.source).not.toBe('');
      expect(row.as_of).toMatch(/^20\d\d(-\d\d)?$/);
      if (row.country !== undefined) expect(isCountryCode(row.country), row.country).toBe(true);
      if (row.admin_level === undefined && row.when === undefined) expect(row.id).toMatch(/^[rw][1-9]\d*$/);
      if (row.when !== undefined || row.id !== undefined) continue;
      const key = `${row.country} ${row.admin_level} ${row.within ?? ''}`;
      expect(seen.has(key), key).toBe(false);
      seen.add(key);
    }
    // Every country but Antarctica, Western Sahara and Kosovo, which libpostal leaves out.
    const countries = new Set(kindRows().map((row) => row.country));
    const missing = Object.keys(countryTable().countries).filter((code) => !countries.has(code));
    expect(missing).toEqual(['AQ', 'EH', 'XK']);
  });

  it('follows the table, the tags and the exceptions', () => {
    expect(area(8, 'FR')).toEqual({ kind: 'municipality', known: true });
    expect(area(6, 'FR')).toEqual({ kind: 'county', known: true });
    expect(area(6, 'US')).toEqual({ kind: 'county', known: true });
    expect(area(4, 'JP')).toEqual({ kind: 'province', known: true });
    expect(area(10, 'GB')).toEqual({ kind: 'municipality', known: true });
    expect(area(10, 'GB', { tags: { designation: 'ward' } })).toEqual({ kind: 'ward', known: true });
    expect(area(7, 'US', { tags: { border_type: 'city' } })).toEqual({ kind: 'city', known: true });
    expect(area(5, 'ID', { tags: { border_type: 'Kota' } })).toEqual({ kind: 'city', known: true });
    expect(area(4, 'AT', { id: 'r109166' })).toEqual({ kind: 'city', known: true });
    expect(area(9, 'BE', { parents: ['r52411', 'r59518'] })).toEqual({ kind: 'borough', known: true });
    expect(area(8, 'GB', { parents: ['r62149', 'r175342'] }).kind).toBe('borough');
    expect(area(8, 'GB', { parents: ['r62149'] }).kind).toBe('district');
    expect(area(4, 'DE', { tags: { place: 'city' } })).toEqual({ kind: 'city', known: true });
  });

  it('calls an independent city a city by what the Census Bureau or OpenStreetMap says of it', () => {
    const kindWith = (tags: Record<string, string>, level = 6) => area(level, 'US', { tags }).kind;
    expect(kindWith({ LSAD: '25' })).toBe('city');
    expect(kindWith({ CLASSFP: 'C7', LSAD: '00' })).toBe('city');
    expect(kindWith({ border_type: 'independent_city' })).toBe('city');
    for (const LSAD of ['00', '03', '04', '05', '06', '12', '15']) expect(kindWith({ LSAD }), LSAD).toBe('county');
    // There the description of a place is a city as well, of another level.
    expect(kindWith({ LSAD: '25' }, 4)).toBe('state');
  });

  it('calls a canton of Luxembourg a district, whatever word its tags have', () => {
    expect(area(6, 'LU', { tags: { place: 'county' } }).kind).toBe('district');
    expect(area(6, 'LU').kind).toBe('district');
  });

  it('calls the first subdivisions by what ISO 3166-2 calls them where no tag says it', () => {
    const kinds = Object.fromEntries(['GH', 'GN', 'ML', 'LR', 'MV', 'KI'].map((code) => [code, area(4, code)]));
    const known = (kind: string) => ({ kind, known: true });
    expect(kinds).toEqual({
      GH: known('region'),
      GN: known('region'),
      ML: known('region'),
      LR: known('county'),
      MV: known('district'),
      KI: known('region'),
    });
  });

  it('goes by the place of a boundary that has no level', () => {
    expect(area(null, 'FR', { tags: { place: 'town' } })).toEqual({ kind: 'municipality', known: true });
    expect(area(null, null, { tags: { place: 'city' } })).toEqual({ kind: 'city', known: true });
    expect(area(null, null, { tags: { place: 'suburb' } }).kind).toBe('neighbourhood');
  });

  it('reads the linked place of a municipality, but not that of a county or a village inside a municipality', () => {
    expect(area(8, 'FR', { place: 'city' }).kind).toBe('city');
    expect(area(6, 'DE', { place: 'city' }).kind).toBe('county');
    expect(area(10, 'NL', { tags: { place: 'village' } }).kind).toBe('city');
  });

  it('calls every carrier of an ISO 3166-1 code a country, territories too, whatever the tags', () => {
    expect(area(2, null, { countryCode: 'LU' })).toEqual({ kind: 'country', known: true });
    expect(area(4, 'US', { countryCode: 'PR', tags: { border_type: 'territory' } }).kind).toBe('country');
    expect(area(6, 'FR', { countryCode: 'MQ' }).kind).toBe('country');
    expect(area(8, 'FR', { countryCode: 'MQ' }).kind).toBe('municipality');
  });

  it('says when only a default was left, and never lacks an answer', () => {
    expect(area(8, null)).toEqual({ kind: 'municipality', known: false });
    expect(area(12, 'LU')).toEqual({ kind: 'neighbourhood', known: false });
    expect(area(1, null)).toEqual({ kind: 'country', known: false });
    expect(area(99, 'FR')).toEqual({ kind: 'neighbourhood', known: false });
    expect(area(null, 'FR').known).toBe(false);
    expect(area(8, 'constructor')).toEqual({ kind: 'municipality', known: false });
    expect(area(8, 'XK', { tags: Object.create({ border_type: 'county' }) as Record<string, string> }).known).toBe(
      false,
    );
    expect(area(null, null, { type: 'postal_code' })).toEqual({ kind: 'postal_code', known: true });
  });
});

describe('countryAt', () => {
  it.each([
    ['Paris', 48.85, 2.35, 'FR'],
    ['Martinique', 14.65, -61, 'MQ'],
    ['Puerto Rico', 18.4, -66.1, 'PR'],
    ['Hong Kong', 22.3, 114.15, 'HK'],
    ['Bonaire', 12.2, -68.26, 'BQ'],
    ['Tenerife', 28.3, -16.5, 'ES'],
    ['Ceuta', 35.89, -5.31, 'ES'],
    ['Ascension', -7.94, -14.36, 'SH'],
    ['Diego Garcia', -7.3, 72.4, 'IO'],
    ['Sark', 49.43, -2.36, 'GG'],
    ['Edinburgh', 55.95, -3.2, 'GB'],
    ['Pristina', 42.66, 21.16, 'XK'],
    ['the north of Cyprus', 35.2, 33.36, 'CY'],
    ['Chukotka on the antimeridian', 66, 180, 'RU'],
    ['the same place, written west', 66, -180, 'RU'],
    ['the South Pole', -90, 0, 'AQ'],
    ['Bir Tawil', 21.87, 33.7, null],
    ['the middle of the Atlantic', 30, -40, null],
    ['the North Pole', 90, 0, null],
  ])('%s', (_, lat, lon, code) => {
    expect(countryAt(lat, lon)).toBe(code);
  });

  it('answers null outside the range, and for what is not a number', () => {
    expect(countryAt(91, 0)).toBe(null);
    expect(countryAt(0, 181)).toBe(null);
    expect(countryAt(Number.NaN, 0)).toBe(null);
  });
});

describe('the country that tags name', () => {
  it.each([
    [{ 'is_in:country_code': 'AT' }, 'AT'],
    [{ 'addr:country': 'cn' }, 'CN'],
    [{ 'is_in:iso_3166_2': 'CH-GR' }, 'CH'],
    [{ 'is_in:country': 'Österreich' }, 'AT'],
    [{ 'is_in:country': 'Austria', 'addr:country': 'DE' }, 'DE'],
    [{ 'is_in:country_code': 'ZZ', 'is_in:country': 'China' }, 'CN'],
    [{ 'is_in:country_code': 'AUT' }, null],
    [{ 'is_in:country': 'Atlantis' }, null],
    [{ 'is_in:continent': 'Europe', is_in: 'Austria' }, null],
    [{}, null],
  ])('%j', (tags, country) => {
    expect(countryOfTags(tags)).toBe(country);
  });

  it('at the end of a list', () => {
    expect(countryOfList('Bludenz, Vorarlberg, Österreich')).toBe('AT');
    expect(countryOfList('Luxembourg;Belgique')).toBe('BE');
    // A state of the United States, not the country before it.
    expect(countryOfList('Georgia, USA')).toBe(null);
    expect(countryOfList('')).toBe(null);
  });
});

describe('isCountryCode', () => {
  it('knows the official codes and Kosovo, not the reserved ones', () => {
    expect(Object.keys(countryTable().countries)).toHaveLength(250);
    for (const code of ['FR', 'PR', 'AX', 'TW', 'XK']) expect(isCountryCode(code), code).toBe(true);
    for (const code of ['EU', 'UN', 'FX', 'IC', 'fr', 'ZZ', '', 'toString', '__proto__']) {
      expect(isCountryCode(code), code).toBe(false);
    }
  });

  it('gives no two countries the same relation', () => {
    const relations = Object.values(countryTable().countries).flatMap((row) => row.relation ?? []);
    expect(new Set(relations).size).toBe(relations.length);
    expect(countryTable().countries.FR?.relation).toBe(2202162);
    expect(countryTable().countries.LU?.relation).toBe(2171347);
    expect(countryTable().countries.MQ?.admin_level).toBe(6);
  });
});
