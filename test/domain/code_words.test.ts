import { expect, it } from 'vitest';
import { codeIn } from '../../src/domain/search/code_words.ts';

it.each([
  ['FIPS 48201', '48201', 'US', false],
  ['fips48201', '48201', 'US', false],
  ['FIPS code: 48201', '48201', 'US', false],
  ['county FIPS 48201', '48201', 'US', false],
  ['INE provincia 41', '41', 'ES', false],
  ['código INE del municipio 41091', '41091', 'ES', false],
  ['code INSEE de la commune 35238', '35238', 'FR', false],
  ['code commune 35238', '35238', null, true],
  ['codice comune 050026', '050026', null, true],
  ['Amtlicher Gemeindeschlüssel 08111000', '08111000', 'DE', false],
  ['ISO 3166-2 US-TX', 'US-TX', null, true],
  ['ISO-3166-1: FR', 'FR', null, true],
  ['country code FR', 'FR', null, true],
  ['NUTS 3 ES618', 'ES618', null, false],
  ['NUTS3 ES618', 'ES618', null, false],
  ['Ländercode CH', 'CH', null, true],
])('%s has the code %s', (q, code, country, isIso) => {
  expect(codeIn(q)).toMatchObject({ code, country, ...(isIso ? { isIso } : {}) });
});

it.each(['county 12', 'code red', 'number 9', 'FIPS', 'la provincia de Sevilla', 'nuts'])('%s has none', (q) => {
  expect(codeIn(q)).toBeNull();
});
