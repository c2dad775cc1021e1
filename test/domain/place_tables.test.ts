import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { populationOf } from '../../src/domain/boundaries/populations.ts';
import { cityOf, isCityName } from '../../src/domain/names/cities.ts';
import { nameRows } from '../../src/domain/names/names.ts';
import { countriesWithDivision, otherCodesOf, otherNamesOf } from '../../src/domain/names/place_names.ts';

describe('committed tables of places', () => {
  it('tell how many people live in countries and states, and who says so', () => {
    expect(populationOf('LU')).toEqual({
      population: 671_254,
      source: { name: expect.stringContaining('CLDR'), year: 2024 },
    });
    expect(populationOf('US-CA')).toEqual({
      population: 39_250_017,
      source: { name: expect.stringContaining('Census'), year: 2016 },
    });
    expect([populationOf('ES-AN'), populationOf('XX'), populationOf(null)]).toEqual([null, null, null]);
  });

  it('name countries and divisions in many languages, and by other codes', () => {
    expect(otherNamesOf('US-CA')).toEqual(expect.arrayContaining(['Kalifornien', 'Californie', '加州']));
    expect([otherCodesOf('ES-SE'), otherCodesOf('ES'), otherCodesOf('DE-BY')]).toEqual([['ES618'], ['SP'], ['GM02']]);
    expect(otherNamesOf('US')).toEqual(expect.arrayContaining(['EE. UU.', 'EEUU', 'SUA']));
    // "GM" is the Gambia to everyone but FIPS 10-4.
    expect(otherCodesOf('DE')).toEqual([]);
  });

  it('have names of a language in its script', () => {
    const scripts: Readonly<Record<string, RegExp>> = {
      ...{ zh: /\p{Script=Han}/u, ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u },
      ...{ ru: /\p{Script=Cyrillic}/u, ar: /\p{Script=Arabic}/u },
    };
    const odd: string[] = [];
    let looked = 0;
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { names } = value as { names?: Readonly<Record<string, string>> };
      for (const [language, name] of Object.entries(names ?? {})) {
        const script = scripts[language];
        if (script) looked++;
        if (script && !script.test(name)) odd.push(`${language} ${name}`);
      }
      for (const part of Object.values(value)) look(part);
    };
    for (const table of ['subdivisions', 'countries']) look(JSON.parse(readFileSync(`data/${table}.json`, 'utf8')));
    expect(looked).toBeGreaterThan(500);
    expect(odd).toEqual([]);
    expect(otherNamesOf('FR-BRE')).not.toContain('китайский');
  });

  it('know in which countries a division of a name is', () => {
    expect(countriesWithDivision('toscana')).toEqual(['IT']);
    expect(countriesWithDivision('me')).toEqual(expect.arrayContaining(['IT', 'US']));
    expect(countriesWithDivision('nowhere')).toEqual([]);
  });

  it('know cities by country, name and place', () => {
    expect(cityOf('FR', ['lyon'], 45.76, 4.83)).toMatchObject({ capital: 1 });
    expect(cityOf('FR', ['lutece', 'paris'], 48.86, 2.34)).toMatchObject({ capital: 2 });
    expect([cityOf('FR', ['lyon'], 40, 4.83), cityOf('IT', ['lyon'], 45.76, 4.83)]).toEqual([null, null]);
    expect([isCityName('lyon'), isCityName('nowhere')]).toEqual([true, false]);
  });

  it('give a division the name without its type word no higher rank than a name has without it', () => {
    const rows = nameRows({
      ...{ type: 'administrative', name: 'Canton Mersch', names: {}, otherNames: [], codes: [], iso: 'LU-ME' },
      ...{ countryCode: null, wikidata: null, kind: 'district', place: null, adminLevel: 6 },
      ...{ population: null, areaKm2: null },
    });
    expect(rows.filter(({ folded }) => folded === 'mersch').map(({ type }) => type)).toEqual(['stripped']);
  });
});
