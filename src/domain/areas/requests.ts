import { foldName } from '../names/fold.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';

const phrases = (text: string): ReadonlySet<string> => new Set(text.split(', ').map(foldName));

/** How people ask for an area, in the four languages. */
const ASKED = phrases(
  'please, bitte, por favor, s il vous plaît, can you, could you, i want, i need, i would like, we need, give me, show me, to see, draw, draw me, plot, merge, combine, join, unite, une, combina, junta, fusiona, vereinige, verbinde, fusionne, réunis, quiero, necesito, dame, muéstrame, dibuja, ich möchte, ich brauche, zeige mir, zeig mir, zeichne, gib mir, je veux, je voudrais, montre moi, montrez moi, donne moi, dessine, ' +
    'hey, hi, hello, hola, hallo, bonjour, salut, could i get, can i get, can i have, could i have, i d like, get me, make me, create, we sell in, we deliver to, our territory is, my area is, ' +
    'me puedes dar, puedes darme, podrías darme, me das, pásame, quisiera, quería, me gustaría, dibújame, hazme, crea, vendemos en, nuestra zona es, ' +
    'mach mir, mache mir, erstelle, erstelle mir, kannst du mir, könntest du mir, könnten sie mir, ich hätte gern, ich hätte gerne, wir brauchen, wir liefern nach, unser gebiet ist, unser vertriebsgebiet sind, unser vertriebsgebiet ist, ' +
    'just, only, nur, bloß, lediglich, solo, solamente, únicamente, seulement, uniquement, send me, send, ' +
    'donnez moi, dessinez moi, tracez moi, envoyez moi, mándame, enséñame, busco, buscamos, ich suche, wir suchen, schick mir, ich will, ich würde gern, ' +
    'peux tu me tracer, peux tu me donner, pouvez vous me donner, il me faut, j aimerais, trace moi, fais moi, nous livrons en',
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
  'map, maps, outline, outlines, outline map, boundary, boundaries, shape, shapes, polygon, polygons, union, combined area, mapa, mapas, contorno, límite, límites, frontera, polígono, unión, Karte, Umriss, Umrisse, Grenze, Grenzen, Polygon, Vereinigung, carte, contour, frontière, frontières, polygone',
);
const OF = phrases('of, for, with, showing, covering, avec, de, del, con, von, mit, der, des, du, d');
const AT_END = phrases(
  'please, bitte, por favor, s il vous plaît, into one, into one region, into one area, into one shape, into one polygon, in one area, en una sola, en uno, combined, merged, together, as one, as one area, as one polygon, in one polygon, combinados, combinadas, juntos, juntas, zusammen, combinés, combinées, ensemble, réunis, réunies, machen, geben, haben, sehen, zeichnen, only, nur, seulement, uniquement, solamente, nada más, als eine Fläche, als ein Gebiet, thanks, thank you, danke, gracias, merci',
);
/** What two places share: "the border with France" is a line, and not France. */
const BORDERS = phrases('boundary, boundaries, frontera, límite, Grenze, Grenzen, frontière, frontières');
const WITH = phrases('with, avec, con, mit');
/** Words behind a question in which its level is: "five biggest counties". */
const BEFORE_LEVEL = 3;
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
    const from = first + asked + countAt(ARTICLES, first + asked);
    // "what are the five biggest counties in Nevada"
    if (words.slice(from, from + BEFORE_LEVEL).some(({ folded }) => LEVELS.has(folded))) first += asked;
  }
  let thing = first;
  for (let count = countAt(ARTICLES, thing); count > 0; count = countAt(ARTICLES, thing)) thing += count;
  const things = countAt(THINGS, thing);
  const isShared = countAt(BORDERS, thing) === things && countAt(WITH, thing + things) > 0;
  const links = things === 0 || isShared ? 0 : countAt(OF, thing + things);
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
