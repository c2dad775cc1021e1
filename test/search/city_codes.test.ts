import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Register, readSpain, registerOf } from '../../scripts/city_names/municipalities.ts';
import { citiesNamed } from '../../src/domain/names/city_names.ts';

const require = createRequire(import.meta.url);
const { cities } = JSON.parse(readFileSync(join(import.meta.dirname, '../../data/city_names.json'), 'utf8')) as {
  readonly cities: Readonly<Record<string, readonly string[]>>;
};

/** Rows of a country: the code, and the names with the city's own first. */
const rowsOf = (country: string) =>
  (cities[country] ?? []).map((row) => {
    const [code = '', , ...names] = row.split(';');
    return { code, names };
  });

describe('codes of cities', () => {
  const spain: Register = readSpain(require('es-atlas/es/municipalities.json'));
  const rows = rowsOf('ES').filter(({ code }) => code !== '');

  it('each code of Spain is a municipality', () => {
    expect(rows.length).toBeGreaterThan(1_000);
    expect(rows.filter(({ code }) => !spain.has(code))).toEqual([]);
  });

  it('no city has the code of a neighbor of the municipality that is called like it', () => {
    const wrong = rows.filter(
      ({ code, names }) =>
        !spain.isCalled(code, names) && names.some((name) => spain.besideCalled(code, name).length === 1),
    );
    expect(wrong).toEqual([]);
  });

  it('no other name of a city is the own name of another municipality', () => {
    const wrong = rows.flatMap(({ code, names }) => names.filter((name) => spain.isOfAnother(code, name)));
    expect(wrong).toEqual([]);
  });

  it.each([
    ['la zubia', '18193'],
    ['ribarroja', '46214'],
    ['wettingen', '4045'],
    ['mulhousen', '68224'],
  ])('%s has the code %s', (name, code) => {
    expect(citiesNamed(name).map(({ codes }) => codes)).toContainEqual([code]);
  });

  it('parts of a city are not the whole city', () => {
    for (const part of ['moratalaz', 'eixample', 'kreuzberg'])
      expect(citiesNamed(part).flatMap(({ codes }) => codes)).toEqual([]);
  });
});

describe('a register of municipalities', () => {
  const register = registerOf([
    { code: '01001', name: 'Elx/Elche', division: '01' },
    { code: '01002', name: 'Zubia, La', division: '01' },
    { code: '02001', name: 'Vila-seca', division: '02' },
    { code: '02002', name: 'Rüti (ZH)', division: '02' },
  ]);

  it('knows names without articles, cantons and spaces, and both halves of a name', () => {
    expect(register.isCalled('01001', ['elche'])).toBe(true);
    expect(register.isCalled('01002', ['la zubia'])).toBe(true);
    expect(register.isCalled('01002', ['zubia'])).toBe(true);
    expect(register.isCalled('02001', ['vilaseca'])).toBe(true);
    expect(register.isCalled('02002', ['ruti'])).toBe(true);
    expect(register.isCalled('02002', ['vilaseca'])).toBe(false);
  });

  it('finds the municipality of a name in the same division', () => {
    expect(register.besideCalled('01001', 'zubia')).toEqual(['01002']);
    expect(register.besideCalled('01001', 'vilaseca')).toEqual([]);
  });

  it('knows what is the own name of another municipality', () => {
    expect(register.isOfAnother('01001', 'vilaseca')).toBe(true);
    expect(register.isOfAnother('02001', 'vilaseca')).toBe(false);
    expect(register.isOfAnother('02001', 'tarragona')).toBe(false);
  });
});
