/** Expressions of filters: what the readers of CQL2 make, and `path.ts` hands to the database. */
import { invalidInput } from '../../../core/errors.ts';
import type { Extent } from '../crs.ts';

/** The properties that a filter can name, with the type of their values. */
export const QUERYABLES = {
  id: { type: 'string', title: 'Id of the boundary' },
  name: { type: 'string', title: 'Name in the local language' },
  local_name: { type: 'string', title: 'Name in the local language' },
  kind: { type: 'string', title: 'Kind of boundary' },
  admin_level: { type: 'integer', title: 'admin_level of OpenStreetMap' },
  country: { type: 'string', title: 'ISO 3166-1 alpha-2 code of the country' },
  iso: { type: 'string', title: 'ISO 3166-1 or 3166-2 code of the boundary itself' },
  wikidata: { type: 'string', title: 'Wikidata item' },
  population: { type: 'integer', title: 'Population' },
  area_km2: { type: 'number', title: 'Geodesic area in square kilometers' },
} as const;

export type Queryable = keyof typeof QUERYABLES;
export type Scalar = string | number;

/** Comparison operators of CQL2. */
export const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** `anyCase`: whether upper and lower case are the same (CASEI). */
export type Expression =
  | { readonly op: 'and' | 'or'; readonly of: readonly Expression[] }
  | { readonly op: 'not'; readonly of: Expression }
  | { readonly op: 'boolean'; readonly value: boolean }
  | {
      readonly op: 'compare';
      readonly property: Queryable;
      readonly by: Comparison;
      readonly value: Scalar;
      readonly anyCase: boolean;
    }
  | { readonly op: 'like'; readonly property: Queryable; readonly pattern: string; readonly anyCase: boolean }
  | { readonly op: 'isNull'; readonly property: Queryable }
  /** Whether the shape meets one of the places. */
  | { readonly op: 'intersects'; readonly places: readonly Extent[] };

/**
 * Limits of a filter: characters, operators and values, patterns (LIKE and CASEI, of which the database keeps few
 * compiled), nesting, characters of a text in it, and places.
 */
export const MOST = { characters: 4_000, nodes: 100, patterns: 16, depth: 16, text: 200, places: 4 } as const;

/** The error for a filter that cannot be read. `message` continues "filter …". */
export const invalidFilter = (message: string) => invalidInput([{ path: 'filter', code: 'invalid_value', message }]);

/** Builds expressions: checks names, types and limits, which are the same in both languages. */
export class Builder {
  private nodes = 0;
  private patterns = 0;
  private places = 0;

  /** Counts an operator or a value. @throws invalid_input above the limit */
  count(): void {
    this.nodes++;
    if (this.nodes > MOST.nodes) throw invalidFilter(`must have at most ${MOST.nodes} operators and values`);
  }

  private countPattern(): void {
    this.patterns++;
    if (this.patterns > MOST.patterns) {
      throw invalidFilter(`must have at most ${MOST.patterns} texts with LIKE or CASEI; use = or IN for whole texts`);
    }
  }

  /** @throws invalid_input when a filter is nested deeper than the limit */
  checkDepth(depth: number): void {
    if (depth > MOST.depth) throw invalidFilter(`must be nested at most ${MOST.depth} deep`);
  }

  /** @throws invalid_input for a property that is not queryable */
  property(name: string): Queryable {
    if (Object.hasOwn(QUERYABLES, name)) return name as Queryable;
    const known = Object.keys(QUERYABLES).join(', ');
    throw invalidFilter(
      `names ${JSON.stringify(name.slice(0, 60))}, which is not queryable; the properties are ${known}`,
    );
  }

  compare(property: Queryable, by: Comparison, value: unknown, anyCase = false): Expression {
    this.count();
    const checked = this.value(property, value);
    if (anyCase && (typeof checked !== 'string' || (by !== '=' && by !== '<>'))) {
      throw invalidFilter('has CASEI where it does not apply: it is for texts with =, <>, LIKE and IN');
    }
    if (anyCase) this.countPattern();
    return { op: 'compare', property, by, value: checked, anyCase };
  }

  like(property: Queryable, pattern: unknown, anyCase: boolean): Expression {
    this.count();
    if (QUERYABLES[property].type !== 'string') throw invalidFilter(`has LIKE on ${property}, which is a number`);
    this.countPattern();
    return { op: 'like', property, pattern: String(this.value(property, pattern)), anyCase };
  }

  between(property: Queryable, low: unknown, high: unknown): Expression {
    if (QUERYABLES[property].type === 'string') throw invalidFilter(`has BETWEEN on ${property}, which is a text`);
    return { op: 'and', of: [this.compare(property, '>=', low), this.compare(property, '<=', high)] };
  }

  oneOf(property: Queryable, values: readonly unknown[], anyCase: boolean): Expression {
    return { op: 'or', of: values.map((value) => this.compare(property, '=', value, anyCase)) };
  }

  isNull(property: Queryable): Expression {
    this.count();
    return { op: 'isNull', property };
  }

  /** @throws invalid_input for a place outside of the world, or too many of them */
  intersects(property: string, numbers: readonly unknown[]): Expression {
    this.count();
    this.places++;
    if (this.places > MOST.places) throw invalidFilter(`must have S_INTERSECTS at most ${MOST.places} times`);
    if (property !== 'geometry') throw invalidFilter('must have geometry as the first argument of S_INTERSECTS');
    const finite = numbers.filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
    if (finite.length !== numbers.length) throw invalidFilter('has coordinates that are not numbers');
    const [west = 0, south = 0, east = west, north = south] = finite;
    return { op: 'intersects', places: [[west, south, east, north]] };
  }

  private value(property: Queryable, value: unknown): Scalar {
    const { type } = QUERYABLES[property];
    if (type === 'string') {
      if (typeof value !== 'string') throw invalidFilter(`must compare ${property} with a text`);
      if (value.length > MOST.text) throw invalidFilter(`has a text of more than ${MOST.text} characters`);
      if (value.includes('\0') || /\p{Surrogate}/u.test(value)) {
        throw invalidFilter('has a text with a NUL character or half of a surrogate pair');
      }
      return value;
    }
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw invalidFilter(`must compare ${property} with a number`);
    }
    return value;
  }
}

/** Whether an expression meets a condition, or one inside it does. */
export function some(expression: Expression, fits: (one: Expression) => boolean): boolean {
  if (fits(expression)) return true;
  if (expression.op === 'not') return some(expression.of, fits);
  return (expression.op === 'and' || expression.op === 'or') && expression.of.some((one) => some(one, fits));
}
