import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package_root.ts';

/** A city of GeoNames. */
export interface City {
  /** Population in thousands. */
  readonly people: number;
  /** 2: of a country, 1: of a first-level division, 0: neither. */
  readonly capital: 0 | 1 | 2;
}

interface Row extends City {
  /** Degrees, to a tenth. */
  readonly lat: number;
  readonly lon: number;
}

/** Cities by country and folded name. */
let cities: ReadonlyMap<string, readonly Row[]> | undefined;
let large: ReadonlySet<string> | undefined;

/** Population, in thousands, from which a city counts as widely known. */
const LARGE = 100;
/** Maximum distance, in degrees of latitude, between a city and the inside point of its boundary. */
const NEAR = 0.35;

/** Reads data/cities.json, made by scripts/make_place_names.ts. */
function load(): ReadonlyMap<string, readonly Row[]> {
  if (cities) return cities;
  const table = JSON.parse(readFileSync(join(packageRoot(), 'data', 'cities.json'), 'utf8')) as {
    readonly cities: Readonly<Record<string, string>>;
  };
  const found = new Map<string, Row[]>();
  for (const [country, rows] of Object.entries(table.cities)) {
    for (const row of rows.split(';')) {
      const [name, people, lat, lon, capital] = row.split(',');
      const key = `${country} ${name}`;
      const city = { people: Number(people), lat: Number(lat) / 10, lon: Number(lon) / 10, capital: Number(capital) };
      found.set(key, [...(found.get(key) ?? []), city as Row]);
    }
  }
  cities = found;
  return found;
}

/** Whether a folded text of 4 characters or more is the name of a city of at least 100,000 people. */
export function isCityName(folded: string): boolean {
  large ??= new Set(
    [...load()].flatMap(([key, rows]) => {
      const name = key.slice(3);
      return name.length > 3 && rows.some(({ people }) => people >= LARGE) ? [name] : [];
    }),
  );
  return large.has(folded);
}

/**
 * The city that a boundary represents, the largest if several match: of 30,000 people or more, or a capital, in its
 * country, of its name and near its inside point. Null if there is none.
 * @param country ISO 3166-1 alpha-2
 * @param folded folded names of the boundary
 * @param lat degrees, as `lon`
 */
export function cityOf(country: string, folded: readonly string[], lat: number, lon: number): City | null {
  const width = NEAR / Math.max(0.1, Math.cos((lat * Math.PI) / 180));
  for (const name of folded) {
    const near = load()
      .get(`${country} ${name}`)
      ?.filter((city) => Math.abs(city.lat - lat) <= NEAR && Math.abs(city.lon - lon) <= width);
    if (near && near.length > 0) return near.reduce((a, b) => (b.people > a.people ? b : a));
  }
  return null;
}

let named: ReadonlySet<string> | undefined;

/** Whether a folded text is the name of a city of 30,000 people or more, or of a capital of a division. */
export function hasCity(folded: string): boolean {
  named ??= new Set([...load().keys()].map((key) => key.slice(3)));
  return named.has(folded);
}

/** How far the position of a city may be outside of its boundary, in degrees: half of a tenth. */
const ROUNDED = 0.05;

/**
 * Whether a city of a folded name lies in a box of degrees, to a tenth of a degree.
 * @param country ISO 3166-1 alpha-2
 */
export function liesIn(
  country: string,
  folded: string,
  {
    west,
    south,
    east,
    north,
  }: { readonly west: number; readonly south: number; readonly east: number; readonly north: number },
): boolean {
  const isBetween = (value: number, from: number, to: number): boolean =>
    value >= from - ROUNDED && value <= to + ROUNDED;
  const rows = load().get(`${country} ${folded}`) ?? [];
  return rows.some(({ lat, lon }) => isBetween(lat, south, north) && isBetween(lon, west, east));
}

/** The capital of a country (2) or of its first-level divisions (1): folded names and positions in degrees. */
export function capitalsOf(
  country: string,
  rank: 1 | 2,
): readonly { readonly name: string; readonly lat: number; readonly lon: number }[] {
  return [...load()].flatMap(([key, rows]) =>
    key.startsWith(`${country} `)
      ? rows.filter(({ capital }) => capital === rank).map(({ lat, lon }) => ({ name: key.slice(3), lat, lon }))
      : [],
  );
}

/** The cities of a folded name in a country (ISO 3166-1 alpha-2), the largest first; degrees are known to a tenth. */
export const citiesOf = (
  country: string,
  folded: string,
): readonly { readonly people: number; readonly lat: number; readonly lon: number }[] =>
  (load().get(`${country} ${folded}`) ?? []).toSorted((a, b) => b.people - a.people);

/** The cities of a folded name in all countries (ISO 3166-1 alpha-2), with their population in thousands. */
export function citiesAnywhere(folded: string): readonly { readonly country: string; readonly people: number }[] {
  const table = load();
  countries ??= [...new Set([...table.keys()].map((key) => key.slice(0, 2)))];
  return countries.flatMap((country) =>
    (table.get(`${country} ${folded}`) ?? []).map(({ people }) => ({ country, people })),
  );
}
let countries: readonly string[] | undefined;

let largest: ReadonlyMap<string, Row & { readonly country: string }> | undefined;

/** The largest city of a folded name, of at least 100,000 people: its country and its position in degrees, to a tenth. */
export function largestCity(
  folded: string,
): { readonly country: string; readonly lat: number; readonly lon: number } | null {
  largest ??= largestByName();
  return largest.get(folded) ?? null;
}

/** The largest city of each name, of at least 100,000 people. */
function largestByName(): Map<string, Row & { readonly country: string }> {
  const found = new Map<string, Row & { readonly country: string }>();
  for (const [key, rows] of load()) {
    const [country, name] = [key.slice(0, 2), key.slice(3)];
    for (const row of rows)
      if (row.people >= LARGE && row.people > (found.get(name)?.people ?? 0)) found.set(name, { ...row, country });
  }
  return found;
}
