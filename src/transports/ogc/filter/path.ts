import type { Extent } from '../crs.ts';
import type { Expression, Scalar } from './expression.ts';

/** A filter as the database takes it: two jsonpath predicates, and the values that they name. */
export interface FilterPath {
  /** True of a boundary that fits, given the places that its shape meets (`$.places`). */
  readonly exact: string;
  /** The same given the places that its box meets: true also of boundaries whose shape may decide otherwise. */
  readonly possible: string;
  readonly values: Readonly<Record<string, Scalar>>;
  /** The areas of each place, which S_INTERSECTS names by its index. */
  readonly places: readonly (readonly Extent[])[];
}

/**
 * Turns an expression into jsonpath. Comparisons are false of a property without a value, and so is their negation, as
 * in SQL: negations are moved to the comparisons.
 */
export function pathOf(expression: Expression): FilterPath {
  const values: Record<string, Scalar> = {};
  const places: (readonly Extent[])[] = [];
  const named = (value: Scalar): string => {
    const name = `v${Object.keys(values).length}`;
    values[name] = value;
    return `$${name}`;
  };
  const write = (one: Expression, negated: boolean): readonly [exact: string, possible: string] => {
    switch (one.op) {
      case 'not':
        return write(one.of, !negated);
      case 'and':
      case 'or': {
        const parts = one.of.map((part) => write(part, negated));
        const sign = (one.op === 'and') !== negated ? ' && ' : ' || ';
        const joined = (k: 0 | 1) => `(${parts.map((part) => part[k]).join(sign)})`;
        return [joined(0), joined(1)];
      }
      case 'boolean':
        return both(one.value !== negated ? ALWAYS : NEVER);
      case 'isNull':
        return both(negated ? `exists($.${one.property})` : `(!exists($.${one.property}))`);
      case 'like':
        return both(held(one.property, regexOf(one.pattern, true, one.anyCase), negated));
      case 'compare': {
        const { property, by, value, anyCase } = one;
        if (!anyCase) return both(held(property, `${SIGNS[by]} ${named(value)}`, negated));
        return both(held(property, regexOf(String(value), false, true), negated !== (by === '<>')));
      }
      case 'intersects': {
        const place = places.push(one.places) - 1;
        const met = `($.places[*] == ${place})`;
        // A box that meets the place says nothing of a shape that must not.
        return negated ? [`(!${met})`, ALWAYS] : both(met);
      }
    }
  };
  const [exact, possible] = write(expression, false);
  return { exact, possible, values, places };
}

const ALWAYS = '(1 == 1)';
const NEVER = '(1 == 0)';
const SIGNS = { '=': '==', '<>': '!=', '<': '<', '<=': '<=', '>': '>', '>=': '>=' } as const;

const both = (path: string): readonly [string, string] => [path, path];

/** A predicate on a property that must have a value, or its opposite. */
function held(property: string, predicate: string, negated: boolean): string {
  const test = `$.${property} ${predicate}`;
  return negated ? `(exists($.${property}) && !(${test}))` : `(${test})`;
}

/**
 * `like_regex` for a text, in which `%` and `_` stand for any characters and any one, and a backslash takes the next
 * character as it is, if `isPattern`.
 */
function regexOf(text: string, isPattern: boolean, anyCase: boolean): string {
  let regex = '';
  for (let i = 0; i < text.length; ) {
    let character = String.fromCodePoint(text.codePointAt(i) ?? 0);
    i += character.length;
    if (isPattern && character === '%') {
      if (!regex.endsWith('.*')) regex += '.*';
      continue;
    }
    if (isPattern && character === '_') {
      regex += '.';
      continue;
    }
    if (isPattern && character === '\\' && i < text.length) {
      character = String.fromCodePoint(text.codePointAt(i) ?? 0);
      i += character.length;
    }
    regex += /[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character;
  }
  return `like_regex ${JSON.stringify(`^${regex}$`)} flag "${anyCase ? 'is' : 's'}"`;
}
