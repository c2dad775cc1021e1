import { groupBeside, isRegion } from '../names/groups.ts';
import type { Expression } from './algebra.ts';
import { clip } from './description_error.ts';
import { isBare, withParts } from './expressions.ts';
import type { Parser } from './parser.ts';
import { said } from './wording/said.ts';

/**
 * A description with regions of the world in place of names that are those of a country, too, where it names another region:
 * "Melanesia and Micronesia", "Europa y América". Adds a choice for each.
 */
export function withRegionsBeside(p: Parser, whole: Expression): Expression {
  return namesRegion(whole) ? replaced(p, whole) : whole;
}

const partsOf = (one: Expression): readonly Expression[] => {
  const parts: Expression[] = [];
  withParts(one, (part) => {
    parts.push(part);
    return part;
  });
  return parts;
};

const namesRegion = (one: Expression): boolean =>
  (one.op === 'group' && isRegion(one.name)) || partsOf(one).some((part) => namesRegion(part));

function replaced(p: Parser, one: Expression): Expression {
  const group = isBare(one) && one.op === 'place' ? groupBeside(one.name ?? '') : null;
  if (group === null) return withParts(one, (part) => replaced(p, part));
  p.choices.push(said`"${clip(one.words?.text ?? group.name)}" is read as ${group.name}`);
  return { op: 'group', name: group.name, words: one.words };
}
