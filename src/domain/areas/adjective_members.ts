import { foldName } from '../names/fold.ts';
import { groupOf } from '../names/groups.ts';
import { adjectiveAt, isBeforeAdjective, parseAdjectives } from './adjectives.ts';
import type { Expression } from './algebra.ts';
import { isEach, parseCount } from './amounts.ts';
import { parseNamesBehind } from './apposition.ts';
import { parseCoastWord, parseFilters } from './filters.ts';
import { parseSingularGroup } from './group_members.ts';
import { parseLevel } from './level_words.ts';
import { checked, completeRank, onShore, parseMapLevel } from './members.ts';
import { groupAt } from './name_at.ts';
import type { Parser } from './parser.ts';
import { parseSharedContainer, partsOfCity } from './qualifiers.ts';
import { parseOrderAfter, parseSuperlative, ranked } from './ranks.ts';
import { isSmall, spansFrom } from './spans.ts';

// Rules for boundaries of a level behind an adjective or a name: "Spanish provinces", "US states", "US-Bundesstaaten".

/** "Galician and Asturian provinces": the adjectives behind the first, with "and" between them. */
function parseMoreAdjectives(p: Parser, first: Expression): Expression {
  if (first.op !== 'place' || first.id === undefined || !isBeforeAdjective(p)) return first;
  const from = p.at - 1;
  p.separator();
  const more = parseAdjectives(p);
  return more === null
    ? first
    : { op: 'union', of: [first, ...(more.op === 'union' ? more.of : [more])], words: p.words(from) };
}

/**
 * Whether an adjective is the name of a place, too, and that is meant: what contains it follows behind the level, or other
 * names are listed before it, not adjectives.
 */
function isNameWithin(p: Parser, start: number, end: number): boolean {
  if (!p.lexicon.has(foldName(p.words(start, end - 1).text))) return false;
  if (start > 1 && p.isListed(start - 1) && adjectiveAt(p, start - 2) === null) return true;
  const at = p.at;
  const container = parseSharedContainer(p);
  p.at = at;
  return container !== null;
}

/** Whether a word with a capital that is not a known name is here, which may be one with a typo: "Lousiana parishes". */
function isUnknownName(p: Parser, at: number): boolean {
  const token = p.tokens[at];
  return p.v.language === 'en' && token?.sort === 'word' && /^\p{Lu}\p{Ll}{4}/u.test(token.text) && !isSmall(token);
}

/** "Spanish provinces", "US states", "EU countries that border Luxembourg" */
export function parseAdjectiveMembers(p: Parser): Expression | null {
  const from = p.at;
  // "every Floridian county"
  const isEvery = isEach(p) && p.take(p.v.each);
  if (!isEvery) p.take(p.v.all) || p.take(p.v.articles);
  const rank = isEvery ? null : parseSuperlative(p);
  const count = rank === null && !isEvery ? p.attempt(() => parseCount(p)) : null;
  const before = parseCoastWord(p);
  const start = p.at;
  const candidates: { readonly end: number; readonly of: Expression }[] = [];
  const adjective = adjectiveAt(p, start);
  if (adjective) {
    const words = p.words(start, adjective.end - 1);
    candidates.push({ end: adjective.end, of: { op: 'place', id: `iso:${adjective.code}`, words } });
  }
  if (start < p.tokens.length) {
    for (const end of spansFrom(p.tokens, start)) {
      // English writes a name in front of a level; other languages join it with a hyphen: "US-Bundesstaaten".
      if (p.v.language !== 'en' && p.tokens[end + 1]?.glue !== '-') continue;
      const text = p.text.slice(p.tokenAt(start).from, p.tokenAt(end).to);
      const words = p.words(start, end);
      const group = groupOf(text);
      if (group) candidates.push({ end: end + 1, of: { op: 'group', name: group.name, words } });
      else if (p.lexicon.has(foldName(text)) || (end === start && p.isCodeAt(start)))
        candidates.push({ end: end + 1, of: { op: 'place', name: text, words } });
    }
  }
  const isGroup = p.attempt(() => parseSingularGroup(p)) !== null;
  p.at = start;
  const isGuessed = candidates.length === 0 && !isGroup && isUnknownName(p, start);
  if (isGuessed) {
    const words = p.words(start, start);
    candidates.push({ end: start + 1, of: { op: 'place', name: words.text, words } });
  }
  // "Benelux states" is a name of the group.
  const named = groupAt(p, start);
  for (const { end, of: first } of candidates) {
    p.at = end;
    const of = parseMoreAdjectives(p, first);
    const shore = before ?? parseCoastWord(p);
    const level =
      parseMapLevel(p) ??
      parseLevel(p, rank?.single || isEvery ? 'one' : 'many') ??
      (p.isOneEach ? parseLevel(p, rank?.single ? 'many' : 'one') : null);
    if (level === null) continue;
    if (isGuessed) p.unknown++;
    // "Waseca and Norman counties in Minnesota" has a county Norman, and none of Normandy.
    if (end === adjective?.end && 'id' in first && isNameWithin(p, start, end)) continue;
    if (named !== null && p.at <= named + 1 && rank === null && count === null && shore === null) return null;
    // "EU-Länder im Jahr 2005"
    if (named !== null && p.at <= named) return null;
    const listed = rank === null && shore === null ? parseNamesBehind(p, level, of) : null;
    if (listed !== null) return checked(p, { op: 'union', of: listed, words: p.words(from) }, count, from);
    // "NYC boroughs"
    const parts = level === 'borough' && of.op === 'place' ? partsOfCity(p, of.name ?? '', of.words) : null;
    const members: Expression = parts ?? { op: 'children', of, level, words: p.words(from) };
    const order = rank ?? (count === null ? null : parseOrderAfter(p, count));
    const filtered = parseFilters(p, onShore(p, members, shore, from), from);
    if (rank === null && order) return ranked(p, filtered, completeRank(p, order), from);
    return rank === null ? checked(p, filtered, count, from) : ranked(p, filtered, completeRank(p, rank), from);
  }
  return null;
}
