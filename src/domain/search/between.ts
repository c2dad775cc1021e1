import { foldName, isUnspaced } from '../names/fold.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';

/** Prepositions between a name and its containing place. */
const BETWEEN: ReadonlySet<string> = new Set(
  'in of de del di du da do en dans bei im a à van von et and near der den des dello della nel nella w we u em no na nos nas'
    .split(' ')
    .map(foldName),
);
/** Articles behind such a preposition: "in the state of Ohio", "en la provincia de Lugo". */
const ARTICLES: ReadonlySet<string> = new Set('the la le les el los las der dem den die das il lo gli het'.split(' '));

/** Whether a folded word stands between a name and the place around it. */
export const isBetween = (word: string): boolean => BETWEEN.has(word);

/** The words of a name without the prepositions and articles between it and the place behind it; at least one word. */
export function withoutBetween(words: readonly string[]): string[] {
  let last = words.length;
  for (;;) {
    const word = words[last - 1] ?? '';
    if (last > 1 && BETWEEN.has(word)) last--;
    else if (last > 2 && ARTICLES.has(word) && BETWEEN.has(words[last - 2] ?? '')) last -= 2;
    else return words.slice(0, last);
  }
}

/** Prepositions that neither begin nor end a name of a place: "De Kalb" begins with another. */
const NEVER_IN_PLACE: ReadonlySet<string> = new Set(
  'in of en dans bei im von et and near nel nella em no nos nas'.split(' '),
);

/** Whether words can be the place around a name: a preposition at an end is none of it, alone it is a code. */
export function canBePlace(words: readonly string[]): boolean {
  const isLoose = (word = ''): boolean => NEVER_IN_PLACE.has(word);
  return words.length < 2 || !(isLoose(words[0]) || isLoose(words.at(-1)));
}

/** The United States and the United Kingdom in few letters. */
const SHORT_COUNTRIES: ReadonlySet<string> = new Set(['us', 'u s', 'usa', 'u s a', 'uk', 'u k']);

/**
 * Whether the first words of a query can be the place around the others. A short code in front of a name is too often an article
 * ("la rioja"), unless a word for a kind follows: "ND Ramsey County", "US state of Utah". Ideographs are never a code.
 * @param capitals words of the query that are written in two capitals, folded
 */
export function isPlaceInFront(
  start: readonly string[],
  rest: readonly string[],
  capitals: ReadonlySet<string>,
): boolean {
  const place = start.join(' ');
  if (isUnspaced(place)) return place.length > 1;
  const isWord = ARTICLES.has(place) || BETWEEN.has(place);
  if (SHORT_COUNTRIES.has(place) || (place.length === 2 && (capitals.has(place) || !isWord))) return hasKind(rest);
  return place.length > 3 && canBePlace(start);
}

const hasKind = ([first = '', ...others]: readonly string[]): boolean =>
  kindsOfTypeWords(first).length > 0 || kindsOfTypeWords(others.at(-1) ?? '').length > 0;

/** Words of two capitals, folded, of a text that is not in capitals. */
export function capitalsIn(q: string): ReadonlySet<string> {
  if (q === q.toUpperCase()) return new Set();
  return new Set(q.match(/(?<![\p{L}\p{N}])\p{Lu}{2}(?![\p{L}\p{N}])/gu)?.map(foldName));
}

/** Words of two places behind a comma, at most. */
const MOST_OF_TWO = 5;

/** The two places that the one part behind a name may be, without a comma between them: "tx usa". */
export function inTwo([part = '', ...more]: readonly string[]): readonly (readonly string[])[] {
  const words = part.split(' ');
  if (more.length > 0 || words.length > MOST_OF_TWO) return [];
  return words.slice(1).map((_, k) => [words.slice(0, k + 1).join(' '), words.slice(k + 1).join(' ')]);
}
