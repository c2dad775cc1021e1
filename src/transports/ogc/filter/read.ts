import { invalidInput } from '../../../core/errors.ts';
import { askedAs, type Part } from '../../../domain/boundaries/land.ts';
import { CRS84, type Extent, inDegrees, type System } from '../crs.ts';
import { Builder, type Expression, invalidFilter, QUERYABLES, some } from './expression.ts';
import { readCqlJson } from './json.ts';
import { type FilterPath, pathOf } from './path.ts';
import { readCqlText } from './text.ts';

/** The parameters of a filter: one for each queryable property, and those of CQL2. */
export const FILTER_PARAMETERS = [...Object.keys(QUERYABLES), 'filter', 'filter-lang', 'filter-crs'];

/**
 * The filter of a query: that in CQL2, and a value for each property that is given as a parameter. Null without any.
 * @throws invalid_input for what cannot be read, and for a filter on what the answer shows otherwise: names in other
 * languages, the area and the shape of land or water
 */
export function filterOf(
  given: URLSearchParams,
  { filterCrs, part, lang }: { readonly filterCrs: System; readonly part: Part; readonly lang: readonly string[] },
): FilterPath | null {
  const build = new Builder();
  const all: Expression[] = Object.entries(QUERYABLES).flatMap(([name, { type }]) => {
    const text = given.get(name);
    if (text === null) return [];
    const value = type === 'string' ? text : numberOf(name, text);
    return [build.compare(build.property(name), '=', value)];
  });
  const language = given.get('filter-lang') ?? 'cql2-text';
  if (language !== 'cql2-text' && language !== 'cql2-json') {
    throw invalidInput([{ path: 'filter-lang', code: 'invalid_value', message: 'must be cql2-text or cql2-json' }]);
  }
  const text = given.get('filter') ?? '';
  if (text.trim() !== '') {
    const asked = language === 'cql2-json' ? readCqlJson(text) : readCqlText(text);
    all.push(placed(asked, filterCrs));
  }
  const [first] = all;
  if (first === undefined) return null;
  const whole: Expression = all.length === 1 ? first : { op: 'and', of: all };
  if (lang.length > 0 && some(whole, (one) => 'property' in one && one.property === 'name')) {
    throw invalidFilter('names name, which is in another language with lang; use local_name, or leave out lang');
  }
  if (
    part !== 'all' &&
    some(whole, (one) => one.op === 'intersects' || ('property' in one && one.property === 'area_km2'))
  ) {
    throw invalidFilter(
      `must not have area_km2 or S_INTERSECTS with area=${askedAs(part).area}: they are of whole boundaries`,
    );
  }
  return pathOf(whole);
}

function numberOf(name: string, text: string): number {
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  throw invalidInput([{ path: name, code: 'invalid_value', message: 'must be a number' }]);
}

/** An expression with its places in degrees; one across the antimeridian becomes two. @throws invalid_input */
function placed(expression: Expression, system: System): Expression {
  switch (expression.op) {
    case 'and':
    case 'or':
      return { op: expression.op, of: expression.of.map((one) => placed(one, system)) };
    case 'not':
      return { op: 'not', of: placed(expression.of, system) };
    case 'intersects':
      return { op: 'intersects', places: expression.places.flatMap((place) => partsOf(place, system)) };
    default:
      return expression;
  }
}

function partsOf(place: Extent, system: System): Extent[] {
  const degrees = inDegrees(place, system);
  if (degrees === null || degrees[1] > degrees[3]) {
    throw invalidFilter(
      `has a place that is not in the world: coordinates are x (east) before y (north), in ${system === CRS84 ? 'degrees' : 'meters'}`,
    );
  }
  const [west, south, east, north] = degrees;
  if (west <= east) return [degrees];
  return [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
}
