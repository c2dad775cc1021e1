import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../db/connect.ts';
import { isCityName } from '../names/cities.ts';
import { namesLargeCity, namesTown } from '../names/city_names.ts';
import { isBrand, isCommonWord, isPersonName } from '../names/common_words.ts';
import { foldName } from '../names/fold.ts';
import { isKnownPlace } from '../names/known_places.ts';
import { compactCode, isShortDivisionCode } from '../names/names.ts';
import type { NameIndex } from '../read_model/name_index.ts';
import type { Names } from '../read_model/names.ts';
import {
  applyReading,
  byCost,
  type Candidate,
  locate,
  PREFIX_STEP,
  type ResolvedReading,
  STEP_ROWS,
  type Within,
} from './candidates.ts';
import { citiesWithin } from './cities_inside.ts';
import { around, countyOfCity } from './city_and_county.ts';
import { citiesWithTypo, placedCitiesWithTypo } from './city_typos.ts';
import { clippedCities } from './clipped.ts';
import {
  COMMA,
  isAbout,
  isBehindComma,
  isElsewhere,
  isNamedElsewhere,
  isOfKind,
  isTypeWord,
  isWhole,
  likeliestPlaced,
} from './conditions.ts';
import { CORRECTED_STEP, correctionsOf, searchLikelyTypos, searchTypos, withLetterLost } from './corrections.ts';
import { withoutFlags } from './flags.ts';
import type { Hit, Search, SearchedBoundaries, SearchOnce } from './hit.ts';
import { hitsOf } from './hits.ts';
import { type Lookups, lookupsInDatabase, lookupsInMemory, withTypoBudget } from './lookups.ts';
import { searchMiscoded } from './miscoded.ts';
import { searchNear } from './near.ts';
import { isMarkup, isNoise, type Rewrite } from './noise.ts';
import { asTyped, isMeantBy, otherFormsOf } from './other_forms.ts';
import { behindHyphen, besideTypos, foreignTyposLast, isPhrase, largerParts, meantByPart } from './parts.ts';
import { exactKeys, idsOfCode } from './query_codes.ts';
import { readingsOf } from './readings.ts';
import { CITY_STEP, citiesBeside, isTypo, ofCityWord, ofItsCity, searchCities } from './search_cities.ts';
import { ABOUT_CODE, searchReadings } from './search_readings.ts';
import { placesCalled, soundingLike, withArticle } from './sounds_like.ts';
import { ofTwoNames } from './two_names.ts';
import { searchUnfinished } from './unfinished.ts';

export { type NamedBoundary, type NameRow, nameRows } from '../names/names.ts';

/** Number of matches that makes a search for misspellings unnecessary. */
const ENOUGH = 5;

/** Readings that are searched with misspellings. */
const FUZZY_READINGS = 4;

/** Letters of the lookups by likeness in all forms and readings of a query, each of which compares thousands of names. */
const TYPO_LETTERS = 64;

/** Readings that are searched by prefix. */
const BEGUN_READINGS = 6;

/** Letters from which a query, of many readings, gives other calls a turn between the stages of its search. */
const LONG = 80;

/** Letters and digits from which a code is completed that is not being typed. */
const COMPLETED_FROM = 3;

/**
 * Searches boundaries by name, best first. A query is read in several ways (readings.ts): literally, with words
 * written out or abbreviated, as a name with a type word ("Roosevelt County", "provincia de Sevilla"), and as a name
 * within another place ("Chaves, New Mexico"). All readings are looked up. Matches come in this order: the whole name
 * in any language; a name without its type word, or a former name; codes and ids; the start of a name; later words of a
 * name; misspellings. A match of another reading comes right after the same match of the literal one. Misspellings are
 * searched only if no boundary has the name and the query is not the name of a large city or other place elsewhere. rank()
 * (ranking.ts) sorts and has the weights. Every result lies in the place that its interpretation names.
 */
export async function searchBoundaries(
  services: { readonly db: Database; readonly boundaries: SearchedBoundaries; readonly names?: NameIndex },
  search: Search,
): Promise<Hit[]> {
  const { names } = services;
  const flagged = withoutFlags(search.q);
  const asked = flagged === null ? search : rewritten(search, flagged);
  if (asked === null || foldName(asked.q) === '') return [];
  if (!names) return searchIn(services, null, asked, foldName(asked.q));
  const revision = services.boundaries.revision ?? (await names.present());
  return names.use(revision, (memory) => searchIn(services, memory, asked, foldName(asked.q)));
}

/** A search with another query; null if that is for a country that the search excludes. */
function rewritten(search: Search, { q, country }: Rewrite): Search | null {
  if (country === undefined) return { ...search, q };
  if (search.country && !search.country.includes(country)) return null;
  return { ...search, q, country: [country] };
}

/** Implements searchBoundaries() on the names in memory or, if null, on the database. */
async function searchIn(
  services: { readonly db: Database; readonly boundaries: SearchedBoundaries },
  memory: Names | null,
  search: SearchOnce,
  folded: string,
): Promise<Hit[]> {
  const { db } = services;
  const { country = null, kind = null, adminLevel = null } = search;
  const filters = { country, kind, adminLevel };
  const hasDigit = /\p{Nd}/u.test(folded);
  const markup = isMarkup(search.q);
  const { id, code } = exactKeys(search.q, folded, markup);
  const coded = await idsOfCode(db, search.q);
  const { typos = { letters: TYPO_LETTERS } } = search;
  const lookups = withTypoBudget(
    memory ? lookupsInMemory(memory, filters) : lookupsInDatabase(db, services.boundaries, filters),
    typos,
  );
  const allReadings = search.prefix ? [] : readingsOf(search.q);
  const read = search.prefix ? null : searchReadings(lookups, search.q, false, allReadings);
  const names = (name: string, within: Within) =>
    lookups.names({
      name,
      code: within ? compactCode(name) : code,
      id: within ? null : (id ?? coded[0] ?? null),
      completesCodes: hasDigit && (search.prefix === true || code.length >= COMPLETED_FROM),
      within,
      most: STEP_ROWS,
    });
  const [named, understood] = await Promise.all([names(folded, null), read]);
  const isDivision = isShortDivisionCode(search.q);
  const literal = isDivision ? named.filter((one) => one.kind !== 'country' || one.name_type !== 'code') : named;
  // If the query completes nothing, its last word may be an unfinished container or type word: "Chaves County, New Me".
  const readings = search.prefix && literal.length === 0 ? await searchReadings(lookups, search.q, true) : understood;
  const others = coded.slice(1).map((one) => lookups.names({ ...BY_ID_ALONE, name: folded, code, id: one }));
  const ofCode = await Promise.all(others);
  const short = search.prefix ? [] : await placesCalled(lookups, search.q);
  // "DE-BY" is Bavaria, and no place called By in Germany.
  const isCoded = DIVISION_CODE.test(search.q) && literal.some(({ name_type }) => name_type === 'code');
  let found: Candidate[] = [...ofCode.flat(), ...short, ...literal, ...(isCoded ? [] : (readings?.found ?? []))];
  if (search.near && literal.length >= STEP_ROWS) {
    found = [...found, ...(await searchNear(db, folded, search.near, [country, kind, adminLevel]))];
  }
  // A level or a kind that the city does not have asks for another place.
  const isLargeCity = isCityName(folded) || (kind === null && adminLevel === null && namesLargeCity(folded));
  // A word for a kind ("state") is not a typo in a name and begins none; a shorter one may be: "pais".
  const isKind = folded.length >= KIND_WORD_FROM && !folded.includes(' ') && isTypeWord(folded);
  const isKnown = !search.prefix && (isKind || isKnownPlace(folded));
  // With a kind or a level beside it, a common word is looked up as any other.
  const isAlone = kind === null && adminLevel === null;
  const isCommon = !search.prefix && isAlone && isCommonWord(folded);
  const word = isCommon || isPhrase(folded) ? 'common' : isPersonName(folded) || isBrand(folded) ? 'person' : null;
  const likeTypo = async (known: boolean): Promise<Candidate[]> => {
    const similar = isAlone
      ? await searchLikelyTypos(lookups, folded, { known, word })
      : await searchTypos(lookups, folded, known, null);
    return foreignTyposLast(lookups, similar, folded);
  };
  const isFound = (): boolean => found.some(({ step, partial }) => step < PREFIX_STEP && partial !== true);
  const isName = ({ step, name_type }: Candidate): boolean => step < PREFIX_STEP && name_type !== 'code';
  const isCalled = literal.some((row) => isName(row) && row.step < CITY_STEP);
  // A city that other languages call like a county follows the county: "Florence". So does a town of two names: "Biel".
  if (!search.prefix && isCalled && isAlone && (namesLargeCity(folded) || namesTown(folded)))
    found.push(...(await citiesBeside(lookups, folded)));
  if (!search.prefix && !markup && !isCalled) {
    const cities = await searchCities(lookups, search.q, folded, {
      found,
      // "la county california" is not a name of California.
      readings: found.some((one) => isName(one) && !one.partial) ? null : readings,
    });
    // What only begins like the name of a city is another place.
    if (cities.length > 0)
      found = [...found.filter(({ step }) => step < PREFIX_STEP), ...cities, ...largerParts(found, cities)];
    // "Sevila" is a name of the city in another language, and a typo: other places called Sevilla follow.
    if (!isKnown && (await isTypo(lookups, cities, folded))) found.push(...(await likeTypo(true)));
  }
  const within =
    search.prefix || markup || !isAlone ? [] : await citiesWithin(lookups, folded, { q: search.q, found, readings });
  if (!search.prefix && found.length > 0 && found.length < ENOUGH && readings && readings.placed.length === 0)
    found.push(...(await behindHyphen(lookups, readings.stripped)));
  // "Kansas City" is in no Kansas.
  if (within.some(({ partial }) => !partial)) found = found.filter(({ partial }) => !partial);
  found = [...found, ...within];
  if (isLargeCity && !search.prefix && !literal.some(isName)) found = await ofCityWord(lookups, found, folded);
  const isLong = folded.length >= LONG;
  if (isLong) await nextTurn();
  if (!search.prefix && !isFound()) {
    // "Adeje, Tenerife" is the town on the island, and not the province behind a town in it.
    const isPlaced = found.some(
      ({ step, partial, interpretation }) => partial && step < CITY_STEP + 1 && interpretation?.within,
    );
    const hits = await searchRewrites(services, memory, lookups, { ...search, typos }, isPlaced);
    // A typo in the whole query is likelier than one in a part of it: "Jerez dela Frontera".
    const isGuess = hits.every(({ match }) => match === 'fuzzy') && folded.includes(' ') && !isKnown;
    if (hits.length > 0 && !(isGuess && (await likeTypo(false)).some(({ step }) => step < CORRECTED_STEP))) return hits;
    // What only begins like the name of a large city, or like an article, is another place.
    if (markup || isNoise(folded)) return [];
    if (isElsewhere(folded)) return [];
    if (isLargeCity) found = await ofItsCity(lookups, found, folded);
    // "Bretagne" or "state" is not a typo in another name, nor the beginning of one: at most a whole word of one.
    if (isKnown) found = found.filter(({ whole }) => whole);
    if (isAlone) found = await meantByPart(lookups, found, folded, isCommon);
    if (isAlone && !isKnown) found.push(...(await clippedCities(lookups, search.q, readings)));
    if (isAlone && word === null && !isKnown)
      found.push(...(await withArticle(lookups, folded)), ...(await soundingLike(lookups, folded)));
  }
  if (readings && (search.prefix || !isLargeCity) && !found.some(({ step }) => step < PREFIX_STEP)) {
    // Prefix search in the named place and, while typing, also for the name before a type word.
    const all = byCost([...readings.placed, ...readings.stripped]).slice(0, BEGUN_READINGS);
    const kinded = readings.placed.find(({ kinds }) => kinds.length > 0);
    for (const reading of search.prefix
      ? all
      : new Set([likeliestPlaced(readings), kinded].flatMap((one) => one ?? []))) {
      // "Département du Gers": a word for a kind begins no name.
      if (!search.prefix && (isTypeWord(reading.name) || reading.name.length < 2)) continue;
      // Nor is what is only begun in a place that is not stored: "come stai" is not Staiti, and not in Como ("Côme").
      if (!search.prefix && !COMMA.test(search.q) && reading.within.some(isAbout)) continue;
      const rows = await names(reading.name, reading.within[0] ?? null);
      // "Dade County, Florida": what follows a hyphen, where no name begins so.
      const begun = rows.filter(({ step }) => step < PREFIX_STEP + 1);
      const later =
        search.prefix || reading !== kinded ? [] : rows.filter(({ step, whole }) => step < PREFIX_STEP + 2 && whole);
      const started = applyReading(await locate(lookups, begun.length > 0 ? begun : later, reading), reading);
      found = [...found, ...started];
      if (started.length > 0) break;
    }
    const isBegun = !folded.includes(' ') && !found.some(({ whole }) => whole);
    // A corrected query has a place behind its name, so it is not one name.
    const isSingle = !search.corrected || readings.placed.length === 0;
    const { placed: inside, stripped } = readings;
    const isFew = isBegun || found.length < Math.min(search.limit, ENOUGH);
    const canBeTypo = !search.prefix && !isKnown && isSingle && isFew;
    // With a place behind a comma, a typo is looked for in the name before it is in all words.
    const isPlaced = COMMA.test(search.q) && inside.length > 0;
    if (canBeTypo && !isPlaced) found = besideTypos(found, await likeTypo(found.length > 0));
    // Search misspellings of names without a word for their kind first, and of what was typed before its other spellings.
    const order = ({ kinds, within, respelled }: ResolvedReading): number =>
      (kinds.length > 0 && within.length > 0 ? 0 : 2) + Number(respelled);
    const typed = [...inside, ...stripped].sort((a, b) => order(a) - order(b));
    for (const reading of typed.slice(0, search.prefix ? 0 : FUZZY_READINGS)) {
      if (found.length > 0) break;
      if (isKnown || isCommon || isNamedElsewhere(reading) || isTypeWord(reading.name)) continue;
      // "state of mind" is not Minnesota.
      if (reading.kinds.length > 0 && reading.within.length === 0 && isCommonWord(reading.name)) continue;
      if ((await lookups.containers([reading.name])).length > 0) continue;
      // "me" may be Messina, but no more so beside a typo in a name.
      if (reading.within.some((places) => places.every(({ about }) => about?.cost === ABOUT_CODE))) continue;
      const similar = await searchTypos(lookups, reading.name, false, reading.within[0] ?? null);
      const short = await withLetterLost(lookups, reading);
      const rows = [...similar, ...short, ...(await soundingLike(lookups, reading.name))];
      // A typo in the name and a wrong word for the kind are two guesses: "Luhanska oblast" is not Ghana. So are a typo and
      // a place that is not used, unless that is a division behind a comma: "Esatdo de Chiapas" is not Veracruz.
      found = applyReading(await locate(lookups, rows, reading), reading).filter(
        ({ kind, interpretation }) =>
          isOfKind(kind, reading) && (!interpretation?.ignored || isBehindComma(search.q, interpretation.ignored)),
      );
    }
    if (!search.prefix && isAlone && found.every(({ step }) => step >= PREFIX_STEP))
      found = [...(await placedCitiesWithTypo(lookups, byCost(inside))), ...found];
    if (canBeTypo && isPlaced && found.length === 0) found = await likeTypo(false);
  }
  if (isLong) await nextTurn();
  if (found.length === 0 && !search.prefix) found = await ofTwoNames(lookups, folded);
  if (found.length === 0 && !search.prefix) found = await searchMiscoded(lookups, search.q, allReadings);
  if (found.length === 0 && !search.prefix && !search.corrected)
    found = [
      ...(await searchUnfinished(lookups, search.q, allReadings)),
      ...(isAlone && !isKnown ? await citiesWithTypo(lookups, folded) : []),
    ];
  const isOther = isLargeCity || isKnown || isCommon;
  if (found.length === 0 && !search.prefix && !search.corrected && !isOther) {
    for (const corrected of await correctionsOf(lookups, search.q)) {
      // A common word has no typo, but before a comma: "state of mind" is not Minnesota, "Hancock County, Mane" in Maine.
      const kept = new Set(foldName(corrected).split(' '));
      if (!COMMA.test(search.q) && folded.split(' ').every((one) => kept.has(one) || isCommonWord(one))) continue;
      const again = { ...search, q: corrected, corrected: true, typos };
      const all = await searchIn(services, memory, again, foldName(corrected));
      // A part of a name and a corrected place that is not used are two guesses: "tủ lạnh" is not in Lạng Sơn.
      const hits = all.filter(({ match, interpretation }) => isWhole(match) || interpretation.ignored === null);
      if (hits.length > 0) return hits.map((hit) => ({ ...hit, match: 'fuzzy' }));
    }
  }
  return hitsOf(services.boundaries, lookups, found, { search, folded });
}

/** A code of ISO 3166-2. */
const DIVISION_CODE = /^\s*[A-Z]{2}-[A-Z0-9]{1,3}\s*$/;

/** Letters from which a word for a kind alone means no name that is only similar. */
const KIND_WORD_FROM = 5;

/**
 * What other forms of a query find, the first that finds a name or else a typo: without words for maps, with a code alone.
 * @param isPlaced whether a place is found in a region that is named behind it
 */
async function searchRewrites(
  services: { readonly db: Database; readonly boundaries: SearchedBoundaries },
  memory: Names | null,
  lookups: Lookups,
  search: SearchOnce,
  isPlaced: boolean,
): Promise<Hit[]> {
  // Another form is corrected itself: "dove hai messo le chiavi" is not Chiayi.
  if (search.rewritten || search.corrected) return [];
  let guessed: Hit[] = [];
  for (const rewrite of [...otherFormsOf(search.q), ...(isPlaced ? [] : countyOfCity(search.q))]) {
    const asked = rewritten(search, rewrite);
    const folded = asked === null ? '' : foldName(asked.q);
    if (asked === null || folded === '') continue;
    const { city } = rewrite;
    // Names that are similar to what only a whole name may be are not looked up: those to the whole query come after.
    const likeness = rewrite.exactly ? { typos: { letters: 0 }, corrected: true } : { typos: search.typos };
    const all = await searchIn(services, memory, { ...asked, rewritten: true, ...likeness }, folded);
    const whole = all.filter((hit) => isMeantBy(hit, rewrite));
    const found = city === undefined ? whole : await around(lookups, city, whole);
    if (found.length === 0) continue;
    const hits = found.map((hit) => asTyped(hit, rewrite));
    // A whole name in a later form is likelier than a typo in an earlier one.
    if (hits.some(({ match }) => match !== 'fuzzy')) return hits;
    if (guessed.length === 0) guessed = hits;
  }
  return guessed;
}

/** A lookup for one id. */
const BY_ID_ALONE = { completesCodes: false, within: null, most: STEP_ROWS } as const;
