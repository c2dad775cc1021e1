/** What the readers of point rows share: lines, numbers and points. */

import { holds, type System, systemOf } from '../../../workers/projections/systems.ts';
import { transformer } from '../../../workers/projections/transform.ts';
import { defined } from '../../common/elements.ts';
import { invalidInput } from '../../core/errors.ts';
import type { PointRow } from './point_rows.ts';

/** Characters of a row, and of the text before the first row. */
export const MAX_CHARACTERS = 64 * 1024;
/** Columns of a table that are read. */
export const MAX_COLUMNS = 1_000;
/** Words for latitude and longitude, or y and x, in names of columns, in lower case without accents, in order of preference. */
const LATITUDES = [
  ...['lat', 'latitude', 'latitud', 'latitudine', 'breite', 'breitengrad', 'y'],
  ...['northing', 'norte', 'hochwert'],
];
const LONGITUDES = [
  ...['lon', 'lng', 'long', 'longitude', 'longitud', 'longitudine'],
  ...['lange', 'laenge', 'langengrad', 'laengengrad', 'x'],
  ...['easting', 'este', 'rechtswert'],
];

/** The names of the columns or members with the coordinates, as a person gives them; absent: found by their words. */
export interface PointColumns {
  readonly lat?: string | undefined;
  readonly lon?: string | undefined;
}

/** Where the coordinates are, and in which reference system; absent: degrees on WGS 84. */
export interface PointSource extends PointColumns {
  /** As systemOf() takes it: EPSG:25830, well-known text. */
  readonly crs?: string | undefined;
}

/** The places of the columns with the coordinates. */
export type FoundColumns = { readonly lat: number; readonly lon: number };

const plain = (name: string): string =>
  name
    .trim()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

/**
 * Finds the columns with the coordinates: those asked for; else columns named by a word for each alone (`lat`,
 * `Longitud`); else the one pair whose names differ in that word only (`pickup_lat` and `pickup_lon`).
 * @returns their places, or why they are not known
 */
export function findColumns(names: readonly string[], asked: PointColumns = {}): FoundColumns | string {
  const known = names.map(plain);
  const shown =
    names
      .slice(0, 20)
      .map((name) => name.trim())
      .join(', ') + (names.length > 20 ? ' …' : '');
  const places = (['lat', 'lon'] as const).map((key) => {
    const name = asked[key];
    return name === undefined ? null : known.indexOf(plain(name));
  });
  const missing = (['lat', 'lon'] as const).filter((_, k) => places[k] === -1);
  if (missing.length > 0) {
    return `there is no column ${missing.map((key) => asked[key]).join(' and no column ')}; the columns are ${shown}`;
  }
  const alone = (words: readonly string[]) => known.indexOf(words.find((word) => known.includes(word)) ?? '\0');
  const lat = places[0] ?? alone(LATITUDES);
  const lon = places[1] ?? alone(LONGITUDES);
  if (lat >= 0 && lon >= 0) return { lat, lon };
  const pairs = pairsIn(names);
  const [pair, second] = pairs;
  if (pair && !second) return { lat: places[0] ?? pair.lat, lon: places[1] ?? pair.lon };
  if (!pair) return `the first line must name a column lat and a column lon; the columns are ${shown}`;
  const found = pairs.map((one) => `${names[one.lat]?.trim()} and ${names[one.lon]?.trim()}`);
  return `there are several pairs of coordinates: ${found.slice(0, 5).join('; ')}: choose with lat_column and lon_column`;
}

/** Columns whose names differ only in the word for the coordinate. */
function pairsIn(names: readonly string[]): FoundColumns[] {
  const rests = (words: readonly string[]) => {
    const found = new Map<string, number>();
    for (const [place, name] of names.entries()) {
      const parts = plain(name.replace(/([a-z])([A-Z])/g, '$1 $2')).split(/[^\p{L}\p{N}]+/u);
      const at = parts.findIndex((part) => words.includes(part));
      if (at < 0) continue;
      const rest = parts.filter((_, k) => k !== at).join(' ');
      if (!found.has(rest)) found.set(rest, place);
    }
    return found;
  };
  const longitudes = rests(LONGITUDES);
  return [...rests(LATITUDES)].flatMap(([rest, lat]) => {
    const lon = longitudes.get(rest);
    return lon === undefined ? [] : [{ lat, lon }];
  });
}

type Point = Pick<PointRow, 'x' | 'y' | 'fault'>;

/** Makes a point of a row of its latitude and longitude in degrees, or its y and x in a reference system. */
export type Placing = (lat: number | null, lon: number | null) => Point;

const wrong = (fault: string): Point => ({ x: 0, y: 0, fault });

/** Coordinates beyond this lie in no plane: the circumference of the Earth is 4e7 meters, or 1.3e8 feet. */
const FARTHEST = 2e8;

/**
 * How the coordinates of a reference system become points; of none, degrees on WGS 84.
 * @throws invalid_input for a text that names no reference system that is read
 */
export function placingIn(crs: string | undefined): Placing {
  if (crs === undefined) return pointOf;
  const { apply, isIdentity } = transformerOf(crs);
  if (isIdentity) return pointOf;
  const place = new Float64Array(2);
  return (y, x) => {
    if (y === null || x === null) return wrong('x and y must be numbers');
    place[0] = x;
    place[1] = y;
    apply(place);
    const [lon = Number.NaN, lat = Number.NaN] = place;
    const point = pointOf(lat, lon);
    const isInside = point.fault === null && Math.max(Math.abs(x), Math.abs(y)) <= FARTHEST;
    return isInside ? point : wrong(`${x}, ${y} lies outside of the reference system`);
  };
}

/** How true the points of a reference system are. */
export interface PlacingQuality {
  /** How far points may be off after the transformation to WGS 84, in meters, by EPSG's dataset; null: not known. */
  readonly accuracyM: number | null;
  /** Whether a point, in 1e-7 degrees on WGS 84, lies outside of the area that the system is made for. */
  readonly isOutside: (x: number, y: number) => boolean;
}

/**
 * How true the points of a reference system are; null for WGS 84 itself, and without a system.
 * @throws invalid_input for a text that names no reference system that is read
 */
export function qualityIn(crs: string | undefined): PlacingQuality | null {
  if (crs === undefined) return null;
  const { area, accuracy, code, isDegrees } = systemFor(crs);
  if (isDegrees && (code === 'EPSG:4326' || code === 'OGC:CRS84')) return null;
  return {
    accuracyM: accuracy === null || Number.isNaN(accuracy) ? null : accuracy,
    isOutside: (x, y) => area !== null && !holds(area, [x / 1e7, y / 1e7]),
  };
}

function transformerOf(crs: string) {
  return transformer(systemFor(crs));
}

function systemFor(crs: string): System {
  try {
    return systemOf(crs);
  } catch (error) {
    throw invalidInput([{ path: 'crs', code: 'invalid_value', message: (error as Error).message }]);
  }
}

/** Returns a point in 1e-7 degrees, or why the coordinates (degrees) are not valid. */
export function pointOf(lat: number | null, lon: number | null): Point {
  if (lat === null || !(lat >= -90 && lat <= 90)) return wrong('the latitude must be a number from -90 to 90');
  if (lon === null || !(lon >= -180 && lon <= 180)) return wrong('the longitude must be a number from -180 to 180');
  return { x: Math.round(lon * 1e7), y: Math.round(lat * 1e7), fault: null };
}

/** Parses a decimal coordinate; null for any other text. */
export function numberOf(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.length === 0 || trimmed.length > 40 || !/^[-+0-9.eE]+$/.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** Parses a coordinate that may have a decimal comma; null for any other text. */
export const numberWithComma = (text: string): number | null =>
  numberOf(text) ?? (/^[^.,]*,[^.,]*$/.test(text) ? numberOf(text.replace(',', '.')) : null);

/** Numbers of 15 digits and powers of ten up to 1e15 are exact doubles, so their quotient is the nearest double. */
const EXACT_DIGITS = 15;
const TENS = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, i) => 10 ** i);

/** Parses text[from, to) as numberOf() does, plain decimals without creating a substring. */
export function numberIn(text: string, from: number, to: number): number | null {
  let at = from;
  const sign = text.charCodeAt(at) === 0x2d ? -1 : 1;
  if (sign < 0) at++;
  let value = 0;
  let digits = 0;
  let point = -1;
  for (; at < to; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit >= 0 && digit <= 9) {
      value = 10 * value + digit;
      digits++;
    } else if (digit === -2 && point < 0) point = at;
    else return numberOf(text.slice(from, to));
  }
  if (digits === 0 || digits > EXACT_DIGITS) return numberOf(text.slice(from, to));
  return sign * (point < 0 ? value : value / defined(TENS[to - point - 1]));
}

/** Returns invalid_input for a body without point columns; `message` says what is required. */
export const noColumns = (message: string) => invalidInput([{ path: '', code: 'missing', message }]);

const CARRIAGE_RETURN = 13;

/** Splits a text that arrives in chunks into lines. With `quotes`, a line break inside quotes belongs to the line. */
export class Lines {
  broken: string | null = null;
  private rest = '';
  private line = 1;
  private readonly quotes: boolean;

  constructor(quotes: boolean) {
    this.quotes = quotes;
  }

  /** Calls `take` with each complete line and the number of its first line; `last` also completes the rest. */
  each(text: string, last: boolean, take: (line: string, number: number) => void): void {
    const all = this.rest + text;
    let at = 0;
    // Index of the first quote from `at` on, cached: most tables have none, so the chunk is searched once.
    let quote = -1;
    const nextQuote = (): number => {
      if (quote >= at || !this.quotes) return quote;
      const found = all.indexOf('"', at);
      quote = found < 0 ? all.length : found;
      return quote;
    };
    while (this.broken === null) {
      let end = all.indexOf('\n', at);
      if (end < 0 && last && at < all.length) end = all.length;
      const quoted = this.quotes && nextQuote() < end;
      if (quoted) end = this.closed(all, at, end, last);
      if (end < 0) break;
      if (end - at > MAX_CHARACTERS) break;
      const isPaired = end > at && all.charCodeAt(end - 1) === CARRIAGE_RETURN;
      const whole = all.slice(at, isPaired ? end - 1 : end);
      take(whole, this.line);
      this.line += quoted ? whole.split('\n').length : 1;
      at = end + 1;
    }
    this.rest = all.slice(at);
    if (this.rest.length <= MAX_CHARACTERS) return;
    const end = all.indexOf('\n', at);
    // The chunk may hold many unread lines: only the length of the first one counts.
    if (end >= 0 && end - at <= MAX_CHARACTERS && !this.quotes) return;
    this.broken ??= `line ${this.line} is longer than ${MAX_CHARACTERS} characters`;
    this.rest = '';
  }

  /** Returns where the line from `at` ends: the first break, from `end` on, at which all quotes are closed. */
  private closed(all: string, at: number, end: number, last: boolean): number {
    let open = false;
    let from = at;
    for (let to = end; ; ) {
      for (let q = all.indexOf('"', from); q >= 0 && q < to; q = all.indexOf('"', q + 1)) open = !open;
      if (!open) return to;
      if (to - at > MAX_CHARACTERS) return -1;
      from = to;
      const next = all.indexOf('\n', to + 1);
      if (next < 0) return last ? all.length : -1;
      to = next;
    }
  }
}
