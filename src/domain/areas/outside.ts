import { foldName } from '../names/fold.ts';
import { groupOf } from '../names/groups.ts';
import type { Expression } from './algebra.ts';
import { parseCount } from './amounts.ts';
import { parseLevel } from './level_words.ts';
import { groupAt, skipArticle } from './name_at.ts';
import { Parser } from './parser.ts';
import { anyOf, parsePlaces } from './places.ts';
import { parseSuperlative } from './ranks.ts';
import { spansFrom } from './spans.ts';
import type { Token } from './tokens.ts';
import { OUTSIDE } from './vocabulary/outside.ts';
import { LANGUAGES } from './vocabulary/vocabulary.ts';

// Rules for sets without what is in a place or a group: "countries outside the EU", "non-EU countries".

/**
 * What "outside the EU" or "die nicht in Andalusien liegen" leaves out of a set. Where the end of the form does not end it,
 * it is a group, and no list goes on behind it: that is a list of exclusions.
 */
function parseOutsideOf(p: Parser): Expression | null {
  for (const { before, after } of OUTSIDE[p.v.language].forms) {
    const end = p.peek(before);
    if (end === null) continue;
    const minus = p.attempt(() => {
      p.at = end;
      const isGroup = groupAt(p, skipArticle(p)) !== null;
      const isNeither = before.includes('neither');
      if (after.length === 0 && !isGroup && !isNeither) return null;
      const start = p.at;
      const places = parsePlaces(p, () => p.take(OUTSIDE[p.v.language].or));
      if (places === null || (isNeither && places.length < 2) || (after.length > 0 && !p.take(after))) return null;
      const each = anyOf(p, places, start);
      return after.length === 0 && p.isListed(p.at) && p.find(p.v.relative, nextItem(p)) === null ? null : each;
    });
    if (minus) return minus;
  }
  return null;
}

/** The token behind the sign or the word that divides a list here. */
function nextItem(p: Parser): number {
  const start = p.at;
  p.separator();
  const next = p.at;
  p.at = start;
  return next;
}

/** Words that begin such a form in any language. */
const BEGINNINGS: ReadonlySet<string> = new Set(
  LANGUAGES.flatMap((language) => OUTSIDE[language].forms.flatMap(({ before: [word] }) => word ?? [])),
);

/** Those of a set that are in none of some groups or places. Null if nothing says so. */
export function parseOutside(p: Parser, of: Expression, from: number): Expression | null {
  const first = p.tokens[p.tokens[p.at]?.folded === ',' ? p.at + 1 : p.at];
  if (!BEGINNINGS.has(first?.folded ?? '')) return null;
  return p.attempt((): Expression | null => {
    p.sign(',');
    const minus = p.at >= p.tokens.length ? null : parseOutsideOf(p);
    return minus && { op: 'difference', of: countriesIn(p, of), minus, words: p.words(from) };
  });
}

/**
 * A group of countries by a word for countries is without its territories where something is left out of it: "European
 * countries outside the EU".
 */
export function countriesIn(p: Parser, of: Expression): Expression {
  if (of.op !== 'group' || of.words === undefined) return of;
  const { text } = of.words;
  const many = p.v.levels.get('country')?.many ?? [];
  const isWord = foldName(text.replaceAll('-', ' '))
    .split(' ')
    .some((word) => many.some((phrase) => phrase.join(' ') === word));
  const areCountries = groupOf(of.name)?.members.every((code) => code.length === 2) === true;
  return isWord && areCountries ? { op: 'children', of, level: 'country', words: of.words } : of;
}

/** Whether a token negates a group, in any language. */
const isNon = ({ folded }: Token): boolean => NON.has(folded);
const NON: ReadonlySet<string> = new Set(LANGUAGES.flatMap((language) => OUTSIDE[language].non.flat()));

/**
 * "non-EU countries bordering Austria": a set as if "non-EU" were not there, without that group. Null for another one.
 * @param parse the rule for a set
 */
export function parseNonMembers(p: Parser, parse: (p: Parser) => Expression | null): Expression | null {
  if (!p.hasToken(isNon)) return null;
  const from = p.at;
  const { non } = OUTSIDE[p.v.language];
  p.take(p.v.all) || p.take(p.v.articles);
  if (p.find(non) === null && parseSuperlative(p) === null) p.attempt(() => parseCount(p));
  const start = p.at;
  const first = p.find(non);
  p.at = from;
  if (first === null || p.tokens[first]?.sort !== 'word') return null;
  for (const last of spansFrom(p.tokens, first)) {
    const name = p.words(first, last).text;
    const group = groupOf(name) ?? groupOf(`${name} countries`);
    if (group === null) continue;
    // "non-European countries" has the level in the name of the group.
    for (const end of [last + 1, last]) {
      const words = p.words(start, last);
      const one = new Parser(p.text, p.tokens.toSpliced(start, end - start), p.v, p.lexicon, p.region, p.quoted);
      one.at = start;
      const isSet = end > last && one.at < one.tokens.length && groupAt(one, one.at) !== null;
      if (one.at >= one.tokens.length || !(isSet || isLevelAt(one))) continue;
      one.at = from;
      one.apart = { op: 'group', name: group.name, words };
      const found = parse(one);
      if (found === null || one.apart !== null) continue;
      p.at = p.tokens.length - (one.tokens.length - one.at);
      p.unknown += one.unknown;
      p.choices.push(...one.choices);
      return found;
    }
  }
  return null;
}

/** Whether a word for a level is here. */
function isLevelAt(p: Parser): boolean {
  const start = p.at;
  const is = (parseLevel(p, 'many') ?? parseLevel(p, 'one')) !== null;
  p.at = start;
  return is;
}

/** A set without the group that "non-" is in front of, if there is one; no other rule leaves it out then. */
export function takeApart(p: Parser, of: Expression, from: number): Expression {
  const minus = p.apart;
  if (minus === null) return of;
  p.apart = null;
  return { op: 'difference', of: countriesIn(p, of), minus, words: p.words(from) };
}
