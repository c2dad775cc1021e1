import { groupOf, isTerritory, saysCountries } from '../names/groups.ts';
import type { Expression } from './algebra.ts';
import { isEach, parseCount } from './amounts.ts';
import { parseCoastWord, parseFilters } from './filters.ts';
import { checked, onShore } from './members.ts';
import { groupAt } from './name_at.ts';
import type { Parser } from './parser.ts';
import { parsePlace } from './places.ts';
import { parseSuperlative, ranked } from './ranks.ts';
import { spansFrom } from './spans.ts';

// Rules for the members of a group: "the three largest African countries", "EU countries with more than 20 million people".

/** A group by the word for one of it: "(the largest) African country", "Baltic state". Null if none is here. */
export function parseSingularGroup(p: Parser): Expression | null {
  if (p.v.language !== 'en' || p.at >= p.tokens.length) return null;
  for (const end of spansFrom(p.tokens, p.at)) {
    if (!/^(?:country|state)$/.test(p.tokenAt(end).folded)) continue;
    const words = p.words(p.at, end);
    const group = groupOf(words.text.replace(/y$/iu, 'ies').replace(/e$/iu, 'es'));
    if (group === null) continue;
    p.at = end + 1;
    return { op: 'group', name: group.name, words };
  }
  return null;
}

/** A group with filters: "EU-Länder mit mehr als 20 Millionen Einwohnern", "the three largest African countries". */
export function parseGroupMembers(p: Parser): Expression | null {
  const from = p.at;
  const isEvery = isEach(p) && p.take(p.v.each);
  if (!isEvery) p.take(p.v.all) || p.take(p.v.articles);
  const rank = isEvery ? null : parseSuperlative(p);
  const shore = parseCoastWord(p);
  // "the five Central Asian countries"
  const isPair = groupAt(p, from) !== null;
  const count = rank === null && shore === null && !isEvery && !isPair ? parseCount(p) : null;
  if (rank === null && shore === null && count === null && !isEvery) p.at = from;
  const one = rank?.single || isEvery ? parseSingularGroup(p) : null;
  if (isEvery && one === null) return null;
  const group = one ?? parsePlace(p);
  if (group?.op !== 'group') return null;
  // "the largest EU countries"
  if (one === null && rank?.single && rank.nth === undefined && !p.isOneEach)
    p.fail('does not say how many', from, p.at - 1);
  if (rank || shore) checkNextGroup(p, group, from);
  // Territories are neither ranked nor landlocked.
  const isOfCountries = groupOf(group.name)?.members.every((code) => code.length === 2) === true;
  const members: Expression =
    (rank || shore || p.apart) && isOfCountries
      ? { op: 'children', of: group, level: 'country', words: p.words(from) }
      : group;
  const shored = onShore(p, members, shore, from);
  const start = p.at;
  let filtered = parseFilters(p, shored, from);
  // "European countries with fewer than a million people": no territories.
  if (filtered !== shored && members === group && isOfCountries) {
    p.at = start;
    filtered = parseFilters(p, { op: 'children', of: group, level: 'country', words: p.words(from) }, from);
  }
  if (rank) return ranked(p, filtered, rank, from);
  if (count !== null) return checked(p, filtered, count, from);
  if (filtered !== group || one !== null) return filtered;
  // "African countries" are the countries of Africa, without its territories; "United States territories" are nothing else.
  const codes = groupOf(group.name)?.members ?? [];
  const isSaid = codes.some(isTerritory) && !codes.every(isTerritory) && saysCountries(group.words?.text ?? '');
  return isSaid ? { op: 'children', of: group, level: 'country', words: p.words(from) } : null;
}

/** Checks that no other group shares the word for countries: "landlocked EU and NATO countries". @throws DescriptionError */
function checkNextGroup(p: Parser, group: Expression, from: number): void {
  const start = p.at;
  const end = !saysCountries(group.words?.text ?? '') && p.take(p.v.and) ? groupAt(p, p.at) : null;
  const isSaid =
    end !== null &&
    (saysCountries(p.words(p.at, end).text) || p.find(p.v.levels.get('country')?.many ?? [], end + 1) !== null);
  if (isSaid) p.fail('can mean of each or of all together; put brackets around what belongs together', from, end);
  p.at = start;
}
