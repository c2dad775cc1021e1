import { isDate, pastDate, today } from '../../common/dates.ts';
import { four } from '../../common/elements.ts';
import { readSetId } from '../../common/set_ids.ts';
import { invalidInput } from '../../core/errors.ts';
import { type Part, partAsked } from '../../domain/boundaries/land.ts';
import { languagesOf } from '../../domain/names/languages.ts';
import { CRS84, inDegrees, type System, systemOf } from './crs.ts';
import type { FilterPath } from './filter/path.ts';
import { FILTER_PARAMETERS, filterOf } from './filter/read.ts';

/** Maximum and default number of features per page. */
export const MAX_ITEMS = 100;
const DEFAULT_ITEMS = 10;

const TAGS = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}(,[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}){0,4}$/;
/** Coordinates as programs print doubles: 49.549999999999997, 1e-05. */
const NUMBER = /^-?\d{1,9}(\.\d{1,20})?(e[-+]?\d{1,3})?$/i;
const AFTER = /^[rw]\d{1,16}$/;
const isAfter = (text: string): boolean => AFTER.test(text) || readSetId(text) !== null;

/** Query of a page of features. */
export interface ItemsQuery {
  readonly box: readonly [number, number, number, number] | null;
  readonly limit: number;
  /** The id after which the page begins; empty for the first page. */
  readonly after: string;
  /** Preferred languages of names. */
  readonly prefer: readonly string[];
  readonly time: Time;
  /** The part of boundaries that features show. */
  readonly part: Part;
  /** The system of the coordinates of features. */
  readonly crs: System;
  readonly filter: FilterPath | null;
  /** The filter in CQL2 text as it was given; empty without one. */
  readonly cql: string;
  /** Whether it is shown as a page for people; null: as the client prefers. */
  readonly html: boolean | null;
  /** The same query, with its question mark, for the page after an id, and in another format. */
  at(after: string, format?: 'json' | 'html'): string;
  /** The same query for a map: JSON, in degrees. */
  forMap(): string;
}

/**
 * Parses the query of a page of features.
 * @throws invalid_input, also for unknown parameters (OGC API - Features core, 7.5)
 */
export function readItemsQuery(querystring: string): ItemsQuery {
  const own = ['bbox', 'bbox-crs', 'crs', 'limit', 'after', 'lang', 'area', 'water', 'datetime', 'f'];
  const given = parameters(querystring, [...own, ...FILTER_PARAMETERS]);
  const after = given.get('after') ?? '';
  if (after !== '' && !isAfter(after)) throw invalidParameter('after', 'must be copied from the link next');
  return {
    box: boxOf(given.get('bbox'), crsOf(given, 'bbox-crs')),
    limit: limitOf(given.get('limit')),
    after,
    prefer: preferOf(given),
    time: timeOf(given),
    part: partOf(given),
    crs: crsOf(given, 'crs'),
    filter: filterOf(given, { filterCrs: crsOf(given, 'filter-crs'), part: partOf(given), lang: preferOf(given) }),
    cql: given.get('filter-lang') === 'cql2-json' ? '' : (given.get('filter') ?? ''),
    html: isHtml(given),
    ...addressesOf(given),
  };
}

/** The same query in links. */
export function addressesOf(given: URLSearchParams): Pick<ItemsQuery, 'at' | 'forMap'> {
  return {
    at(next, format) {
      const query = new URLSearchParams(given);
      query.delete('after');
      if (next !== '') query.set('after', next);
      if (format !== undefined) query.set('f', format);
      return query.size === 0 ? '' : `?${query}`;
    },
    forMap() {
      const query = new URLSearchParams(given);
      query.delete('crs');
      query.set('f', 'json');
      return `?${query}`;
    },
  };
}

/** Parses the query of one feature. @throws invalid_input */
export function readFeatureQuery(querystring: string): Pick<ItemsQuery, 'prefer' | 'part' | 'time' | 'crs' | 'html'> {
  const given = parameters(querystring, ['lang', 'area', 'water', 'datetime', 'crs', 'f']);
  return {
    prefer: preferOf(given),
    part: partOf(given),
    time: timeOf(given),
    crs: crsOf(given, 'crs'),
    html: isHtml(given),
  };
}

/** Parses a query that may only have languages of names and a format. @throws invalid_input */
export function plainQuery(querystring: string): Pick<ItemsQuery, 'html'> {
  const given = parameters(querystring, ['lang', 'f']);
  preferOf(given);
  return { html: isHtml(given) };
}

/** Whether `f` asks for a page for people; null when it is not given. */
export function isHtml(given: URLSearchParams): boolean | null {
  return given.has('f') ? given.get('f') === 'html' : null;
}

/** The system that a parameter names; CRS84 by default. @throws invalid_input */
export function crsOf(given: URLSearchParams, parameter: string): System {
  const system = systemOf(given.get(parameter) ?? CRS84);
  if (system === null) throw invalidParameter(parameter, `must be ${CRS84} or EPSG 3857 as the collection lists it`);
  return system;
}

/** The first and the last date of a time, both the same for a moment; null: today. */
export type Time = readonly [from: string, to: string] | null;

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/**
 * The time of `datetime` (core, 7.15.4): a date, a moment, or an interval of two of them, either of which may be open
 * (`..`). The whole of time stands for today.
 * @throws invalid_input
 */
export function timeOf(given: URLSearchParams): Time {
  const text = given.get('datetime') ?? '';
  const ends = text.split('/', 3).map((end) => (end === '..' ? '' : end));
  const [from = '', to = from] = ends;
  if (ends.length > 2) throw invalidTime('must be a date, a date and time, or two of them with / between');
  if (from === '' && to === '') return null;
  const first = from === '' ? FIRST_DAY : dayOf(from);
  const last = to === '' ? today() : dayOf(to);
  if (first > last) throw invalidTime('must not end before it begins');
  return [first, last];
}

const FIRST_DAY = '0001-01-01';

/** The day in UTC of a date or a moment. @throws invalid_input also for one in the future */
function dayOf(text: string): string {
  const [, date] = MOMENT.exec(text) ?? [];
  const at = new Date(text.toUpperCase());
  if (date === undefined || !isDate(date) || Number.isNaN(at.getTime())) {
    throw invalidTime(
      'must be a date such as 2015-01-31, a date and time such as 2015-01-31T12:00:00Z, or an interval',
    );
  }
  return pastDate(at.toISOString().slice(0, 10), invalidTime);
}

const invalidTime = (message: string) => invalidParameter('datetime', message);

/** The error for an interval in which boundaries change. */
export const changingTime = () =>
  invalidTime('is an interval in which boundaries change; give a date, as a page shows them as of one');

/** The parameters of a query. @throws invalid_input for one that is not known, or given twice */
export function parameters(querystring: string, known: readonly string[]): URLSearchParams {
  const given = new URLSearchParams(querystring);
  for (const key of given.keys()) {
    if (!known.includes(key))
      throw invalidParameter(key.slice(0, 60), `is unknown; the parameters are ${known.join(', ')}`);
    if (given.getAll(key).length > 1) throw invalidParameter(key, 'is given more than once');
  }
  const format = given.get('f') ?? 'json';
  if (!FORMATS.includes(format)) throw invalidParameter('f', 'must be json or html');
  return given;
}

const FORMATS: readonly string[] = ['json', 'geojson', 'html'];

function partOf(given: URLSearchParams): Part {
  const area = given.get('area') ?? 'all';
  const water = given.get('water') ?? undefined;
  if (area !== 'all' && area !== 'land' && area !== 'water')
    throw invalidParameter('area', 'must be all, land or water');
  if (water !== undefined && water !== 'inland') throw invalidParameter('water', 'must be inland');
  return partAsked({ area, water });
}

function preferOf(given: URLSearchParams): readonly string[] {
  const lang = given.get('lang') ?? '';
  if (lang === '') return [];
  if (lang.length > 100 || !TAGS.test(lang)) throw invalidParameter('lang', 'must be up to 5 language tags (BCP 47)');
  return languagesOf(lang);
}

/** A limit above the maximum page size is not an error: the page then has the maximum (core, 7.15.2). */
export function limitOf(text: string | null): number {
  if (text === null) return DEFAULT_ITEMS;
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
    throw invalidParameter('limit', 'must be a whole number of at least 1');
  return Math.min(MAX_ITEMS, Number(text));
}

/** The box of `bbox` in degrees; null without one. @throws invalid_input */
export function boxOf(text: string | null, system: System): ItemsQuery['box'] {
  if (text === null || text === '') return null;
  const numbers = text.split(',', 7).map((part) => (NUMBER.test(part.trim()) ? Number(part) : Number.NaN));
  // A bbox of six numbers has heights, which boundaries do not have.
  const sides = numbers.length === 6 ? numbers.filter((_, i) => i !== 2 && i !== 5) : numbers;
  const [west, south, east, north] = four(sides, Number.NaN);
  const isBox = (numbers.length === 4 || numbers.length === 6) && numbers.every((value) => !Number.isNaN(value));
  const box = isBox && south <= north ? inDegrees([west, south, east, north], system) : null;
  if (box !== null) return box;
  throw invalidParameter('bbox', `must be west,south,east,north in ${system === CRS84 ? 'degrees' : 'meters'}`);
}

/** The error for the value of a parameter. `message` continues its name. */
export const invalidParameter = (path: string, message: string) =>
  invalidInput([{ path, code: 'invalid_value', message }]);
