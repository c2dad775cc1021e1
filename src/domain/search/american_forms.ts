import { citiesInside } from '../names/city_names.ts';
import { foldName } from '../names/fold.ts';
import { isPlaceCode } from '../names/place_names.ts';
import type { Rewrite } from './noise.ts';

// How people write places of the United States in addresses, file names and questions.

/** Population, in thousands, from which a city is asked for with the word for a county: "Phoenix county". */
const LARGE = 50;

/** "state code CA", "state abbreviation OH", "USA-TX": a state by its letters. */
const STATE_CODE = /^(?:(?:US )?state (?:code|abbreviation|abbr)(?: for)?\s|USA[-_ ])([a-z]{2})$/iu;
/** A five-digit postcode at the end, with the country behind it. */
const ZIP = /,?\s(?:zip\s(?:code\s)?)?\d{5}(?:-\d{4})?(?:,?\sUSA?)?$/iu;
/** The number and name of a street in front of a city. */
const STREET = /^\d{1,5}\s[^,]{1,60},/u;
/** "IL Logan County": the letters of Illinois, which are a Turkish word for a province as well. */
const ILLINOIS = /^il\s(?=\p{L}.*\scounty$)/iu;
/** Words of a file name that end with a county and the letters of a state: "miami-county-in.geojson". */
const COUNTY_FILE = /^(\p{L}+(?:[-_]\p{L}+){0,3})[-_](county|parish)[-_]([a-z]{2})(?:\.\p{L}{2,8})?$/iu;
/** "what county in Texas is Killeen in" */
const WHICH_IN =
  /^(?:what|which) (?:county|parish) (?:in|of) ([a-z .]{2,30}) (?:is|has) ([a-z .']{2,40}?)(?: in)?\??$/iu;
/** A city with the word for one or for a county behind, in front or in brackets, with or without its state. */
const CITY_FORMS: readonly RegExp[] = [
  /^(?<name>[^,]{3,40})\s(?<word>city|county|corporate limits)(?<state>,?\s[^,]{2,20})?$/iu,
  /^(?<name>[^,(]{3,40})\s\((?<word>city|city of)\)(?<state>)$/iu,
  /^(?<word>city|county|find county|name of county)\s(?<name>[^,]{3,40}?)(?<state>,?\s[A-Z]{2})?$/u,
];

/** What such a query means, as other queries. Empty for queries of other forms. Linear in its length, which callers limit. */
export function americanForms(given: string): Rewrite[] {
  const q = given.trim().replaceAll(/\s+/gu, ' ');
  const [, code] = STATE_CODE.exec(q) ?? [];
  if (code !== undefined)
    return [{ q: `iso:US-${code.toUpperCase()}`, ignored: null, exactly: true, called: foldName(q) }];
  if (ILLINOIS.test(q)) return [{ q: `${q.replace(ILLINOIS, '')}, IL`, ignored: null, exactly: true }];
  const [, words = '', kind, letters = ''] = COUNTY_FILE.exec(q) ?? [];
  if (kind !== undefined && isPlaceCode(letters.toLowerCase()))
    return [
      { q: `${words.replaceAll(/[-_]/gu, ' ')} ${kind}, ${letters.toUpperCase()}`, ignored: null, exactly: true },
    ];
  const [, place, town] = WHICH_IN.exec(q) ?? [];
  if (place !== undefined) return [{ q: `city of ${town}, ${place}`, ignored: 'county', exactly: true }];
  const [zip] = ZIP.exec(q) ?? [];
  const address = q.replace(ZIP, '').replace(STREET, '').trim();
  const isAddress = zip !== undefined && (/,|\s[A-Z]{2}$/u.test(address) || /zip/iu.test(zip));
  if (isAddress && /\p{L}{3}/u.test(address))
    return [{ q: address, ignored: foldName(q.replace(address, '')), exactly: true }];
  for (const form of CITY_FORMS) {
    const { name = '', word = '', state = '' } = form.exec(q)?.groups ?? {};
    const [city] = citiesInside(foldName(name));
    const isAsked = city?.country === 'US' && (!/county/iu.test(word) || city.people >= LARGE);
    if (isAsked) return [{ q: `city of ${name}${state}`, ignored: foldName(word), exactly: true }];
  }
  return [];
}
