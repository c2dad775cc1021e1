import { groupOf } from '../names/groups.ts';
import type { Expression, Words } from './algebra.ts';
import { groupAt, skipArticle } from './name_at.ts';
import type { Parser } from './parser.ts';
import { list } from './vocabulary/phrases.ts';

// Rule for the members of one group of countries that are in another one: "NATO countries in Europe".

const THAT_ARE = list('that are, which are, que están, die, qui sont');

/** The group of all countries. */
const WORLD = 'World';

/** Whether the name of a group is that of countries. */
const isOfCountries = (name: string): boolean => groupOf(name)?.members.every((code) => code.length === 2) === true;

/** "(OECD members) in the Americas": those of a group of countries that are in another one, too. Null for other sets. */
export function parseInsideGroup(p: Parser, of: Expression, from: number): Expression | null {
  const whole = of.op === 'children' && of.level === 'country' ? of.of : of;
  if (whole.op !== 'group' || !isOfCountries(whole.name)) return null;
  return p.attempt((): Expression | null => {
    p.take(THAT_ARE);
    if (!p.take(p.v.inside)) return null;
    const start = skipArticle(p);
    const end = groupAt(p, start);
    if (end === null) return null;
    const group = groupOf(p.words(start, end).text);
    if (group === null || !isOfCountries(group.name)) return null;
    p.at = end + 1;
    // No territories: French Guiana is in the Americas.
    const members = (name: string, words: Words | undefined): Expression => ({
      op: 'children',
      of: { op: 'group', name, words },
      level: 'country',
      words,
    });
    // "countries that are in the EU and NATO"
    const another = p.attempt(() => (p.take(p.v.and) ? groupAt(p, skipArticle(p)) : null));
    if (another !== null)
      p.fail(
        'can be read in two ways together with what stands before it; put brackets around what belongs together',
        start,
        another,
      );
    if (whole.name === WORLD) return members(group.name, p.words(start));
    return {
      op: 'intersection',
      of: members(whole.name, whole.words),
      with: members(group.name, p.words(start)),
      words: p.words(from),
    };
  });
}
