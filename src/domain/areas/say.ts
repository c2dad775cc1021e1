import { defined } from '../../common/elements.ts';
import type { Direction, Expression, Level } from './algebra.ts';
import type { Comparison } from './vocabulary/comparisons.ts';

const PLURALS: Readonly<Record<string, string>> = {
  country: 'countries',
  state: 'states',
  community: 'autonomous communities',
  region: 'regions',
  province: 'provinces',
  county: 'counties',
  department: 'departments',
  canton: 'cantons',
  district: 'districts',
  municipality: 'municipalities',
  borough: 'boroughs',
};
const many = (level: Level): string =>
  typeof level === 'number' ? `boundaries of admin level ${level}` : (PLURALS[level] as string);
const one = (level: Level): string =>
  typeof level === 'number'
    ? `boundary of admin level ${level}`
    : level === 'community'
      ? 'autonomous community'
      : level;

const SIDED: Readonly<Record<Direction, string>> = {
  north: 'northern half',
  south: 'southern half',
  east: 'eastern half',
  west: 'western half',
  northeast: 'northeastern quarter',
  northwest: 'northwestern quarter',
  southeast: 'southeastern quarter',
  southwest: 'southwestern quarter',
};

const ORDERS = {
  area: { most: 'largest', least: 'smallest' },
  population: { most: 'most populous', least: 'least populous' },
} as const;

const NUMBERS = {
  ...{ exactly: 'exactly', more: 'more than', less: 'fewer than', at_least: 'at least', at_most: 'at most' },
} as const;

const COMPARED_WORDS: {
  readonly direct: Readonly<Record<'area' | 'population', Partial<Record<Comparison, string>>>>;
  readonly bound: Readonly<Record<Comparison, string>>;
  readonly equal: Readonly<Record<'area' | 'population', string>>;
} = {
  direct: {
    area: { more: 'larger than', less: 'smaller than' },
    population: { more: 'more populous than', less: 'less populous than' },
  },
  bound: { more: 'more than', less: 'less than', at_least: 'at least', at_most: 'at most' },
  equal: { area: 'as large as', population: 'as populous as' },
};

/** Characters of one rendered expression; a plan that repeats its parts could grow without limit. */
const MOST_CHARACTERS = 2_000;

/**
 * Renders an expression in English, with brackets around every part that is more than a name. parseDescription() reads
 * the text back as the same expression, unless a level is a number.
 */
export const toEnglish = (expression: Expression): string => inBoundedWords(expression, wordsOf);

/** Renders an expression by the words of a language for its parts, in at most MOST_CHARACTERS. */
export function inBoundedWords(
  expression: Expression,
  wordsOf: (e: Expression, once: (part: Expression) => string) => string,
): string {
  const said = new Map<Expression, string>();
  const once = (one: Expression): string => {
    const known = said.get(one);
    if (known !== undefined) return known;
    const text = wordsOf(one, once);
    const short = text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`;
    said.set(one, short);
    return short;
  };
  return once(expression);
}

/** Writes a part of an expression. */
export type Write = (part: Expression) => string;

/** Whether an expression needs no brackets inside another one. */
const isPlain = ({ op }: Expression): boolean => op === 'place' || op === 'group';

/** A part in brackets unless it is only a name, and one that is always in brackets. */
export const bracketed = (once: Write): { readonly inner: Write; readonly set: Write } => ({
  inner: (part) => (isPlain(part) ? once(part) : `(${once(part)})`),
  set: (part) => `(${once(part)})`,
});

function wordsOf(e: Expression, once: (part: Expression) => string): string {
  const { inner, set } = bracketed(once);
  switch (e.op) {
    case 'place': {
      const name = e.name === undefined ? (e.id ?? '') : e.name;
      // "District of Columbia" says it.
      const level = e.level === undefined ? '' : `${one(e.level)} of `;
      const named = level === '' || name.toLowerCase().startsWith(level) ? name : `the ${level}${name}`;
      return e.within === undefined ? named : `${named} (${e.within})`;
    }
    case 'at':
      return `the ${one(e.level)} at lat ${e.lat} lon ${e.lon}`;
    case 'group':
      return e.name;
    case 'capital':
      return `the capital of ${inner(e.of)}`;
    case 'union':
      return e.of.length === 1
        ? inner(defined(e.of[0]))
        : `${e.of.slice(0, -1).map(inner).join('; ')} and ${inner(defined(e.of[e.of.length - 1]))}`;
    case 'difference':
      return `${inner(e.of)} without ${inner(e.minus)}`;
    case 'intersection':
      return `the intersection of ${inner(e.of)} and ${inner(e.with)}`;
    case 'children':
      return `the ${e.level === undefined ? 'subdivisions' : many(e.level)} of ${inner(e.of)}`;
    case 'containing':
      return `the ${one(e.level)} that contains ${inner(e.of)}`;
    case 'neighbors':
      return e.level === undefined
        ? `the neighbors of ${inner(e.of)}`
        : `the ${many(e.level)} that border ${inner(e.of)}`;
    case 'around':
      return `the ${many(e.level)} within ${e.km} km of ${inner(e.from)}`;
    case 'within':
      return `${set(e.of)} within ${e.km} km of ${inner(e.from)}`;
    case 'buffer':
      return `everything within ${e.km} km of ${inner(e.of)}`;
    case 'touching':
      return `${set(e.of)} that border ${inner(e.border)}`;
    case 'bordered':
      return `${set(e.of)} with ${NUMBERS[e.is]} ${e.count} ${e.level === undefined ? (e.count === 1 ? 'neighbor' : 'neighbors') : `neighboring ${many(e.level)}`}`;
    case 'coast':
      return `${set(e.of)} that ${e.is === 'coastal' ? 'touch the sea' : 'are landlocked'}`;
    case 'side':
      return e.level === undefined
        ? `the ${e.direction} of ${inner(e.of)}`
        : `the ${many(e.level)} in the ${e.direction} of ${inner(e.of)}`;
    case 'clip':
      if (e.at !== undefined) return `the part of ${inner(e.of)} ${e.direction} of ${lineOf(e, EN_LINES)}`;
      return e.from === undefined
        ? `the ${SIDED[e.direction]} of ${inner(e.of)}`
        : `the part of ${inner(e.of)} ${e.direction} of ${inner(e.from)}`;
    case 'rank':
      return `the ${e.count} ${ORDERS[e.by][e.order]} of ${set(e.of)}`;
    case 'counted':
      return `all ${e.count} of ${set(e.of)}`;
    case 'measured': {
      const than = String(e.than);
      if (e.is === 'at_least' || e.is === 'at_most')
        return `${set(e.of)} with ${e.is === 'at_least' ? 'at least' : 'at most'} ${than} ${e.by === 'area' ? 'km2' : 'people'}`;
      return e.by === 'area'
        ? `${set(e.of)} ${e.is === 'more' ? 'larger' : 'smaller'} than ${than} km2`
        : `${set(e.of)} with ${e.is === 'more' ? 'more' : 'fewer'} than ${than} people`;
    }
    case 'compared': {
      const { direct, bound, equal } = COMPARED_WORDS;
      const simple = e.times === undefined ? direct[e.by][e.is] : undefined;
      const than = simple ?? `${bound[e.is]} ${e.times === undefined ? '' : `${e.times} times `}${equal[e.by]}`;
      return `${set(e.of)} ${than} ${inner(e.with)}`;
    }
    case 'named':
      return `${set(e.of)} whose name ${{ starts: 'starts with', ends: 'ends with', contains: 'contains', is: 'is' }[e.how]} "${e.text}"`;
  }
}

/** The words of a language for a line: signed, with a letter for each hemisphere, or by its number alone. */
export interface LineNames {
  readonly letters: readonly [north: string, south: string, east: string, west: string];
  readonly parallel: string;
  readonly meridian: string;
  readonly number: (value: number) => string;
}
const EN_LINES: LineNames = {
  letters: ['N', 'S', 'E', 'W'],
  parallel: 'parallel',
  meridian: 'meridian',
  number: String,
};

/** "40° N", or "parallel 40" where the hemisphere is that of the place. */
export function lineOf({ at = 0, signed, direction }: Extract<Expression, { op: 'clip' }>, names: LineNames): string {
  const isNorthern = /^(?:north|south)$/.test(direction);
  const [north, south, east, west] = names.letters;
  const value = names.number(Math.abs(at));
  if (signed === false) return `${isNorthern ? names.parallel : names.meridian} ${value}`;
  return `${value}° ${isNorthern ? (at < 0 ? south : north) : at < 0 ? west : east}`;
}

/** Converts a step of a plan to an expression, for toEnglish(). */
export function toExpression(steps: readonly { readonly op: string }[], number = steps.length - 1): Expression {
  const built: Expression[] = [];
  for (const step of steps.slice(0, number + 1)) {
    const nested: Record<string, unknown> = { ...step };
    for (const part of ['of', 'minus', 'with', 'from', 'border']) {
      const value = nested[part];
      if (typeof value === 'number') nested[part] = built[value];
      else if (Array.isArray(value)) nested[part] = value.map((place: number) => built[place]);
    }
    built.push(nested as unknown as Expression);
  }
  return defined(built[number]);
}
