import { isBrand, isCommonWord, isPersonName } from '../../src/domain/names/common_words.ts';
import { foldName } from '../../src/domain/names/fold.ts';
import { countriesWithDivision } from '../../src/domain/names/place_names.ts';
import { isOneTypo } from '../../src/domain/search/city_typos.ts';
import type { Register } from './municipalities.ts';
import { knownNicknamesOf } from './nicknames.ts';

/** A city of GeoNames. */
export interface City {
  readonly name: string;
  readonly also: readonly string[];
  readonly country: string;
  readonly state: string;
  /** Codes of its divisions from the second to the fourth level. */
  readonly admin: readonly string[];
  readonly people: number;
  /** Whether it is the capital of a division of the first level. */
  readonly isCapital: boolean;
  /** Part of another city, as a neighborhood. */
  readonly isPart: boolean;
  /** Degrees. */
  readonly lat: number;
  readonly lon: number;
}

interface Sources {
  readonly registers: Readonly<Record<string, Register>>;
  givenCodeOf(city: City): string | undefined;
  /** The county of another name that a city of the United States is in, or null. */
  countyOf(city: City): string | null;
  /** The counties that parts of it are in, that with most of it first and whole, the others with their share of it. */
  countiesOf(city: City, code: string): readonly { readonly code: string; readonly share: number }[];
  /** Whether a folded text is the name of a county of a state, by its letters. */
  isCounty(state: string, folded: string): boolean;
  isWord(folded: string, isLarge: boolean): boolean;
  /** Whether a city of a country gives a folded name to its own boundary. */
  isKnown(country: string, folded: string): boolean;
  /** Names in use, folded. */
  namesOf(city: City): string[];
  /** Names made of words, folded: "windy city". */
  nicknamesOf(city: City): string[];
}

/** People from which a part of a municipality is known by its own name: "Mestre" is in Venezia. */
const PART = 10_000;
/** How far it may be from the city of the municipality, in degrees of latitude: GeoNames gives some a wrong code. */
const NEAR = 0.25;
/** People from which a city has other names, and a town is known by a name that is a word, too. */
const KNOWN = 100_000;
/** People from which a city of the United States is known before its state, and by its name alone. */
const PLACED_FROM = 15_000;
const ALONE_FROM = 50_000;
/** The same of a long name that no other city has, nor a larger one a part of it, with a rare word: "Poughkeepsie". */
const RARE_FROM = 25_000;
const RARE_LETTERS = 6;
/** How many times as large as the next place of its name it is. */
const MANY_TIMES = 8;
/** Names of words that are places only: "Cedar Falls". */
const GEOGRAPHIC = / (?:heights|falls|springs|beach|hills|city|creek|rapids|haven|grove|lakes?|junction|harbor)$/;
/** People from which one is meant by a name that is a word of other languages than English, too: "Modesto". */
const MEANT_FROM = 200_000;
/** People from which a city is called by the last word of its name, and from which one that is a word in the United States. */
const LARGE = 500_000;

/** In front of a name that is one only with the place around it. */
const PLACED = '@';

/**
 * Whether a name is in another script, or of a large city the last word of the own name: "vegas". Other names are those of many
 * places.
 */
const isLike = (text: string, own: string, { people }: City): boolean =>
  !LATIN.test(text) || (people >= LARGE && own.endsWith(` ${text}`));
const LATIN = /^\p{Script=Latin}/u;

/** The initials of three words or more of a name, if people write them: "slc". */
function initialsOf({ name, also }: City): string[] {
  const letters = name.split(' ').map((word) => word.charAt(0));
  return letters.length > 2 && also.includes(letters.join('')) ? [foldName(letters.join(''))] : [];
}

/**
 * The rows of cities that are only a part of the municipality, or of the county of the United States, that they are in, and
 * have another name: its code, thousands of people, names. By country.
 */
export function insideOf(cities: readonly City[], sources: Sources): Map<string, string[]> {
  const { registers, givenCodeOf, countyOf, countiesOf, isCounty, isWord, isKnown, namesOf, nicknamesOf } = sources;
  const rows = new Map<string, string[]>();
  const placesIn = new Map<string, City[]>();
  const largest = new Map<string, number>();
  /** The people of the second largest city of a name. */
  const second = new Map<string, number>();
  /** The people of the largest city that is called so in another script than the Latin one. */
  const written = new Map<string, number>();
  for (const city of cities) {
    const key = `${city.country} ${givenCodeOf(city)}`;
    if (registers[city.country]) placesIn.set(key, [...(placesIn.get(key) ?? []), city]);
    const [own, most] = [foldName(city.name), largest.get(foldName(city.name)) ?? 0];
    largest.set(own, Math.max(city.people, most));
    if (!city.isPart) second.set(own, Math.max(second.get(own) ?? 0, Math.min(city.people, most)));
    for (const text of city.also)
      if (!LATIN.test(text)) written.set(foldName(text), Math.max(city.people, written.get(foldName(text)) ?? 0));
  }
  /** The code of the municipality that a town is a part of: near its city, if it has one. */
  const codeAround = (city: City): string | null => {
    const [given, register] = [givenCodeOf(city), registers[city.country]];
    if (given === undefined || register?.has(given) !== true || city.isPart || city.people < PART) return null;
    const own = foldName(city.name);
    if ((city.people < KNOWN && isWord(own, false)) || (largest.get(own) ?? 0) > city.people) return null;
    const names = (one: City): string[] => [...new Set([one.name, ...one.also].map(foldName))];
    if (names(city).some((name) => register.isCalled(given, [name]) || register.isOfAnother(given, name))) return null;
    const width = NEAR / Math.cos((city.lat * Math.PI) / 180);
    const called = (placesIn.get(`${city.country} ${given}`) ?? []).filter((one) =>
      register.isCalled(given, names(one)),
    );
    const isNear = ({ lat, lon }: City): boolean =>
      Math.abs(lat - city.lat) <= NEAR && Math.abs(lon - city.lon) <= width;
    return called.length === 0 || called.some(isNear) ? given : null;
  };
  const isRare = (own: string): boolean =>
    own.length >= RARE_LETTERS &&
    (second.get(own) ?? 0) * MANY_TIMES <= (largest.get(own) ?? 0) &&
    !isWord(own, false) &&
    (!own.split(' ').every(isCommonWord) || GEOGRAPHIC.test(own)) &&
    !own.split(' ').some((word) => (largest.get(word) ?? 0) >= KNOWN);
  const metropolises = [...largest].flatMap(([name, people]) => (people >= LARGE ? [name] : []));
  /** Whether a city of the United States is meant by its name alone, and no word, person, larger city or typo in one. */
  const standsAlone = ({ people, isCapital }: City, own: string): boolean =>
    !isWord(own, people >= MEANT_FROM) &&
    (people >= KNOWN ||
      (people >= (isCapital ? 0 : isRare(own) ? RARE_FROM : ALONE_FROM) &&
        (largest.get(own) ?? 0) <= people &&
        !(isPersonName(own) || isBrand(own) || isCommonWord(own) || countriesWithDivision(own).length > 0) &&
        !metropolises.some((name) => isOneTypo(own, name))));
  /** Whether a larger city has a name: "Одеса" is in Ukraine, and not in Texas. */
  const isOfLarger = (text: string, { people }: City): boolean => (written.get(text) ?? 0) > people;
  for (const city of cities) {
    const isUnitedStates = city.country === 'US';
    if (isUnitedStates && ((city.people < PLACED_FROM && !city.isCapital) || city.isPart)) continue;
    const code = isUnitedStates ? countyOf(city) : codeAround(city);
    const own = foldName(city.name);
    const isTaken = isKnown(city.country, own);
    if (code === null || /\d/.test(own) || (isTaken && !isUnitedStates)) continue;
    // A word means the city only before its state: "Surprise, Arizona".
    const called = isUnitedStates && !standsAlone(city, own) ? `${PLACED}${own}` : own;
    const others =
      isUnitedStates && city.people >= KNOWN
        ? [
            ...namesOf(city).filter((text) => isLike(text, own, city) && !isOfLarger(text, city)),
            ...initialsOf(city),
            ...nicknamesOf(city),
          ]
        : [];
    const nicknames = isUnitedStates ? knownNicknamesOf(city, isCounty) : [];
    const names = [called, ...others.filter((text) => text !== own), ...nicknames];
    // "Aurora, Colorado" is in Arapahoe County, and a part of it in Adams County.
    const parts = isUnitedStates && city.people >= KNOWN ? countiesOf(city, code) : [{ code, share: 1 }];
    for (const part of parts) {
      const row = [part.code, Math.round((city.people * part.share) / 1000), ...new Set(names)].join(';');
      rows.set(city.country, [...(rows.get(city.country) ?? []), row]);
    }
  }
  return rows;
}
