import { codeIdsOf } from '../../common/code_ids.ts';
import { KINDS, type Kind } from '../../common/kinds.ts';
import { countryCodeOf, isCarriedCode, isCountryCode } from '../countries.ts';
import type { OtherName, SourceBoundary } from '../types.ts';

/** The keys of `--map` (`ours=property of the file`), besides `name:<language>` and `code:<scheme>`. */
const MAP_KEYS = [
  'id',
  'name',
  'alt_name',
  'official_name',
  'short_name',
  'admin_level',
  'code',
  'country',
  'iso',
  'kind',
  'place',
  'population',
  'wikidata',
] as const;

/** OpenStreetMap's limit for a value, in characters; properties are cut to it. */
const LONGEST = 255;

export type Properties = Readonly<Record<string, unknown>>;

/** What the properties of a feature describe; absent is null. */
export type Description = Omit<SourceBoundary, 'id' | 'sourceId' | 'version' | 'type' | 'subareas' | 'border'>;

/** Values for all features of a file. */
export interface Defaults {
  /** By key of the map: what a value of the file stands for. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By property: the values of which a feature must have one; others are not read. */
  readonly where?: Readonly<Record<string, readonly string[]>>;
  readonly type: 'administrative' | 'postal_code';
  readonly adminLevel: number | null;
  readonly country: string | null;
}

/** In the place of a column in `--map id=` and `--map name=`: the number of the row, for files whose rows have no id. */
export const ROW_NUMBER = '@row';

/** Checks the keys of a `--map`. @throws Error that lists the valid keys */
export function checkMap(map: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(map).filter(
    (key) =>
      !(MAP_KEYS as readonly string[]).includes(key) &&
      !/^name:[A-Za-z][\w-]*$/.test(key) &&
      !(key.startsWith('code:') && codeIdsOf(key.slice(5), '1').length > 0 && key === key.toLowerCase()),
  );
  if (unknown.length === 0) return;
  throw new Error(
    `--map cannot map ${unknown.join(', ')}; it maps ${MAP_KEYS.join(', ')} name:<language> and code:<scheme>`,
  );
}

/** The value of a property, also one inside of another: `names.primary`; undefined when it is absent. */
export function propertyOf(properties: Properties, name: string): unknown {
  if (Object.hasOwn(properties, name)) return properties[name];
  const dot = name.indexOf('.');
  const outer = dot < 0 ? undefined : propertyOf(properties, name.slice(0, dot));
  const isInside = typeof outer === 'object' && outer !== null && !Array.isArray(outer);
  return isInside ? propertyOf(outer as Properties, name.slice(dot + 1)) : undefined;
}

/** A property as trimmed text; null when it is absent, empty, or not a string, number or boolean. */
export function textOf(properties: Properties, name: string): string | null {
  const value = propertyOf(properties, name);
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = String(value).trim();
  return text === '' ? null : text;
}

/** Called for each mapped value that must be valid; `trouble` is null if it is, else what it should have been. */
export type OnValue = (key: string, value: string, trouble: string | null) => void;

/**
 * Reads the properties of a feature by the map. If `name` is not mapped, the property `name` is read. An invalid value
 * (Natural Earth writes -99 for a missing code) counts as absent and is reported to `onValue`.
 * @param sourceId its id, which is also its searchable code if no code is mapped
 */
export function describe(
  properties: Properties,
  map: Readonly<Record<string, string>>,
  defaults: Defaults,
  sourceId: string,
  onValue: OnValue = () => {},
): Description {
  const read = (key: string): string | null => {
    const property = Object.hasOwn(map, key) ? map[key] : undefined;
    const text = property === undefined ? null : textOf(properties, property);
    const meant = defaults.values?.[key];
    return text !== null && meant && Object.hasOwn(meant, text) ? (meant[text] ?? null) : text;
  };
  const readAs = <T>(key: string, understand: (text: string) => T | null, what: string): T | null => {
    const text = read(key);
    if (text === null) return null;
    const value = understand(text);
    onValue(key, text, value === null ? what : null);
    return value;
  };
  const name = Object.hasOwn(map, 'name') ? read('name') : textOf(properties, 'name');
  const names: Record<string, string> = {};
  const otherNames: OtherName[] = [];
  const codeIds: string[] = [];
  for (const key of Object.keys(map)) {
    const text = read(key);
    if (text === null) continue;
    if (key.startsWith('name:')) names[key.slice(5)] = text.slice(0, LONGEST);
    if (key.startsWith('code:')) codeIds.push(...codeIdsOf(key.slice(5), text));
    if (key.endsWith('_name')) otherNames.push({ type: key, text: text.slice(0, LONGEST) });
  }
  const iso = readAs('iso', isoOf, 'ISO 3166 code');
  const adminLevel = readAs('admin_level', levelOf, 'admin_level (1 … 12)') ?? defaults.adminLevel;
  const country = readAs('country', countryCodeOf, 'ISO 3166-1 code') ?? defaults.country;
  const isPostcode = defaults.type === 'postal_code';
  const code = read('code') ?? (isPostcode ? textOf(properties, 'postcode') : null);
  return {
    // A postcode area without a name is named by its code.
    name: (name ?? (isPostcode ? (code ?? sourceId) : map.name === ROW_NUMBER ? sourceId : '')).slice(0, LONGEST),
    names,
    otherNames,
    codes: [...new Set([code ?? sourceId, ...codeIds.map((id) => id.slice(id.indexOf(':') + 1))])],
    ...(codeIds.length === 0 ? {} : { codeIds }),
    adminLevel: isPostcode ? null : adminLevel,
    kind: isPostcode ? 'postal_code' : readAs('kind', kindOf, `kind; the kinds are ${KINDS.join(', ')}`),
    countryCode: iso !== null && iso.length === 2 && isCountryCode(iso) ? iso : null,
    country: country ?? (iso !== null && isCountryCode(iso.slice(0, 2)) ? iso.slice(0, 2) : null),
    iso,
    wikidata: wikidataOf(read('wikidata')),
    population: populationOf(read('population')),
    tags: tagsOf(properties),
    place: read('place')?.toLowerCase() ?? null,
  };
}

function isoOf(text: string): string | null {
  const code = text.toUpperCase();
  const isDivision = /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(code);
  return isDivision || isCarriedCode(code) ? code : countryCodeOf(code);
}

function levelOf(text: string): number | null {
  const level = Number(text);
  return Number.isInteger(level) && level >= 1 && level <= 12 ? level : null;
}

function kindOf(text: string): Kind | null {
  return KINDS.find((known) => known === text.toLowerCase()) ?? null;
}

/** A wikidata id such as `Q64`, also at the end of a URL; null for anything else. */
function wikidataOf(text: string | null): string | null {
  return /(?:^|\/)(Q[1-9]\d{0,11})$/.exec(text ?? '')?.[1] ?? null;
}

/** A count of people; null for an invalid one (Natural Earth writes -99 for unknown). */
function populationOf(text: string | null): number | null {
  const count = Number(text ?? Number.NaN);
  return Number.isFinite(count) && count >= 0 && count < 1e11 ? Math.round(count) : null;
}

function tagsOf(properties: Properties): Record<string, string> {
  const tags: [string, string][] = [];
  for (const key of Object.keys(properties)) {
    const text = textOf(properties, key);
    if (text !== null) tags.push([key.slice(0, LONGEST), text.slice(0, LONGEST)]);
  }
  return Object.fromEntries(tags);
}
