import { type Expression, PARTS } from './algebra.ts';

// What rules ask of expressions, and how they change a part of one.

/** Whether an item is a name alone, without a level or a container. */
export const isBare = (one: Expression): boolean =>
  one.op === 'place' && one.name !== undefined && one.within === undefined && one.level === undefined;

/** An expression with each of its parts changed. */
export function withParts(one: Expression, change: (part: Expression) => Expression): Expression {
  const given = one as unknown as Readonly<Record<string, Expression | readonly Expression[] | undefined>>;
  const isList = (of: Expression | readonly Expression[]): of is readonly Expression[] => Array.isArray(of);
  const changed = PARTS.flatMap((key) => {
    const value = given[key];
    return value === undefined ? [] : [[key, isList(value) ? value.map(change) : change(value)]];
  });
  return changed.length === 0 ? one : ({ ...one, ...Object.fromEntries(changed) } as Expression);
}
