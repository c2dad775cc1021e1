import { foldName } from '../names/fold.ts';
import { groupOf } from '../names/groups.ts';
import { tokensOf } from './tokens.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import { type Phrase, smallWords } from './vocabulary/vocabulary.ts';

/** Words of a phrase, or of the name of a group. */
const MOST_WORDS = 6;

const joined = (phrases: readonly Phrase[]): string[] => phrases.map((phrase) => phrase.join(' '));

const SMALL: ReadonlySet<string> = new Set(VOCABULARIES.flatMap((v) => joined(smallWords(v))));

/** Phrases that take something out of an area, or choose a part of it, in all languages. */
const CHOOSING: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap((v) => [
    ...joined([v.largest, v.smallest, v.mostPeople, v.leastPeople, v.morePeople, v.lessPeople].flat()),
    ...joined([v.morePopulation, v.lessPopulation, v.moreArea, v.lessArea, v.starts, v.ends, v.contains].flat()),
    ...joined([v.neighbors, v.neighboring, v.half, v.quarter, v.capital, v.around, v.whatBorders].flat()),
    ...joined([v.coastal, v.landlocked, v.onCoast, v.offCoast].flat()),
    ...joined([v.border, v.onBorder, v.within].flat().flatMap(({ before, after }) => [before, ...after])),
    ...joined([...v.sided.values(), ...v.sides.values(), ...v.beyond.values(), ...v.neighborLevels.values()].flat()),
  ]).filter((phrase) => phrase !== '' && !SMALL.has(phrase)),
);
/** Words that negate or choose a part and that no rule of the grammar reads: "not Spain" is not Spain. */
const UNREAD: ReadonlySet<string> = new Set(
  [
    'not, no, non, neither, never, part, parts, partly, most, mostly, half, rest, remainder, some, almost, nearly, roughly',
    'ni, nunca, parte, partes, mayoría, mitad, resto, algunos, algunas, casi',
    'nicht, kein, keine, nie, teil, teile, teilweise, großteil, rest, einige, fast, beinahe',
    'pas, aucun, aucune, jamais, partie, parties, plupart, moitié, reste, quelques, presque',
    // Lines, which no area is.
    'outline with, outlines with, limits with, contorno con, umriss mit, umrisse mit, contour avec, contours avec',
    'border with, boundary with, frontera con, límite con, grenze mit, grenzen mit, frontière avec, frontières avec',
    'coast, coasts, sea, ocean, bay, gulf, costa, costas, mar, océano, bahía, golfo, Küste, Küsten, Meer, Ozean, Bucht, Golf, côte, côtes, mer, océan, baie, golfe',
    'coastline, shoreline, shore, shores, coastlines, litoral, küstenlinie, trait de côte, littoral',
  ].flatMap((words) => words.split(', ').map(foldName)),
);
const WITHOUT: ReadonlySet<string> = new Set(VOCABULARIES.flatMap((v) => joined(v.without)));
const LEVELS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap((v) => [...v.levels.values()].flatMap(({ one, many }) => joined([...one, ...many]))),
);

/**
 * The words of a description, as offsets, that say more than which places it names: numbers, groups, exclusions, negations,
 * borders and other choices. Without them it describes another area. Linear in the number of words.
 * @param levels whether words for levels count, too
 */
export function restrictionsIn(text: string, levels: boolean): { readonly from: number; readonly to: number }[] {
  const tokens = tokensOf(text);
  const found: { readonly from: number; readonly to: number }[] = [];
  for (const [start, { sort, from, to: end }] of tokens.entries()) {
    if (sort === 'sign') continue;
    for (const { sort: last, to } of tokens.slice(start, start + MOST_WORDS)) {
      if (last === 'sign') continue;
      const phrase = foldName(text.slice(from, to));
      const isChoice = CHOOSING.has(phrase) || UNREAD.has(phrase) || WITHOUT.has(phrase) || groupOf(phrase) !== null;
      if ((sort === 'number' && to === end) || isChoice || (levels && LEVELS.has(phrase))) found.push({ from, to });
    }
  }
  return found;
}
