import { readBoundaryId } from '../boundaries/ids.ts';
import { foldName } from '../names/fold.ts';
import { groupOf } from '../names/groups.ts';
import type { Expression, Level, LevelWord } from './algebra.ts';
import { parseGroup } from './groups_named.ts';
import { inEachCode } from './in_each_code.ts';
import { parseLevel } from './level_words.ts';
import { backToName, genitiveAt, isKeyword, nameAt, skipArticle } from './name_at.ts';
import type { Parser } from './parser.ts';
import { parseOwnLevel, parseQualifier } from './qualifiers.ts';

// Rules for names of places, with their level and container.

/** A place by its name, optionally with its level and container; behind "our", an area of a set. */
export function parsePlace(p: Parser, qualified = true): Expression | null {
  const from = p.at;
  if (!p.take(p.v.our)) return parseNamed(p, qualified);
  const place = parseNamed(p, qualified);
  if (place?.op !== 'place') {
    p.at = from;
    return null;
  }
  // Areas of sets have no levels: "our North region" is called "North".
  const { level: _, ...named } = place;
  return { ...named, own: true, words: p.words(from) };
}

/**
 * Places, each with or without an article, while `goesOn` takes what stands between two of them. Null if one is not a place.
 * @param parse the rule for one; without it, places without their containers
 */
export function parsePlaces(
  p: Parser,
  goesOn: () => boolean,
  parse: (p: Parser) => Expression | null = (one) => parsePlace(one, false),
): readonly Expression[] | null {
  const places: Expression[] = [];
  do {
    if (nameAt(p, p.at) === null) p.take(p.v.articles);
    const place = p.attempt(() => parse(p));
    if (place === null) return null;
    places.push(place);
  } while (goesOn());
  return places;
}

/** One of several places, or the union of them. */
export function anyOf(p: Parser, places: readonly Expression[], from: number): Expression {
  const [first, ...more] = places;
  return first !== undefined && more.length === 0 ? first : { op: 'union', of: places, words: p.words(from) };
}

function parseNamed(p: Parser, qualified: boolean): Expression | null {
  const from = p.at;
  const group = p.attempt(() => parseGroup(p, from));
  if (group) return group;
  // "Canton Remich" and "La Rioja" are whole names.
  const genitive = parseGenitive(p, from);
  if (genitive !== null) return genitive;
  let end = nameAt(p, p.at);
  let level: LevelWord | null = null;
  if (end === null || isKeyword(p, p.at, end)) {
    p.take(p.v.articles);
    end = nameAt(p, p.at);
  }
  if (end === null || isKeyword(p, p.at, end)) {
    const start = p.at;
    level = p.take(p.v.cityOf) ? 'municipality' : parseLevel(p, 'one');
    if (level !== null) {
      if (p.take(p.v.of)) {
        // "El Ejido" is a whole name.
        backToName(p);
        if (nameAt(p, p.at) === null) p.take(p.v.articles);
      }
      end = nameAt(p, p.at);
    }
    if (level === null || end === null) {
      p.at = start;
      level = null;
      end = null;
    }
  } else {
    // "province of Seville" may name something other than the province: the level takes precedence.
    const start = p.at;
    const city = p.take(p.v.cityOf);
    const typed = city ? 'municipality' : parseLevel(p, 'one');
    const name = typed !== null && (city || p.take(p.v.of)) ? nameAt(p, skipArticle(p)) : null;
    if (typed !== null && name !== null && name >= end) {
      level = typed;
      end = name;
    } else p.at = start;
  }
  if (end === null) {
    return parseId(p) ?? parseGenitive(p, from);
  }
  const name = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to);
  const folded = foldName(name);
  p.at = end + 1;
  const parts = p.lexicon.parts?.(folded) ?? [];
  if (parts.length > 0) {
    const words = p.words(from);
    return { op: 'union', of: parts.map((id) => ({ op: 'place', id, words })), words };
  }
  level ??= parseOwnLevel(p);
  const only = level === null ? takeOnlyIn(p) : null;
  if (only !== null) {
    const within = (qualified ? parseQualifier(p, folded, name, 'county') : null) ?? { within: only };
    return { op: 'place', name, ...within, level: 'county', words: p.words(from) } as Expression;
  }
  if (level === null) {
    const start = p.at;
    level = p.take(p.v.city) ? 'municipality' : parseLevel(p, 'one');
    // "Vaduz region of …" and "Texas county that …" mean something else.
    const isBehind =
      p.v.language === 'es' && (p.at >= p.tokens.length || p.isListed(p.at) || p.find(p.v.without) !== null);
    if (level !== null && p.v.language !== 'en' && level !== 'county' && level !== 'municipality' && !isBehind) {
      p.at = start;
      level = null;
    }
  }
  const within = qualified ? parseQualifier(p, folded, name, level) : null;
  const leveled = level === null ? {} : { level: level as Level };
  const place = { op: 'place', name, ...within, ...leveled, words: p.words(from) } as const;
  return inEachCode(p, place as Extract<Expression, { op: 'place' }>, from);
}

/** English words behind a name for the counties of one state alone. */
const ONLY_IN: ReadonlyMap<string, string> = new Map([
  ['parish', 'Louisiana'],
  ['borough', 'Alaska'],
]);

/** The state whose counties alone are called by the word that is here: "Caddo Parish". Null for another word. */
function takeOnlyIn(p: Parser): string | null {
  const only = p.v.language === 'en' ? ONLY_IN.get(p.tokens[p.at]?.folded ?? '') : undefined;
  if (only === undefined) return null;
  p.at++;
  return only;
}

/** Whether a word with an s at its end is among those of a German name. */
function mayBeGenitive(p: Parser): boolean {
  if (p.v.language !== 'de') return false;
  for (let at = p.at; p.tokens[at]?.sort === 'word'; at++) if (p.tokenAt(at).folded.endsWith('s')) return true;
  return false;
}

/** Whether a sign or a word for "and" is at a position. */
const isSeparator = (p: Parser, at: number): boolean =>
  p.tokenAt(at).sort === 'sign' || p.v.and.some((and) => p.peek(and, at) !== null);

/** Whether an item of a list begins here, and the one before it is not a genitive: "Provinzen Spaniens und Portugals" has one. */
function beginsItem(p: Parser): boolean {
  if (p.at === 0) return true;
  const before = p.tokens[p.at - 2]?.folded ?? '';
  return isSeparator(p, p.at - 1) && (!before.endsWith('s') || p.lexicon.has(before));
}

/** A German genitive that is longer than a known name, of a place or a group: "Saudi-Arabiens". Null if there is none. */
function parseGenitive(p: Parser, from: number): Expression | null {
  const end = mayBeGenitive(p) ? genitiveAt(p, p.at) : null;
  if (end === null || end <= (nameAt(p, p.at) ?? -1)) return null;
  // Nothing is of them: "Virginias" and "Kenia und Guineas" are more than one Virginia and Guinea.
  if (beginsItem(p) && (p.tokens[end + 1] === undefined || isSeparator(p, end + 1))) return null;
  const text = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to - 1);
  p.at = end + 1;
  const named = groupOf(text);
  return named === null
    ? { op: 'place', name: text, words: p.words(from) }
    : { op: 'group', name: named.name, words: p.words(from) };
}

function parseId(p: Parser): Expression | null {
  const token = p.tokens[p.at];
  if (token?.sort !== 'word' || readBoundaryId(token.text) === null) return null;
  p.at++;
  return { op: 'place', id: token.text, words: p.words(p.at - 1) };
}
