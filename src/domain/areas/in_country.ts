import type { Language } from './wording/said.ts';

/** Names of countries with an article in English: plurals and the United ones. */
const WITH_THE = /^United |(?:lands|pines|Islands|Maldives|Bahamas|Gambia)$/;
/** German plurals, which have an article, and feminine names, of which most end in -ei. */
const GERMAN_PLURAL = /^(?:Niederlande|Philippinen|Malediven|Bahamas|Seychellen|Komoren|Salomonen)$|inseln$/;
const GERMAN_FEMININE = /ei$|^(?:Schweiz|Ukraine|Elfenbeinküste|Zentralafrikanische Republik|Dominikanische Republik)$/;
/** French names without an article; plurals; and masculine names that end in -e, as other masculine ones do not. */
const FRENCH_BARE = /^(?:Malte|Chypre|Cuba|Singapour|Monaco|Madagascar)$/;
const FRENCH_PLURAL = /^(?:États|Émirats|Pays|Îles|Philippines|Maldives|Bahamas|Seychelles|Comores|Tonga|Fidji)/;
const FRENCH_MASCULINE = /^(?:Mexique|Cambodge|Mozambique|Zimbabwe|Belize|Suriname)$/;

/**
 * "In" and the name of a country, as a sentence in the language has them: "in den USA", "au Mexique".
 * @param code ISO 3166-1 alpha-2
 */
export function inCountry(code: string, language: Language): string {
  const name = new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
  if (language === 'es') return `en ${name}`;
  if (language === 'fr') return inFrench(name);
  if (language === 'de') {
    // Declined, the full name is not found.
    const short = new Intl.DisplayNames(language, { type: 'region', style: 'short' }).of(code) ?? name;
    return name.startsWith('Vereinigte ') && short !== name ? `in den ${short}` : inGerman(name);
  }
  return WITH_THE.test(name) ? `in the ${name}` : `in ${name}`;
}

function inGerman(name: string): string {
  // The adjectives of "Vereinigte Arabische Emirate" are declined.
  const words = name.split(' ');
  const noun = words.pop() as string;
  if (words[0] === 'Vereinigte') return `in den ${words.map((word) => `${word}n`).join(' ')} ${noun}${dative(noun)}`;
  if (words[0] === 'Vereinigtes') return `im Vereinigten ${noun}`;
  if (GERMAN_PLURAL.test(name)) return `in den ${name}${dative(noun)}`;
  return GERMAN_FEMININE.test(name) && words.length === 0 ? `in der ${name}` : `in ${name}`;
}

/** The ending of a plural in the dative: none behind -n and -s. */
const dative = (noun: string): string => (/[ns]$/.test(noun) ? '' : 'n');

function inFrench(name: string): string {
  if (FRENCH_BARE.test(name)) return `à ${name}`;
  if (FRENCH_PLURAL.test(name)) return `aux ${name}`;
  const isFeminine = name.endsWith('e') && !FRENCH_MASCULINE.test(name);
  return isFeminine || /^[AEIOUÉÎ]/.test(name) ? `en ${name}` : `au ${name}`;
}
