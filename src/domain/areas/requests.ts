import { foldName } from '../names/fold.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';

const phrases = (text: string): ReadonlySet<string> => new Set(text.split(', ').map(foldName));

/** How people ask for an area, in the four languages. */
const ASKED = phrases(
  'please, bitte, por favor, s il vous plaît, can you, could you, i want, i need, i would like, we need, give me, show me, to see, draw, draw me, plot, merge, combine, join, unite, une, combina, junta, fusiona, vereinige, verbinde, fusionne, réunis, quiero, necesito, dame, muéstrame, dibuja, ich möchte, ich brauche, zeige mir, zeig mir, zeichne, gib mir, je veux, je voudrais, montre moi, montrez moi, donne moi, dessine',
);
/** Words in front of a level that ask for it: "which countries border Chad?" */
const QUESTIONS = phrases(
  'which, what, which are, what are, which of, qué, cuáles, cuáles son, welche, welches sind, quels, quelles, quel, quelle, quels sont, quelles sont',
);
const LEVELS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ levels }) =>
    [...levels.values()].flatMap(({ one, many }) => [...one, ...many].flatMap(([first]) => first ?? [])),
  ),
);
const ARTICLES = phrases(
  'a, an, the, one, single, un, una, el, la, ein, eine, einen, den, die, das, une, le, los, les',
);
const THINGS = phrases(
  'map, maps, outline, outlines, outline map, boundary, boundaries, shape, shapes, polygon, polygons, union, combined area, mapa, mapas, contorno, límites, polígono, unión, Karte, Umriss, Grenzen, Polygon, Vereinigung, carte, contour, frontières, polygone',
);
const OF = phrases('of, for, with, showing, covering, avec, de, del, con, von, mit, der, des, du, d');
const AT_END = phrases(
  'please, bitte, por favor, s il vous plaît, into one, into one region, into one area, into one shape, into one polygon, in one area, en una sola, en uno, combined, merged, together, as one, as one area, as one polygon, in one polygon, combinados, combinadas, juntos, juntas, zusammen, combinés, combinées, ensemble',
);
/** Words in a phrase. */
const MOST_WORDS = 4;

/** A text with blanks in place of the question and exclamation marks around it. */
function withoutQuestionMarks(text: string): string {
  const signs = new Set(['?', '!', '¿', '¡', ' ', '\n']);
  let [from, to] = [0, text.length];
  while (from < to && signs.has(text.charAt(from))) from++;
  while (to > from && signs.has(text.charAt(to - 1))) to--;
  return ' '.repeat(from) + text.slice(from, to) + ' '.repeat(text.length - to);
}

/**
 * A description without the request around it, with blanks in its place, so that all offsets stay: "please show me a map
 * of Texas" is "Texas". The same text if nothing else is left.
 */
export function withoutRequest(given: string): string {
  const text = withoutQuestionMarks(given);
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    folded: foldName(word),
    from: index,
    to: index + word.length,
  }));
  /** Words of a phrase of a set from a word on; 0 if there is none. */
  const countAt = (set: ReadonlySet<string>, at: number): number => {
    for (let count = MOST_WORDS; count > 0; count--) {
      const some = words.slice(at, at + count);
      if (some.length === count && set.has(some.map(({ folded }) => folded).join(' '))) return count;
    }
    return 0;
  };
  let first = 0;
  for (let count = countAt(ASKED, first); count > 0; count = countAt(ASKED, first)) first += count;
  const asked = countAt(QUESTIONS, first);
  if (asked > 0) {
    const level = first + asked + countAt(ARTICLES, first + asked);
    if (LEVELS.has(words[level]?.folded ?? '')) first += asked;
  }
  let thing = first;
  for (let count = countAt(ARTICLES, thing); count > 0; count = countAt(ARTICLES, thing)) thing += count;
  const things = countAt(THINGS, thing);
  const links = things === 0 ? 0 : countAt(OF, thing + things);
  if (links > 0) first = thing + things + links;
  let last = words.length;
  for (let count = MOST_WORDS; count > 0; count--) {
    if (last - count > first && countAt(AT_END, last - count) === count) {
      last -= count;
      count = MOST_WORDS + 1;
    }
  }
  const [from, to] = [words[first], words[last - 1]];
  if (from === undefined || to === undefined || first >= last || (first === 0 && last === words.length)) return text;
  const begin = first === 0 ? 0 : from.from;
  const end = last === words.length ? text.length : to.to;
  return ' '.repeat(begin) + text.slice(begin, end) + ' '.repeat(text.length - end);
}
