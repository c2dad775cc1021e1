import { groupOf } from '../names/groups.ts';
import type { Expression, LevelWord } from './algebra.ts';
import { parseLevel } from './level_words.ts';
import { nameAt } from './name_at.ts';
import type { Parser } from './parser.ts';
import { anyOf, parsePlace, parsePlaces } from './places.ts';
import { type Rank, ranked } from './ranks.ts';
import { spansFrom } from './spans.ts';
import { list } from './vocabulary/phrases.ts';

// Rules for a rank in each of some places, and for what contains a set in front of it.

/** "in each (of)", in front of the places in each of which so many are chosen. */
const EACH = list(
  [
    'in each, of each, for each, from each, in every, of every, in every one, of every one, in each one, of each one',
    'en cada, de cada, en cada una, en cada uno, de cada una, de cada uno, por cada una, por cada uno',
    'in jedem, in jeder, von jedem, von jeder, jedes, jeder',
    'de chaque, dans chaque, de chacun, de chacune, dans chacun, dans chacune, pour chacun, pour chacune',
  ].join(', '),
);
const FOLLOWING = list(
  'following, these, siguientes, estas, estos, suivants, suivantes, folgenden, folgender, dieser, ces',
);

/** Words that make of a rank one in each place, without a preposition: "jeweils". Whether they were here. */
export const takeRespectively = (p: Parser): boolean => p.v.language === 'de' && p.take(RESPECTIVELY);
const RESPECTIVELY = list('jeweils');

/** Takes the short word for the autonomous communities, which other places have, too: "cada una de estas comunidades". */
const takeCommunities = (p: Parser): LevelWord | null => (p.take(COMMUNITIES) ? 'community' : null);
const COMMUNITIES = list('comunidades, communautés');

/** The places behind "in each of": "Utah, Nevada and Idaho", "the New England states". Null if there are none. */
export function parseInEach(p: Parser): readonly Expression[] | null {
  return p.attempt(() => {
    if (!p.take(EACH)) return null;
    const one = parseSingularGroup(p) ?? parseOneOfGroup(p);
    if (one !== null) return membersOf(p, one, p.at - 1);
    p.take(p.v.of);
    p.take(p.v.articles);
    p.take(FOLLOWING);
    const level = nameAt(p, p.at) === null ? (parseLevel(p, 'many') ?? takeCommunities(p)) : null;
    p.take(FOLLOWING);
    if (level !== null && !p.sign(':')) p.take(p.v.of);
    const places: Expression[] = [];
    do {
      if (places.length > 0 && p.v.language !== 'en') p.take(p.v.of);
      const from = p.at;
      p.take(p.v.articles);
      const place = p.attempt(() => parsePlace(p, false));
      if (place?.op === 'group') return places.length > 0 ? null : membersOf(p, place.name, from);
      if (place?.op !== 'place') return null;
      places.push(level === null || level === 'country' ? place : { ...place, level: place.level ?? level });
    } while (p.separator());
    return places.length > 1 ? places : null;
  });
}

/** The name of a group whose member is here in the singular: "New England state". Null if there is none. */
function parseSingularGroup(p: Parser): string | null {
  if (p.v.language !== 'en' || p.at >= p.tokens.length) return null;
  for (const end of spansFrom(p.tokens, p.at)) {
    const group = groupOf(`${p.words(p.at, end).text}s`);
    if (group === null) continue;
    p.at = end + 1;
    return group.name;
  }
  return null;
}

/** The name of a group behind the level of its members: "state in New England". Null if there is none. */
function parseOneOfGroup(p: Parser): string | null {
  return p.attempt(() => {
    const level = parseLevel(p, 'one');
    if (level === null || !p.take(p.v.of)) return null;
    const group = p.attempt(() => parsePlace(p, false));
    const isWhole = group?.op === 'group' && groupOf(group.name)?.members.every((code) => code.includes('-'));
    return isWhole === true && (level === 'state' || level === 'community') ? group.name : null;
  });
}

/** Each member of a group, by its code. */
const membersOf = (p: Parser, name: string, from: number): readonly Expression[] =>
  (groupOf(name)?.members ?? []).map((code) => ({ op: 'place', id: `iso:${code}`, words: p.words(from) }));

/** The first of a rank in each of some places, together. */
export function rankedInEach(
  p: Parser,
  places: readonly Expression[],
  { level, rank, from }: { readonly level: LevelWord; readonly rank: Rank; readonly from: number },
): Expression {
  const words = p.words(from);
  const of = places.map((place) => ranked(p, { op: 'children', of: place, level, words }, rank, from));
  return { op: 'union', of, words };
}

/**
 * "in Aragon the two largest provinces", "In Texas and Utah, the coastal counties": a set with what contains it in front. A
 * rank in several places is one in each where a word says so: "in Ohio und Iowa jeweils das größte County". Null for
 * something else.
 * @param parse the rule for a set
 */
export function parseBehindFront(p: Parser, parse: (p: Parser) => Expression | null): Expression | null {
  const from = p.at;
  if (p.front !== null || !p.take(p.v.inside)) return null;
  const places = parsePlaces(p, () => p.take(p.v.and) || (p.find(p.v.and) !== null && p.sign(',')));
  if (places === null) return null;
  p.front = anyOf(p, places, from);
  p.sign(',', ':');
  const isEach = p.find(RESPECTIVELY) !== null;
  const start = p.at;
  const set = start < p.tokens.length ? p.attempt(() => parse(p)) : null;
  const isTaken = p.front === null;
  p.front = null;
  if (set === null || !isTaken || (places.length > 1 && !isEach && hasRank(set))) return null;
  return { ...set, words: p.words(from) };
}

/** Whether a rank decides what is in a set: that in several places can be one in each. */
function hasRank(set: Expression): boolean {
  const parts: readonly unknown[] = Object.values(set).flat();
  const isPart = (part: unknown): part is Expression => typeof part === 'object' && part !== null && 'op' in part;
  return set.op === 'rank' || parts.some((part) => isPart(part) && hasRank(part));
}

/** What is named in front of a set that it is in, once; null if nothing is. */
export function takeFront(p: Parser): Expression | null {
  const of = p.front;
  p.front = null;
  return of;
}
