import { foldName } from '../names/fold.ts';
import { mayBeIn } from './addresses.ts';
import type { Expression, Words } from './algebra.ts';
import { clip } from './description_error.ts';
import { isBare } from './expressions.ts';
import { parseLevel } from './level_words.ts';
import { nameAt } from './name_at.ts';
import type { Parser } from './parser.ts';
import { endsItem } from './qualifiers.ts';
import { isIsoCode } from './spans.ts';
import { said } from './wording/said.ts';

/**
 * Places of one name in each of several divisions, by their codes ("Essex County NJ/MA", "Orange County in CA, FL and NY" are two
 * and three counties), or of one with its level by names: "Franklin County in Indiana and Ohio". The place as it is, if nothing of
 * that follows.
 * @throws DescriptionError behind other names ("Clay and Jackson County MO/KS"): each may be in either, or in both
 */
export function inEachCode(p: Parser, place: Extract<Expression, { op: 'place' }>, from: number): Expression {
  if (place.within === undefined || place.words?.text.includes(',')) return place;
  const isCoded = isIsoCode(place.within);
  // "San Juan County in NM, UT, CO"
  const isIn = IN_CODE.test(p.words(from).text);
  const name = place.level === undefined ? null : foldName(place.name ?? '');
  const codes = p.attempt(() => (isCoded ? takeCodes(p, isIn) : name === null ? null : takeNames(p, name)));
  if (codes === null) return place;
  const { text } = p.words(from);
  // "[Clay and] Jackson County MO/KS"
  const before = p.base.at(-1);
  if (before && isBare(before))
    p.fail(
      'can be read in two ways together with what stands before it; put brackets around what belongs together',
      from,
      p.at - 1,
    );
  p.choices.push(said`"${clip(text)}" is read as a place of that name in each`);
  const others = codes.map((words) => ({ ...place, within: words.text, words }));
  return { op: 'union', of: [place, ...others], words: p.words(from) };
}

/** A preposition in front of the code of what contains a place. */
const IN_CODE = /\s(?:in|of|en|de|im|dans)\s+\p{Lu}{2}$/u;

/**
 * The codes that go on with one: "/MA", "and MA", ", FL and NY". Null without any, and if a comma alone is before the last,
 * unless `isIn`.
 */
function takeCodes(p: Parser, isIn: boolean): readonly Words[] | null {
  const codes: Words[] = [];
  let isJoined = isIn;
  for (;;) {
    const at = p.at;
    const isComma = p.sign(',');
    const joins = p.sign('/', '&', '+') || p.take(p.v.and);
    const token = p.tokens[p.at];
    if ((!isComma && !joins) || !token || !p.isCodeAt(p.at) || !isIsoCode(token.text)) {
      p.at = at;
      break;
    }
    const words = p.words(p.at, p.at++);
    // "Lee County AL and GA counties"
    if (parseLevel(p, 'many') !== null) return null;
    codes.push(words);
    isJoined = joins || isIn;
  }
  return isJoined && codes.length > 0 ? codes : null;
}

/** The divisions that go on with one, each of which has a place of a folded name: "and Ohio", ", Ohio and Iowa". Null without any. */
function takeNames(p: Parser, name: string): readonly Words[] | null {
  const places: Words[] = [];
  for (;;) {
    const at = p.at;
    const isComma = p.sign(',');
    const isJoined = p.take(p.v.and) || isComma;
    const end = isJoined ? nameAt(p, p.at) : null;
    const text = end === null ? '' : p.words(p.at, end).text;
    if (end === null || !mayBeIn(p, name, foldName(text)) || !endsItem(p, end + 1)) {
      p.at = at;
      return places.length > 0 ? places : null;
    }
    places.push(p.words(p.at, end));
    p.at = end + 1;
  }
}
