import { readBoundaryId } from '../boundaries/ids.ts';
import { foldName } from '../names/fold.ts';
import { groupOf } from '../names/groups.ts';
import type { Expression, Level, LevelWord } from './algebra.ts';
import { clip } from './description_error.ts';
import { parseLevel } from './level_words.ts';
import type { Parser } from './parser.ts';
import { foldsOf, isCode, isIsoCode, isSmall, spansFrom } from './spans.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';
import { smallWords, type Vocabulary } from './vocabulary/vocabulary.ts';

// Rules for names of places: the longest one that the lexicon has, with its level and container.

/** Index of the last token of the longest name that starts at a token, or null. */
export function nameAt(p: Parser, at: number): number | null {
  if (at >= p.tokens.length) return null;
  if (p.isCodeAt(at)) return at;
  for (const end of spansFrom(p.tokens, at)) {
    const folded = foldName(p.text.slice(p.tokenAt(at).from, p.tokenAt(end).to));
    if (at === end && isSmall(p.tokenAt(at))) continue;
    if (folded !== '' && p.lexicon.has(folded)) return end;
  }
  return null;
}

/** Index of the last token of a German name with genitive s, of a place or a group ("Afrikas"), or null. */
export function genitiveAt(p: Parser, at: number): number | null {
  if (at >= p.tokens.length) return null;
  for (const end of spansFrom(p.tokens, at)) {
    const [folded] = foldsOf(p.text, p.tokens, at, end);
    if (!folded?.endsWith('s')) continue;
    const name = folded.slice(0, -1);
    if (p.lexicon.has(name) || groupOf(name) !== null) return end;
  }
  return null;
}

/** Takes "of" in front of a place; in German, its genitive will do: "Nachbarn Spaniens". */
export function takeOf(p: Parser): boolean {
  return p.take(p.v.of) || (p.v.language === 'de' && genitiveAt(p, p.at) !== null);
}

/** Index of the last token of the longest name of a group that starts at a token, or null. */
export function groupAt(p: Parser, at: number): number | null {
  if (at >= p.tokens.length) return null;
  return (
    spansFrom(p.tokens, at).find((end) => groupOf(p.text.slice(p.tokenAt(at).from, p.tokenAt(end).to)) !== null) ?? null
  );
}

/** By language, the grammar words that stand alone where a name is expected: "and", "the". */
const KEYWORDS: ReadonlyMap<Vocabulary, ReadonlySet<string>> = new Map(
  VOCABULARIES.map((v) => {
    const phrases = [smallWords(v), v.half, v.quarter, v.neighbors, v.capital, v.parts].flat();
    return [v, new Set(phrases.flatMap((phrase) => (phrase.length === 1 ? phrase : [])))];
  }),
);

/** Whether a single grammar word is here where a name is expected: "and", "the". */
export function isKeyword(p: Parser, at: number, end: number): boolean {
  return at === end && !p.isCodeAt(at) && KEYWORDS.get(p.v)?.has(p.tokenAt(at).folded) === true;
}

/** Passes over an article. Returns the position. */
export function skipArticle(p: Parser): number {
  p.take(p.v.articles);
  return p.at;
}

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

function parseNamed(p: Parser, qualified: boolean): Expression | null {
  const from = p.at;
  const group = p.attempt((): Expression | null => {
    for (const skip of [false, true]) {
      if (skip && !p.take(p.v.articles)) return null;
      const end = groupAt(p, p.at);
      if (end === null) continue;
      const found = groupOf(p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to));
      p.at = end + 1;
      return { op: 'group', name: found?.name ?? '', words: p.words(from) };
    }
    return null;
  });
  if (group) return group;
  // "Canton Remich" and "La Rioja" are whole names.
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
      if (p.take(p.v.of)) p.take(p.v.articles);
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
    const id = parseId(p);
    if (id) return id;
    const genitive = p.v.language === 'de' ? genitiveAt(p, p.at) : null;
    if (genitive === null) return null;
    const text = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(genitive).to - 1);
    p.at = genitive + 1;
    const named = groupOf(text);
    return named === null
      ? { op: 'place', name: text, words: p.words(from) }
      : { op: 'group', name: named.name, words: p.words(from) };
  }
  const name = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to);
  const folded = foldName(name);
  p.at = end + 1;
  const parts = p.lexicon.parts?.(folded) ?? [];
  if (parts.length > 0) {
    const words = p.words(from);
    return { op: 'union', of: parts.map((id) => ({ op: 'place', id, words })), words };
  }
  if (level === null) {
    const start = p.at;
    level = p.take(p.v.city) ? 'municipality' : parseLevel(p, 'one');
    // "Vaduz region of …" and "Texas county that …" mean something else.
    if (level !== null && p.v.language !== 'en' && level !== 'county' && level !== 'municipality') {
      p.at = start;
      level = null;
    }
  }
  const within = qualified ? parseQualifier(p, folded, name, level) : null;
  return {
    op: 'place',
    name,
    ...(within === null ? {} : { within }),
    ...(level === null ? {} : { level: level as Level }),
    words: p.words(from),
  } as Expression;
}

function parseId(p: Parser): Expression | null {
  const token = p.tokens[p.at];
  if (token?.sort !== 'word' || readBoundaryId(token.text) === null) return null;
  p.at++;
  return { op: 'place', id: token.text, words: p.words(p.at - 1) };
}

/** Whether a level and the end of a bracket are here: "Burgos y Soria (provincias)". */
function isLevelInBrackets(p: Parser): boolean {
  const start = p.at;
  const is = (parseLevel(p, 'many') ?? parseLevel(p, 'one')) !== null && p.sign(')');
  p.at = start;
  return is;
}

/** Passes over the level of a place that contains others: "in the state of Ohio", "im Bundesstaat Ohio". */
function takeLevelOf(p: Parser): void {
  p.attempt(() => {
    if (nameAt(p, p.at) !== null || parseLevel(p, 'one') === null) return null;
    if (!p.take(p.v.of) && p.v.language !== 'de') return null;
    p.take(p.v.articles);
    return nameAt(p, p.at);
  });
}

/** Whether a word for this level is at a token. */
function isLevelAt(p: Parser, at: number, level: LevelWord): boolean {
  const start = p.at;
  p.at = at;
  const is = parseLevel(p, 'one') === level;
  p.at = start;
  return is;
}

/** Whether a place ends before a token: the description, a list or a bracket goes on there, or what is left out of it. */
function endsItem(p: Parser, at: number): boolean {
  const token = p.tokens[at];
  if (token === undefined || /^[;)]$/.test(token.folded) || p.isListed(at)) return true;
  const start = p.at;
  p.at = at;
  const is = p.find(p.v.without) !== null;
  p.at = start;
  return is;
}

/** ", Texas", "(Texas)", "in Texas", "Texas" after a name. */
function parseQualifier(p: Parser, folded: string, name: string, level: LevelWord | null): string | null {
  const isLeveled = level !== null;
  return p.attempt(() => {
    const start = p.at;
    // "Clark County OH", "Clark County Ohio", "Clark Ohio"
    const last = p.tokens[p.at]?.sort === 'word' ? nameAt(p, p.at) : null;
    if (last !== null && endsItem(p, last + 1) && !isKeyword(p, p.at, last)) {
      const text = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(last).to);
      const relation = p.lexicon.relation(folded, foldName(text));
      if (isLeveled || relation === 'inside' || (relation === 'both' && p.isCodeAt(last))) {
        p.at = last + 1;
        return text;
      }
    }
    if (p.sign('(')) {
      if (p.find(p.v.without) !== null || isLevelInBrackets(p)) return null;
      const end = nameAt(p, p.at);
      if (end === null || p.tokens[end + 1]?.folded !== ')') {
        p.at = start;
        p.fail('is not a place in brackets', start, Math.min(start + 1, p.tokens.length - 1));
      }
      const text = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end as number).to);
      p.at = (end as number) + 2;
      return text;
    }
    const comma = p.sign(',');
    if (!comma && !p.take(p.v.inside)) return null;
    p.take(comma ? [] : p.v.articles);
    if (!comma) takeLevelOf(p);
    const end = nameAt(p, p.at);
    if (end === null) return null;
    const text = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to);
    if (comma) {
      // "Columbia County, Putnam County": a boundary has none of its own level in it.
      if (isLeveled && isLevelAt(p, end + 1, level)) return null;
      // "ES-SE, US-AL" is a list.
      if (name.includes('-') && isIsoCode(name) && isIsoCode(text)) return null;
      // "Texas, OK and AR" is a list, whatever lies in Oklahoma.
      if (p.isCodeAt(end) && p.isListedWithCode(end + 1)) return null;
      const relation = p.lexicon.relation(folded, foldName(text));
      // "AK, HI" and "Spain, UK and France" are lists; "Springfield, IL" is not, even if neither is stored.
      // So is "Lee County, AL and Cook County, IL", with a level.
      const coded = isCode(p.tokenAt(end)) && !isCode(p.tokenAt(start - 1)) && (isLeveled || !p.isListed(end + 1));
      const isSure = coded || (isLeveled && relation === null && !p.isListed(end + 1));
      if (!isSure && (relation === null || relation === 'peers')) return null;
      if ((relation === 'both' && !isLeveled) || relation === 'peers') {
        if (p.isListing) return null;
        // "Texas, Oklahoma and Kansas" is a list; "Texas, Oklahoma" may be a county.
        if (p.isListed(end + 1)) return null;
        p.fail(
          `may be "${clip(name)}" in "${clip(text)}" or both of them; write "${clip(name)} in ${clip(text)}" or "${clip(name)} and ${clip(text)}"`,
          end,
        );
      }
      p.choices.push(`"${clip(`${name}, ${text}`)}" is read as one place in another, not as two places`);
    }
    p.at = end + 1;
    return text;
  });
}

/** Whether a comma and a name are all that is left of a list. */
export function endsWithPlace(p: Parser): boolean {
  if (p.tokens[p.at]?.folded !== ',') return false;
  const end = nameAt(p, p.at + 1);
  return end !== null && !p.isListed(end + 1);
}

/** The place behind a list that contains all of it: ", Texas", "in Texas", "(Texas)", "TX". Null if there is none. */
export function parseSharedContainer(p: Parser): string | null {
  return p.attempt((): string | null => {
    const isBracketed = p.sign('(');
    const last = p.tokens[p.at];
    // "Lake and Porter counties Indiana"
    const isLast = last?.sort === 'word' && nameAt(p, p.at) === p.tokens.length - 1;
    const isCoded = last !== undefined && p.at === p.tokens.length - 1 && isCode(last);
    if (!isBracketed && !isCoded && !isLast && !p.sign(',') && !p.take(p.v.inside) && !p.take(p.v.of)) return null;
    p.take(p.v.articles);
    if (!isCoded) takeLevelOf(p);
    const end = isCoded ? p.at : nameAt(p, p.at);
    if (end === null || p.isListed(end + 1)) return null;
    const text = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to);
    p.at = end + 1;
    return isBracketed && !p.sign(')') ? null : text;
  });
}

/**
 * "of New York" behind "the five boroughs": the boundaries that are the city together, as no level below a county is
 * stored. Null for another place.
 */
export function parsePartsOfCity(p: Parser): Expression | null {
  return p.attempt((): Expression | null => {
    if (!p.take(p.v.of)) return null;
    const from = skipArticle(p);
    const end = nameAt(p, from);
    if (end === null || p.isListed(end + 1)) return null;
    const name = p.text.slice(p.tokenAt(from).from, p.tokenAt(end).to);
    const ids = [foldName(name), `${foldName(name)} city`].flatMap((folded) => p.lexicon.parts?.(folded) ?? []);
    if (ids.length === 0) return null;
    p.at = end + 1;
    const words = p.words(from);
    p.choices.push(`the boroughs of ${clip(name)} are the ${ids.length} counties of the city`);
    return { op: 'union', of: ids.map((id) => ({ op: 'place', id, words })), words };
  });
}

/** A word for a level that ends the name of a place: "Wasington County". Null if there is none. */
function levelAtEnd(p: Parser, number: 'one' | 'many'): LevelWord | null {
  const start = p.at;
  const level = parseLevel(p, number);
  const next = p.tokens[p.at];
  const isEnd = next === undefined || next.sort === 'sign' || p.isListed(p.at) || isContained(p, number);
  p.at = start;
  return isEnd ? level : null;
}

/** Whether "in" or "of", or a code that ends the description, follows the level that names share: "counties in Ohio". */
function isContained(p: Parser, number: 'one' | 'many'): boolean {
  return number === 'many' && (p.find(p.v.inside) !== null || p.find(p.v.of) !== null || p.isCodeAt(p.at));
}

/** A comma and the one place that follows it, behind a name with its level. */
function parseContainerBehind(p: Parser): string | null {
  return p.attempt((): string | null => {
    if (!p.sign(',')) return null;
    const end = nameAt(p, p.at);
    if (end === null) return null;
    const text = p.text.slice(p.tokenAt(p.at).from, p.tokenAt(end).to);
    p.at = end + 1;
    return text;
  });
}

/** Words with which no known name starts, read as an unknown place. */
export function parseUnknownPlace(p: Parser): Expression {
  const from = p.at;
  const token = p.tokens[p.at];
  if (token === undefined) p.fail('a place is expected');
  if (token.sort !== 'word') p.fail('is not understood', from);
  const stops = [p.v.and, p.v.or, p.v.without];
  let level: LevelWord | null = null;
  let shared: LevelWord | null = null;
  while (
    p.at < p.tokens.length &&
    p.tokenAt(p.at).sort !== 'sign' &&
    !stops.some((phrases) => p.find(phrases) !== null)
  ) {
    if (p.at > from && p.v.language === 'en') {
      level = levelAtEnd(p, 'one');
      shared = level === null ? levelAtEnd(p, 'many') : null;
    }
    if (level !== null || shared !== null) break;
    p.at++;
  }
  if (p.at === from) p.fail('is not understood', from);
  // Counted in words: the language that understands most of a description explains its error best.
  p.unknown += p.at - from;
  const name = p.words(from).text.slice(0, 200);
  const unknown = { op: 'place', name, words: p.words(from) } as const;
  // "King and Snohomsh counties"
  if (shared !== null && parseLevel(p, 'many') !== null)
    return { op: 'children', of: unknown, level: shared, words: p.words(from) };
  if (level === null) return unknown;
  // "Wasington County, Ohio"
  parseLevel(p, 'one');
  const within = parseContainerBehind(p);
  const place = { op: 'place', name, level, words: p.words(from) } as const;
  return within === null ? place : { ...place, within };
}
