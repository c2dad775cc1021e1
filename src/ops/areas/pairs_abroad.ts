import { LANGUAGES } from '../../domain/areas/vocabulary/vocabulary.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { citiesAnywhere } from '../../domain/names/cities.ts';
import { foldName } from '../../domain/names/fold.ts';
import { isTown } from './found.ts';
import type { Names } from './in_context.ts';
import { isNameAlone } from './in_list.ts';

/** Population, in thousands, of a city that is not stored and may be meant, and how much larger than those of its own country it is. */
const [LARGE_CITY, LARGER] = [100, 2];

/**
 * Whether towns of a list, of one country, may be places of another one that their names together mean: the two parts of the
 * name of a country ("Heard and McDonald"), or large cities of one country ("Medellín y Cartagena").
 */
export function isOneName(names: Names, i: number, found: ResolvedBoundary, others: readonly number[]): boolean {
  if (!isTown(found) || others.length === 0) return false;
  const steps = [i, ...others].map((k) => names.run.stepAt(k));
  const texts = steps.map((step) => (isNameAlone(step) && step.op === 'place' ? foldName(step.name ?? '') : ''));
  if (texts.includes('')) return false;
  const [a = '', b = '', ...more] = i < (others[0] ?? i) ? texts : texts.toReversed();
  if (more.length === 0 && isCountryOfTwo(a, b)) return true;
  const [first = '', ...rest] = texts;
  // Of few names there is such a city: only for these are all others asked.
  return citiesAbroad(first, found.boundary.country).some((country) =>
    rest.every((text) => citiesAbroad(text, found.boundary.country).includes(country)),
  );
}

/** The other countries in which a folded name is that of a large city, much larger than those of a country. */
function citiesAbroad(folded: string, own: string | null): string[] {
  const cities = citiesAnywhere(folded);
  const largest = Math.max(0, ...cities.flatMap(({ country, people }) => (country === own ? people : [])));
  const least = Math.max(LARGE_CITY, LARGER * largest);
  return cities.flatMap(({ country, people }) => (country !== own && people >= least ? country : []));
}

/** The names of countries that are those of two places, folded: "heard island and mcdonald islands". */
interface Pairs {
  /** The first words of both parts of a name, up to whole ones, with a line between them. */
  readonly starts: ReadonlySet<string>;
  /** By a whole part, the ISO 3166-1 code of the country. */
  readonly parts: ReadonlyMap<string, string>;
}
let pairs: Pairs | undefined;

/** Whether the name of a country begins with one folded name and, behind "and", with another. */
function isCountryOfTwo(first: string, second: string): boolean {
  pairs ??= namesOfTwo();
  return pairs.starts.has(`${first}|${second}`);
}

/** The country of whose name a folded text is one of the two parts: "antigua" of AG. Undefined without one. */
export function countryOfPart(folded: string): string | undefined {
  pairs ??= namesOfTwo();
  return pairs.parts.get(folded);
}

function namesOfTwo(): Pairs {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((one) => letters.map((other) => one + other));
  const starts = (text: string): string[] =>
    text.split(' ').map((_, count, words) => words.slice(0, count + 1).join(' '));
  const found = new Set<string>();
  const parts = new Map<string, string>();
  for (const language of LANGUAGES) {
    const displayed = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const code of codes) {
      const [one = '', other] = (displayed.of(code) ?? '').split(/ (?:&|and|y|und|et) /u);
      if (other === undefined) continue;
      for (const part of [one, other]) parts.set(foldName(part), code);
      for (const a of starts(foldName(one))) for (const b of starts(foldName(other))) found.add(`${a}|${b}`);
    }
  }
  return { starts: found, parts };
}
