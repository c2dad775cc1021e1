import { countriesOfGroup } from '../names/groups.ts';
import type { Expression, LevelWord } from './algebra.ts';
import { clip, DescriptionError } from './description_error.ts';
import { parseFilters } from './filters.ts';
import { groupAt, skipArticle } from './name_at.ts';
import type { Parser } from './parser.ts';
import { parsePlace } from './places.ts';
import { said, term } from './wording/said.ts';

// Rules for a level of which no words say where: countries are those of the world.

/**
 * Countries that are chosen by words before or behind them, of no place: those of the world.
 * @param isChosen whether words before the level choose
 */
export function parseInWorld(p: Parser, isChosen: boolean, from: number): Expression | null {
  const words = p.words(from);
  const start = p.at;
  const world: Expression = { op: 'group', name: 'World', words };
  const isFiltered = p.attempt(() => (parseFilters(p, world, from) === world ? null : true)) ?? false;
  p.at = start;
  return isChosen || isFiltered || p.apart !== null ? { op: 'children', of: world, level: 'country', words } : null;
}

/** Levels directly below a country: all of them are meant by "all states except …". */
export const FIRST_LEVELS: readonly LevelWord[] = ['state', 'region', 'community', 'canton', 'province', 'department'];

/** "all states" before "except California": those of the country of the place that is left out. */
export function parseAllOfCountry(p: Parser, level: LevelWord, from: number): Expression | null {
  const [start, chosen] = [p.at, p.choices.length];
  if (!FIRST_LEVELS.includes(level) || !p.take(p.v.without)) return null;
  p.take(p.v.of);
  p.take(p.v.articles);
  const place = p.attempt(() => parsePlace(p, false));
  p.at = start;
  p.choices.length = chosen;
  if (place?.op !== 'place') return null;
  const words = p.words(from);
  p.choices.push(said`"${clip(words.text)}" is read as those of the country of "${clip(place.words?.text ?? '')}"`);
  const country: Expression = { op: 'containing', of: { ...place, level }, level: 'country', words };
  return { op: 'children', of: country, level, words };
}

/** "states outside New England": those of the country of the divisions of the group. Null for something else. */
export function parseOutsideGroup(p: Parser, level: LevelWord, from: number): Expression | null {
  const start = p.at;
  const isOut = FIRST_LEVELS.includes(level) && p.take(p.v.without);
  if (isOut) p.take(p.v.of);
  const end = isOut ? groupAt(p, skipArticle(p)) : null;
  const [country, ...more] = end === null ? [] : countriesOfGroup(p.words(p.at, end).text);
  p.at = start;
  if (country === undefined || more.length > 0) return null;
  const words = p.words(from);
  p.choices.push(said`"${clip(words.text)}" is read as those of ${country}`);
  return { op: 'children', of: { op: 'place', id: `iso:${country}`, words }, level, words };
}

/** Words for levels, folded, that speakers use of the countries that have them; others have a country of their own: "communes". */
const OF_ANY: ReadonlySet<string> = new Set(
  (
    'state states county counties countys province provinces municipality municipalities community communities ' +
    'estado estados condado condados provincia provincias municipio municipios comunidad comunidades ' +
    'bundesstaat bundesstaaten provinz provinzen gemeinschaft gemeinschaften comte comtes communaute communautes'
  ).split(' '),
);
/** Words with which states are countries: "landlocked states". */
const OF_COUNTRIES = /^(?:landlocked|coastal|island|sovereign)$/;

/**
 * Whether the tokens up to `end` have a word for a level that means those of any country, and nothing beside them that may say
 * of which: "the largest county, Ireland".
 */
function isOfOneCountry(p: Parser, from: number, end: number): boolean {
  const words = p.tokens.slice(from, end);
  const isBeside = (at: number): boolean => p.tokens[at]?.sort === 'sign';
  if (isBeside(from - 1) || isBeside(end)) return false;
  return words.some(({ folded }) => OF_ANY.has(folded)) && !words.some(({ folded }) => OF_COUNTRIES.test(folded));
}

/** Whether boundaries are chosen by their names and sizes alone, and not by other places: "states that do not border Ohio". */
const isByItself = (chosen: Expression): boolean =>
  chosen.op === 'union'
    ? chosen.of.every(isByItself)
    : chosen.op === 'named' || chosen.op === 'measured'
      ? isByItself(chosen.of)
      : chosen.op === 'group';

/**
 * A rank or a filter of a level that says of no place: "the third largest state", "provinces starting with M". Those of the
 * only country that has the level; null for something else. Countries are those of the world.
 * @param isChosen whether words before it choose among the boundaries of the level
 * @throws DescriptionError where several countries have the level, or that is not known
 */
export function parseOfOnlyCountry(p: Parser, level: LevelWord, isChosen: boolean, from: number): Expression | null {
  const start = p.at;
  const anywhere: Expression = { op: 'group', name: '', words: p.words(from) };
  const filtered = p.attempt(() => {
    const some = parseFilters(p, anywhere, from);
    return some === anywhere ? null : some;
  });
  // "the largest county by population"
  if (isChosen && !p.take(p.v.byPopulation)) p.take(p.v.byArea);
  const end = p.at;
  p.at = start;
  if ((!isChosen && filtered === null) || level === 'country') return null;
  if (end < p.tokens.length && !p.isListed(end)) return null;
  const words = p.words(from, end - 1);
  const only = p.lexicon.onlyCountryOf?.(level) ?? null;
  if (only !== null && isOfOneCountry(p, from, end) && (filtered === null || isByItself(filtered))) {
    p.choices.push(
      said`"${clip(words.text)}" is read as those of ${only.name}, the only country with boundaries of that level`,
    );
    const of = p.words(from);
    return { op: 'children', of: { op: 'place', id: `iso:${only.code}`, words: of }, level, words: of };
  }
  throw new DescriptionError(
    said`"${clip(words.text)}" (character ${words.from + 1}) ${term('does not say of which country or region; write "of" and its name behind the level')}.`,
    words,
    { level, at: p.tokenAt(start - 1).to, language: p.v.language },
  );
}
