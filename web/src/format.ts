import { locale, t, textOr } from './language.ts';
/** Formats numbers, times and names in the reader's language. */

/** A whole number with separators. */
export const count = (value: number): string => new Intl.NumberFormat(locale()).format(value);

/** A number as people read it, to six significant digits. */
export const number = (value: number): string =>
  new Intl.NumberFormat(locale(), { maximumSignificantDigits: 6 }).format(value);

/** An area in km2. */
export function area(km2: number): string {
  const digits = km2 < 10 ? 2 : km2 < 1000 ? 1 : 0;
  return `${new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(km2)} km²`;
}

/** A share, 0 … 1, as a percentage. */
export const percent = (share: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(share);

/** A length in km. */
export const length = (km: number): string =>
  `${new Intl.NumberFormat(locale(), { maximumFractionDigits: km < 100 ? 1 : 0 }).format(km)} km`;

/** A file size in bytes, kB or MB. */
export function size(bytes: number): string {
  const [value, unit] =
    bytes < 1000 ? [bytes, 'byte'] : bytes < 1e6 ? [bytes / 1000, 'kilobyte'] : [bytes / 1e6, 'megabyte'];
  // The short form of a byte has no plural in English.
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  const maximumFractionDigits = value < 10 ? 1 : 0;
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(value);
}

/** A date, optionally with the time of day. */
export function day(time: string, withTime = false): string {
  const options: Intl.DateTimeFormatOptions = withTime
    ? { dateStyle: 'medium', timeStyle: 'short' }
    : { dateStyle: 'medium' };
  return new Intl.DateTimeFormat(locale(), options).format(new Date(time));
}

/** An amount in a currency. */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency,
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
  }).format(amount);

function displayName(type: 'language' | 'region', code: string): string {
  try {
    return new Intl.DisplayNames(locale(), { type }).of(code) ?? code;
  } catch {
    // OpenStreetMap has codes that are not BCP 47.
    return code;
  }
}

/** The name of a language by its tag. */
export const languageName = (tag: string): string => displayName('language', tag);

/** The name of a country by its ISO 3166-1 code. */
export const countryName = (code: string): string => displayName('region', code);

/** The display name of a kind of boundary; of a kind that the pages have no name for, the kind itself. */
export const kindName = (kind: string): string => textOr(`kind.${kind}`, kind);

/** The title of a page in the browser. */
export const pageTitle = (name: string): string => `${name} · Boundary Lookup`;

/** A text with its first letter capitalized. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The kind of a boundary at a point; of a country in whose waters the point is, that it does not contain the point. */
export const kindAtPoint = ({ kind, contains }: { readonly kind: string; readonly contains?: boolean }): string =>
  contains === false ? t('place.nearestWaters', { kind: kindName(kind) }) : kindName(kind);
