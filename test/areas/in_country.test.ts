import { expect, it } from 'vitest';
import { inCountry } from '../../src/domain/areas/in_country.ts';

it.each([
  ['US', 'en', 'in the United States'],
  ['FR', 'en', 'in France'],
  ['NL', 'en', 'in the Netherlands'],
  ['US', 'es', 'en Estados Unidos'],
  ['US', 'de', 'in den USA'],
  ['AE', 'de', 'in den Vereinigten Arabischen Emiraten'],
  ['GB', 'de', 'im Vereinigten Königreich'],
  ['NL', 'de', 'in den Niederlanden'],
  ['CH', 'de', 'in der Schweiz'],
  ['TR', 'de', 'in der Türkei'],
  ['ES', 'de', 'in Spanien'],
  ['US', 'fr', 'aux États-Unis'],
  ['ES', 'fr', 'en Espagne'],
  ['IT', 'fr', 'en Italie'],
  ['CA', 'fr', 'au Canada'],
  ['MX', 'fr', 'au Mexique'],
  ['MT', 'fr', 'à Malte'],
] as const)('a sentence has %s in %s as "%s"', (code, language, text) => {
  expect(inCountry(code, language)).toBe(text);
});
