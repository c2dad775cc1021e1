import type { Kind } from '../../core/schemas.ts';
import type { ResolvedBoundary } from '../boundaries/boundary.ts';
import { otherSpellings } from '../names/abbreviations.ts';
import { isCityName } from '../names/cities.ts';
import { countryNameIn, namesInUse } from '../names/exonyms.ts';
import { foldName } from '../names/fold.ts';
import { countriesWithDivision } from '../names/place_names.ts';
import { kindsOfTypeWords } from '../names/type_kinds.ts';
import { cityBoundaries } from '../search/city_lookups.ts';
import { searchTypos } from '../search/corrections.ts';
import type { Hit } from '../search/hit.ts';
import { searchBoundaries } from '../search/search.ts';
import { isOtherwiseSpelled, lettersOf, similarityGrader } from '../search/typos.ts';
import type { Level } from './algebra.ts';
import { begunAlike } from './begun_alike.ts';
import { ambiguous, decide, type Meaning, rivalsOf } from './choice.ts';
import { containerOfLevel, containment, countiesFirst, inInnermost, isWrittenSo } from './hits_meant.ts';
import { isOneReplaced, isOneTypo } from './level_words.ts';
import { isOfLevel } from './levels.ts';
import {
  areNested,
  candidateOf,
  isIn,
  LISTED,
  LOOKED_AT,
  lookupsOf,
  type NamePreferences,
  type NameServices,
} from './names.ts';
import { countriesNearlyCalled } from './nearly_called.ts';
import { isNoName } from './no_names.ts';
import { partsOf } from './parts_typed.ts';
import { ADJECTIVES } from './vocabulary/adjectives.ts';
import { VOCABULARIES } from './vocabulary/languages.ts';

/** Whether a hit leaves out no more of a name than a word for a kind: "Paris France" is not France. */
const usesName = ({ interpretation: { ignored } }: Hit): boolean =>
  ignored === null || kindsOfTypeWords(ignored).length > 0;

/**
 * Returns the boundary that a name means. Only whole names count, of boundaries with a polygon and, if given, of the
 * level. A place that has the name itself beats a country that has it in another language ("Granada"). Among boundaries
 * that contain each other (the canton and the commune of Luxembourg), the one that search ranks first wins. So does one that is much more important than all others. Among boundaries of comparable rank, first
 * `scope` (the area it is subtracted from, or its companions) decides, then `near`; otherwise the name is ambiguous.
 * The caller's country restricts the search.
 */
export async function meaningOf(
  services: NameServices,
  place: { readonly name: string; readonly within?: string; readonly within_level?: Level; readonly level?: Level },
  preferences: NamePreferences,
  scope: ((candidate: ResolvedBoundary) => boolean) | null = null,
): Promise<Meaning> {
  const { name, within, level } = place;
  if (isNoName(name, within === undefined && level === undefined)) return { problem: 'not_found', candidates: [] };
  const q = (within === undefined ? name : `${name}, ${within}`).slice(0, 200);
  const all = await searchBoundaries(services, {
    q,
    country: preferences.country,
    near: preferences.near,
    limit: LOOKED_AT,
  });
  const folded = foldName(name);
  const spelled = [folded, folded.replaceAll(' ', ''), ...otherSpellings(folded)];
  const isWhole = ({ match, interpretation }: Hit) =>
    (match === 'exact' || match === 'alias') &&
    interpretation.ignored === null &&
    (within === undefined ? interpretation.within === null : interpretation.within !== null) &&
    spelled.includes(interpretation.name);
  const isInside = await containment(services, within);
  const inside = all.filter(
    (hit) =>
      hit.kind !== 'postal_code' &&
      isWhole(hit) &&
      isWrittenSo(name, hit) &&
      isInside(hit) &&
      (level === undefined || isOfLevel(hit, level)),
  );
  const isContained = await containerOfLevel(services, place);
  const fitting = inside.filter(isContained);
  if (inside.length > 0 && fitting.length === 0)
    return { problem: 'no_container', candidates: inside.slice(0, LISTED).map(candidateOf) };
  const whole = countiesFirst(inInnermost(fitting), level);
  const shaped = whole.filter((hit) => hit.has_geometry);
  if (shaped.length === 0) {
    const city = level === undefined ? null : await cityOfLevel(services, folded, { within, level });
    if (city) return city;
    const around = level === undefined ? null : await aroundCityOf(services, all.filter(isWhole), place, preferences);
    if (around) return around;
    const misspelled =
      whole.length > 0 ? null : await withTypo(services, all, folded, { within, level }, preferences, scope);
    if (misspelled) return misspelled;
    const bare = name.replace(ELIDED, '');
    const behind =
      bare !== name && within === undefined
        ? await meaningOf(services, { ...place, name: bare }, preferences, scope)
        : null;
    if (behind && 'found' in behind && behind.misspelled) return behind;
    const parts = within === undefined && level === undefined ? partsOf(folded, all) : null;
    const meant = parts && (await meaningOf(services, parts, preferences, scope));
    // "le Pays basque", but not "La Palma", where an article is not a part of the name.
    const isKnown = meant && 'found' in meant && WIDELY_KNOWN.has(meant.found.boundary.kind);
    if (meant && 'found' in meant && (meant.misspelled || isKnown || parts?.level !== undefined)) return meant;
    const alike = whole.length > 0 ? whole : all.filter(usesName);
    const listed =
      alike.length > 0 || level === undefined ? alike : await begunAlike(services, folded, place, isInside);
    const candidates = listed.slice(0, LISTED).map(candidateOf);
    return { problem: whole.length > 0 ? 'no_geometry' : 'not_found', candidates };
  }
  const found = await services.boundaries.byIds(shaped.map(({ id }) => id));
  const alike = found[0] && within === undefined ? await countriesNearlyCalled(services, folded, found[0]) : [];
  const more = alike.filter(({ id }) => !found.some((one) => one.id === id));
  if (alike.length > 0) return ambiguous([...found, ...more]);
  const meaning = decide(found, preferences, scope, { folded, leveled: level !== undefined });
  return (await aroundCity(services, meaning, place, preferences, scope)) ?? meaning;
}

/** An elided article in front of a name with a typo: "l'Argantine". */
const ELIDED = /^l['’](?=\p{L}{5})/iu;

/** Kinds of cities. */
const CITIES: ReadonlySet<Kind> = new Set(['municipality', 'city']);

/**
 * A city by another name of it ("Badajos") means what its own name means: the province of Badajoz, which has the city.
 * Null if that is nothing else, or no place around it.
 */
async function aroundCity(
  services: NameServices,
  meaning: Meaning,
  { name, ...more }: { readonly name: string; readonly within?: string; readonly level?: Level },
  preferences: NamePreferences,
  scope: ((candidate: ResolvedBoundary) => boolean) | null,
): Promise<Meaning | null> {
  if (!('found' in meaning) || !CITIES.has(meaning.found.boundary.kind)) return null;
  const own = meaning.found.name;
  if (foldName(own) === foldName(name)) return null;
  const other = await meaningOf(services, { ...more, name: own }, preferences, scope);
  return 'found' in other && isIn(meaning.found, other.found) ? other : null;
}

/** The boundary of a level that has the own name of a city in it, of another name of which there is none: "the province of Badajos". */
async function aroundCityOf(
  services: NameServices,
  cities: readonly Hit[],
  place: { readonly name: string; readonly within?: string; readonly level?: Level },
  preferences: NamePreferences,
): Promise<Meaning | null> {
  const [name, ...others] = new Set(cities.flatMap((one) => (CITIES.has(one.kind) ? [one.name] : [])));
  if (name === undefined || others.length > 0 || foldName(name) === foldName(place.name)) return null;
  const meaning = await meaningOf(services, { ...place, name }, preferences);
  const isAround =
    'found' in meaning && cities.some(({ parents }) => parents.some(({ id }) => id === meaning.found.id));
  return isAround ? meaning : null;
}

/** The one boundary of a level that is a city of a name in use: "LA County". Null if there is none, or one in a container. */
async function cityOfLevel(
  services: NameServices,
  folded: string,
  { within, level }: { readonly within?: string; readonly level: Level },
): Promise<Meaning | null> {
  const lookups = lookupsOf(services, null);
  const cities = (await cityBoundaries(lookups, folded)).filter(({ boundary }) => isOfLevel(boundary, level));
  const places = within === undefined ? null : await lookups.containers([foldName(within)]);
  const [first, ...others] = cities.filter(
    ({ boundary }) =>
      places === null ||
      places.some(
        ({ id, country }) =>
          boundary.parents.some((one) => one.id === id) || (country !== null && country === boundary.country),
      ),
  );
  if (!first || others.length > 0) return null;
  const [found] = await services.boundaries.byIds([first.row.id]);
  const because = 'a city of that name is in it';
  return found?.has_geometry ? { found, because, ...{ rivals: [], guessed: [], foreign: [] } } : null;
}

/** Words of levels in all languages, folded: "cantons" is not a typo in the name of a village. */
const LEVEL_WORDS: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ levels }) =>
    [...levels.values()].flatMap(({ one, many }) => [...one, ...many].map((phrase) => foldName(phrase.join(' ')))),
  ),
);

/** Prepositions with which no name begins: "in Uruguay" is not a typo. */
const INSIDE: ReadonlySet<string> = new Set(
  VOCABULARIES.flatMap(({ inside }) => inside.flatMap((phrase) => (phrase.length === 1 ? phrase : []))),
);

/** Whether a folded word is an adjective of a place in some language: "asturianas" is not a typo in Asturianos. */
const isAdjective = (folded: string): boolean => Object.values(ADJECTIVES).some((one) => one.has(folded));

/** Kinds of places whose names are read with a typo where no level, container or other place says what is meant. */
const WIDELY_KNOWN: ReadonlySet<Kind> = new Set(['country', 'region', 'state', 'province']);

/** Those that are meant with a typo among much smaller places whose names are as near. */
const FAR_KNOWN: ReadonlySet<Kind> = new Set(['country', 'state']);

/** Letters that a name with one typo has at least, and it or what is meant where no level or container is beside it. */
const [MISSPELLED_FROM, MEANT_FROM] = [5, 6];
/** Letters that a name of a country with another letter has at least. */
const COUNTRY_FROM = 7;

/** A folded text with one letter for each two of the same next to each other. */
const undoubled = (folded: string): string => folded.replaceAll(/(\p{L})\1/gu, '$1');

/**
 * Returns the boundary whose name, in any language, is one typo away from a name. All with such a name have to have the same one,
 * among which the rules for that name decide, or contain each other. Null for words of levels, and names of large cities and divisions elsewhere.
 */
async function withTypo(
  services: NameServices,
  hits: readonly Hit[],
  folded: string,
  { within, level }: { readonly within?: string; readonly level?: Level },
  preferences: NamePreferences,
  scope: ((candidate: ResolvedBoundary) => boolean) | null,
): Promise<Meaning | null> {
  if (folded.length < MISSPELLED_FROM || isCityName(folded) || countriesWithDivision(folded).length > 0) return null;
  const [start = ''] = folded.split(' ');
  if (LEVEL_WORDS.has(folded) || isAdjective(folded) || INSIDE.has(start)) return null;
  const resembles = similarityGrader(folded, 1);
  // "Andalusa" lacks a letter of a name in another language, that of Andalucía. Another letter makes another name more
  // often: Galizien is not Galicien.
  const lookups = lookupsOf(services, null);
  const spelled = await searchTypos(lookups, folded, true, null);
  const likeAnother = new Set(spelled.filter(({ step }) => isOtherwiseSpelled(step)).map(({ id }) => id));
  // "Belgigue": countries have few names in the languages of descriptions, and long ones are far from each other.
  const isReplaced = ({ kind, country }: Pick<Hit, 'kind' | 'country'>): boolean =>
    kind === 'country' &&
    country !== null &&
    folded.length >= COUNTRY_FROM &&
    VOCABULARIES.some(({ language }) => isOneReplaced(folded, foldName(countryNameIn(country, language) ?? '')));
  const near = hits.filter(({ match, name, has_geometry, interpretation, ...hit }) => {
    // "Georgi" begins like Georgia, and is one letter away from it and from George.
    if ((match !== 'fuzzy' && match !== 'prefix') || !has_geometry || interpretation.ignored !== null) return false;
    if ((interpretation.within !== null) !== (within !== undefined)) return false;
    if (level !== undefined && !isOfLevel({ ...hit, name }, level)) return false;
    if (match === 'fuzzy' && (likeAnother.has(hit.id) || isReplaced(hit))) return true;
    return name.split('/').some((part) => {
      if (match === 'prefix') return isOneTypo(folded, foldName(part));
      // "Phillipines": one letter doubled, and another not.
      if (folded.length >= COUNTRY_FROM && undoubled(folded) === undoubled(foldName(part))) return true;
      const letters = lettersOf(foldName(part));
      const step = resembles(letters, letters.length, false);
      return step !== null && step >= 6 && step < 6.2 && foldName(part)[0] === folded[0];
    });
  });
  const found = await services.boundaries.byIds(near.map(({ id }) => id));
  const names = new Set(found.map(({ name }) => foldName(name)));
  const [first, ...others] = found;
  if (!first) return null;
  // "Atlantis" alone does not mean Atlantic County: only names that all know are read with a typo and nothing else.
  const isBare = within === undefined && level === undefined && scope === null;
  if (isBare && !WIDELY_KNOWN.has(first.boundary.kind)) return null;
  // "Koreas" are more than one; "Filippines" have an s.
  const isMany = within === undefined && level === undefined && folded.endsWith('s');
  if (isMany && !namesInUse(first.boundary).some((one) => one.endsWith('s')))
    if ((await lookups.exact([folded.slice(0, -1)], null, 1)).length > 0) return null;
  const letters = Math.max(folded.length, first.name.length);
  if (within === undefined && level === undefined && letters < MEANT_FROM) return null;
  // As if the name had been written without the typo.
  const right =
    names.size === 1
      ? await meaningOf(
          services,
          { name: first.name, ...(within && { within }), ...(level && { level }) },
          preferences,
          scope,
        )
      : null;
  if (right && 'found' in right && names.has(foldName(right.found.name)))
    return { ...right, because: 'its name is one letter away', misspelled: true };
  // "Canda" is Canada, not Cañada in Alicante.
  const isFarKnown = FAR_KNOWN.has(first.boundary.kind) && rivalsOf(found).length === 0;
  const meaning: Meaning =
    names.size === 1 || isFarKnown || others.every((other) => areNested(first, other))
      ? decide(found, preferences, scope, { folded: foldName(first.name), leveled: level !== undefined })
      : ambiguous(found);
  return 'found' in meaning ? { ...meaning, because: 'its name is one letter away', misspelled: true } : meaning;
}
