import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../db/root.ts';

const read = <T>(name: string): T => JSON.parse(readFileSync(join(packageRoot(), 'data', name), 'utf8')) as T;

let places: ReadonlyMap<string, readonly string[]> | undefined;
let cities: ReadonlySet<string> | undefined;

/**
 * What people also call a country or a first-level division: former and short names, abbreviations, and its name in the
 * major languages (data/place_names.json, made by scripts/make-place-names.ts).
 * @param code ISO 3166-1 alpha-2 or ISO 3166-2
 */
export function alsoCalled(code: string): readonly string[] {
  places ??= new Map(
    Object.entries(read<{ names: Readonly<Record<string, string>> }>('place_names.json').names).map(([one, names]) => [
      one,
      names.split(';'),
    ]),
  );
  return places.get(code) ?? [];
}

/** Whether a folded text is the name of a city of at least 100,000 people somewhere (data/city_names.json). */
export function isCityName(folded: string): boolean {
  cities ??= new Set(read<{ names: string }>('city_names.json').names.split(';'));
  return cities.has(folded);
}
