import { groupOf } from '../names/groups.ts';
import type { Expression } from './algebra.ts';
import { countriesIn } from './outside.ts';
import type { Parser } from './parser.ts';
import { spansFrom } from './spans.ts';
import { cross, list } from './vocabulary/phrases.ts';

// Rules for members of the European Union with the euro and without it. Other countries use it, too, and are in no group.

const USES = [
  ...cross('that, which, who', 'use, have, adopted, have adopted, have joined, share', 'the euro'),
  ...list('using the euro, with the euro, having the euro, in the euro'),
  ...cross('que', 'usan, utilizan, tienen, emplean, han adoptado, adoptaron', 'el euro'),
  ...list('con el euro, con euro, en el euro'),
  ...cross('qui', 'utilisent, ont, emploient, ont adopté', 'l euro'),
  ...list("avec l'euro, ayant adopté l'euro, utilisant l'euro"),
  // A request ends with "haben", which is left out.
  ...cross('die den Euro', ', haben, verwenden, nutzen, benutzen, eingeführt, eingeführt haben'),
  ...list('mit Euro, mit dem Euro'),
].sort((a, b) => b.length - a.length);
const DOES_NOT_USE = [
  ...cross('that, which, who', "do not, don't", 'use, have, share', 'the euro'),
  ...cross('that, which, who', "have not, haven't, never", 'adopted, joined', 'the euro'),
  ...list(
    'not using the euro, without the euro, without euro, not in the euro, outside the euro, that are not in the euro',
  ),
  ...cross('que no', 'usan, utilizan, tienen, emplean, han adoptado, adoptaron', 'el euro'),
  ...list('sin el euro, sin euro, fuera del euro'),
  ...list("qui n'utilisent pas l'euro, qui n'ont pas l'euro, qui n'ont pas adopté l'euro, qui n'emploient pas l'euro"),
  ...list("sans l'euro, sans euro, hors euro, n'utilisant pas l'euro, n'ayant pas adopté l'euro, en dehors de l'euro"),
  ...cross('die den Euro nicht', ', haben, verwenden, nutzen, benutzen, eingeführt, eingeführt haben'),
  ...list('die keinen Euro haben, die keinen Euro, ohne Euro, ohne den Euro, ohne Euro als Währung'),
].sort((a, b) => b.length - a.length);

/** "(EU countries) that don't use the euro": the members of the Union with the euro, or without it. Null for other sets. */
export function parseEuroFilter(p: Parser, of: Expression, from: number): Expression | null {
  if (!isOfUnion(of)) return null;
  return p.attempt((): Expression | null => {
    p.sign(',');
    const is = p.take(DOES_NOT_USE) ? 'without' : p.take(USES) ? 'with' : null;
    if (is === null) return null;
    const isWhole = of.op === 'group' || (of.op === 'children' && of.of.op === 'group');
    const [union, euro] = (isWhole && inYear(p, from)) || [
      countriesIn(p, of),
      { op: 'group', name: 'Eurozone', words: p.words(from) } as const,
    ];
    if (is === 'with') return isWhole ? euro : null;
    return { op: 'difference', of: union, minus: euro, words: p.words(from) };
  });
}

/** The union and the countries with the euro in the year that is here: "as of 2012". Null without one. */
function inYear(p: Parser, from: number): [Expression, Expression] | null {
  if (p.at >= p.tokens.length) return null;
  for (const end of spansFrom(p.tokens, p.at)) {
    const year = p.words(p.at, end).text;
    const found = /\d{4}$/u.test(year) ? ['European Union', 'Eurozone'].map((name) => groupOf(`${name} ${year}`)) : [];
    const [union, euro] = found.flatMap((group) => (group ? ({ op: 'group', name: group.name } as const) : []));
    if (!union || !euro) continue;
    p.at = end + 1;
    const words = p.words(from);
    return [
      { ...union, words },
      { ...euro, words },
    ];
  }
  return null;
}

/** Whether a set is of members of the European Union as it is: its "states" are countries. */
function isOfUnion(of: Expression): boolean {
  if (of.op === 'group') return of.name === 'European Union';
  const inner = 'of' in of && !Array.isArray(of.of) ? (of.of as Expression) : null;
  return inner !== null && (of.op !== 'children' || of.level === 'country' || of.level === 'state') && isOfUnion(inner);
}
