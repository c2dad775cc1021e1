import { foldName } from '../../names/fold.ts';
import type { Language } from './vocabulary.ts';

/** Adjectives of countries; for German, Spanish and French the stem that inflection leaves unchanged. */
const ROWS: readonly (readonly [code: string, en: string, es: string, de: string, fr: string])[] = [
  ['AT', 'Austrian', 'austriac', 'österreichisch', 'autrichien'],
  ['BE', 'Belgian', 'belga', 'belgisch', 'belge'],
  ['CA', 'Canadian', 'canadiens', 'kanadisch', 'canadien'],
  ['CH', 'Swiss', 'suiz', 'schweizerisch', 'suisse'],
  ['DE', 'German', 'aleman', 'deutsch', 'allemand'],
  ['DK', 'Danish', 'danes', 'dänisch', 'danois'],
  ['ES', 'Spanish', 'español', 'spanisch', 'espagnol'],
  ['FR', 'French', 'frances', 'französisch', 'français'],
  ['GB', 'British', 'británic', 'britisch', 'britannique'],
  ['IT', 'Italian', 'italian', 'italienisch', 'italien'],
  ['JP', 'Japanese', 'japones', 'japanisch', 'japonais'],
  ['LI', 'Liechtenstein', 'liechtensteinian', 'liechtensteinisch', 'liechtensteinois'],
  ['LU', 'Luxembourgish', 'luxemburgues', 'luxemburgisch', 'luxembourgeois'],
  ['MA', 'Moroccan', 'marroquí', 'marokkanisch', 'marocain'],
  ['MT', 'Maltese', 'maltes', 'maltesisch', 'maltais'],
  ['MX', 'Mexican', 'mexican', 'mexikanisch', 'mexicain'],
  ['NL', 'Dutch', 'neerlandes', 'niederländisch', 'néerlandais'],
  ['NO', 'Norwegian', 'norueg', 'norwegisch', 'norvégien'],
  ['PL', 'Polish', 'polac', 'polnisch', 'polonais'],
  ['PT', 'Portuguese', 'portugues', 'portugiesisch', 'portugais'],
  ['RU', 'Russian', 'rus', 'russisch', 'russe'],
  ['SE', 'Swedish', 'suec', 'schwedisch', 'suédois'],
  ['US', 'American', 'estadounidense', 'amerikanisch', 'américain'],
];

const ENDINGS: Readonly<Record<Language, readonly string[]>> = {
  en: [''],
  es: ['', 'o', 'a', 'os', 'as', 's', 'es'],
  de: ['e', 'en', 'er', 'es', 'em'],
  fr: ['', 'e', 's', 'es', 'ne', 'nes'],
};

/** ISO 3166-1 alpha-2 codes by folded adjective and language: "Canadian", "españolas". */
export const ADJECTIVES: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  en: adjectives('en', 1),
  es: adjectives('es', 2),
  de: adjectives('de', 3),
  fr: adjectives('fr', 4),
};

function adjectives(language: Language, column: 1 | 2 | 3 | 4): ReadonlyMap<string, string> {
  return new Map(
    ROWS.flatMap((row) => ENDINGS[language].map((ending) => [foldName(row[column] + ending), row[0]] as const)),
  );
}
