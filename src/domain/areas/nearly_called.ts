import type { ResolvedBoundary } from '../boundaries/boundary.ts';
import { namesInUse } from '../names/exonyms.ts';
import { foldName } from '../names/fold.ts';
import { searchTypos } from '../search/corrections.ts';
import { isOneTypo } from './level_words.ts';
import { lookupsOf, type NameServices } from './names.ts';
import { LANGUAGES } from './vocabulary/vocabulary.ts';

const displayed = (style: 'long' | 'short') =>
  LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' }));
const [COUNTRIES, SHORT] = [displayed('long'), displayed('short')];

/**
 * The other countries whose own or English name is one letter away from a folded text that is a name of `country` only in a
 * language in which descriptions are not read: "Nigera" is Niger in one, and Nigeria with a typo. None for other places.
 */
export async function countriesNearlyCalled(
  services: NameServices,
  folded: string,
  { id, boundary }: ResolvedBoundary,
): Promise<readonly ResolvedBoundary[]> {
  const { kind, country } = boundary;
  const begun = kind === 'country' ? countriesWithPart(folded) : [];
  if (begun.length > 1 && !namesInUse(boundary).includes(folded)) {
    const alike = await services.boundaries.lookup(begun.map((code) => `iso:${code}`));
    return alike.flatMap((one) => (one && one.id !== id && one.has_geometry ? [one] : []));
  }
  if (kind !== 'country' || country === null || folded.length < SHORTEST) return [];
  if ([...namesInUse(boundary), ...COUNTRIES.map((names) => foldName(names.of(country) ?? ''))].includes(folded))
    return [];
  const spelled = await searchTypos(lookupsOf(services, null), folded, true, null);
  const found = await services.boundaries.byIds([...new Set(spelled.map((one) => one.id))].slice(0, MOST));
  return found.filter(
    (one) =>
      one.id !== id &&
      one.boundary.kind === 'country' &&
      namesInUse(one.boundary).some((name) => isOneTypo(folded, name)),
  );
}

/** Letters from which a name is read with a typo. */
const SHORTEST = 5;
/** Places of a similar name that are looked at. */
const MOST = 20;

/** Codes that Intl has names for, of two letters. */
const CODES = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  .flatMap((a, _, all) => all.map((b) => a + b))
  .filter((code) => COUNTRIES[0]?.of(code) !== undefined);
/** Countries by what begins or ends their names in one language, folded: "islas virgenes" of two, none of which is called so. */
const withPart: ReadonlyMap<string, readonly string[]>[] = [];

/** The codes of the countries whose names in one language begin or end with folded words, if none has them alone. */
function countriesWithPart(folded: string): readonly string[] {
  if (withPart.length === 0) {
    // "Island" is Iceland in German, and "EE. UU." short for a name in Spanish.
    const wholes = new Set(
      [...COUNTRIES, ...SHORT].flatMap((names) => CODES.map((code) => foldName(names.of(code) ?? ''))),
    );
    for (const names of COUNTRIES) {
      const named = CODES.map((code) => [code, foldName(names.of(code) ?? '')] as const);
      const found = new Map<string, string[]>();
      for (const [code, name] of named) {
        const words = name.split(' ');
        for (let count = 1; count < words.length; count++)
          for (const part of new Set([words.slice(0, count).join(' '), words.slice(-count).join(' ')]))
            if (!wholes.has(part)) found.set(part, [...(found.get(part) ?? []), code]);
      }
      withPart.push(found);
    }
  }
  return withPart.map((names) => names.get(folded) ?? []).find((codes) => codes.length > 1) ?? [];
}
