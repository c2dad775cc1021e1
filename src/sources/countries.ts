import type * as CountryCoder from '@rapideditor/country-coder';
import { foldName } from '../domain/names/fold.ts';
import { readTable, requirePackage } from './reference.ts';

/** One row of data/countries.json. */
export interface CountryRow {
  /** OSM relation id, or null where the sources of the table do not agree on one. */
  readonly relation: number | null;
  /** The admin_level of its boundary in OpenStreetMap: 2, or 3, 4 or 6 for territories. */
  readonly admin_level: number;
  /** Names by language code. */
  readonly names: Readonly<Record<string, string>>;
}

interface CountryTable {
  readonly countries: Readonly<Record<string, CountryRow>>;
  /** Unofficial codes that country-coder uses, with the code of the country they belong to. */
  readonly reserved: Readonly<Record<string, string>>;
  /** Areas of country-coder without a code, by wikidata id, with the countries that claim them. */
  readonly claims: Readonly<Record<string, { readonly by: readonly string[] }>>;
}

let table: CountryTable | undefined;

/** The committed table of countries and territories (data/countries.json), read once. */
export function countryTable(): CountryTable {
  table ??= readTable<CountryTable>('countries.json');
  return table;
}

/**
 * Whether a text is an ISO 3166-1 alpha-2 code in upper case. The user-assigned code `XK` counts, as OpenStreetMap uses
 * it for Kosovo. Reserved codes (EU, UN, FX, IC, EA …) do not.
 */
export function isCountryCode(code: string): boolean {
  return Object.hasOwn(countryTable().countries, code);
}

/** Codes that ISO 3166-1 leaves to its users. */
const USER_ASSIGNED = /^(?:AA|Q[M-Z]|X[A-Z]|ZZ)$/;

/**
 * Whether a boundary may carry a text as its ISO 3166-1 code: a code in use, or one left to users. Withdrawn and
 * reserved codes, such as FX for Metropolitan France, name no country of today.
 */
export function isCarriedCode(code: string): boolean {
  return isCountryCode(code) || USER_ASSIGNED.test(code);
}

/**
 * The ISO 3166-1 alpha-2 code that a text names: itself, or an alpha-3 code (AUT is AT), in upper or lower case; null for
 * any other text.
 */
export function countryCodeOf(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (isCountryCode(code)) return code;
  if (!/^[A-Z]{3}$/.test(code)) return null;
  const coder = requirePackage<typeof CountryCoder>('@rapideditor/country-coder');
  const found = coder.feature(code)?.properties;
  return found?.iso1A3 === code && found.iso1A2 !== undefined && isCountryCode(found.iso1A2) ? found.iso1A2 : null;
}

/** The ISO 3166-1 alpha-3 code of a country with this alpha-2 code: AT is AUT; null where ISO has none (XK). */
export function iso3Of(code: string): string | null {
  const coder = requirePackage<typeof CountryCoder>('@rapideditor/country-coder');
  return coder.feature(code)?.properties.iso1A3 ?? null;
}

/**
 * The country or territory at a place, from country-coder's coarse borders (about 1 km); synchronous and offline.
 * A territory with its own code returns that code (Martinique is MQ, Puerto Rico is PR). An area without a code returns
 * the country that claims it, if the table has exactly one.
 * @param lat latitude in degrees, -90 … 90
 * @param lon longitude in degrees, -180 … 180
 * @returns an ISO 3166-1 alpha-2 code, or null on the high seas, at unclaimed places and outside the range
 */
export function countryAt(lat: number, lon: number): string | null {
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return null;
  const coder = requirePackage<typeof CountryCoder>('@rapideditor/country-coder');
  const { countries, reserved, claims } = countryTable();
  // country-coder's polygons end at the antimeridian; a point on that line is in none of them.
  const places = Math.abs(lon) === 180 ? [179.9999999, -179.9999999] : [lon];
  for (const x of places) {
    // The South Pole is on the edge of Antarctica's polygon, so it is not inside either.
    const y = lat === -90 ? -89.9999999 : lat;
    for (const feature of coder.featuresContaining([x, y])) {
      const code = feature.properties.iso1A2;
      if (code === undefined) {
        const by = claims[feature.properties.wikidata]?.by;
        if (by?.length === 1 && by[0] !== undefined) return by[0];
        continue;
      }
      const own = reserved[code] ?? code;
      if (Object.hasOwn(countries, own)) return own;
    }
  }
  return null;
}

/** Tags with a country's ISO 3166-1 code or a subdivision's ISO 3166-2 code, in order of preference. */
const CODE_TAGS = ['is_in:country_code', 'addr:country', 'is_in:iso_3166_2', 'is_in:iso_3166_1'];

let codesByName: Map<string, string | null> | undefined;

/** The code of the country with this name in any language of the table; null for none or more than one. */
function countryNamed(name: string): string | null {
  if (codesByName === undefined) {
    codesByName = new Map();
    for (const [code, { names }] of Object.entries(countryTable().countries)) {
      for (const text of Object.values(names)) {
        const key = foldName(text);
        codesByName.set(key, (codesByName.get(key) ?? code) === code ? code : null);
      }
    }
  }
  return codesByName.get(foldName(name)) ?? null;
}

/**
 * The country that tags of OpenStreetMap name (Key:is_in, Key:addr): is_in:country_code, addr:country,
 * is_in:iso_3166_2, is_in:iso_3166_1, is_in:country.
 * @returns an ISO 3166-1 alpha-2 code, or null when they name none
 */
export function countryOfTags(tags: Readonly<Record<string, string>>): string | null {
  for (const key of CODE_TAGS) {
    const code = (tags[key] ?? '').slice(0, 2).toUpperCase();
    if (/^[a-z]{2}(-[a-z0-9]{1,3})?$/i.test(tags[key] ?? '') && isCountryCode(code)) return code;
  }
  return countryNamed(tags['is_in:country'] ?? '');
}

/**
 * The country at the end of a list like "Bludenz, Vorarlberg, Austria" (Key:is_in), or null. The tag is free text
 * ("Georgia" may be the country or the state), so use it only when there is no better evidence.
 */
export function countryOfList(list: string): string | null {
  return countryNamed(list.split(/[,;]/).at(-1) ?? '');
}

/**
 * All country codes at a place (degrees), from country-coder: the territory's, its country's, and those of countries
 * that claim it.
 */
export function countriesAt(lat: number, lon: number): string[] {
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return [];
  const coder = requirePackage<typeof CountryCoder>('@rapideditor/country-coder');
  const { reserved, claims } = countryTable();
  return coder.featuresContaining([lon, lat]).flatMap(({ properties }) => {
    const code = properties.iso1A2;
    if (code === undefined) return claims[properties.wikidata]?.by ?? [];
    return [reserved[code] ?? code];
  });
}

/** The code of the country that a territory with a code of its own belongs to (`US` for `PR`), or null. */
export function sovereignOf(code: string): string | null {
  const coder = requirePackage<typeof CountryCoder>('@rapideditor/country-coder');
  return coder.feature(code)?.properties.country ?? null;
}
