import { defined, only } from '../../common/elements.ts';
import type { Meaning } from '../../domain/areas/choice.ts';
import { candidateOf, lookupsOf } from '../../domain/areas/names.ts';
import { isArticle, isSide } from '../../domain/areas/no_names.ts';
import { divisionNamed, longerNamed } from '../../domain/areas/other_readings.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { isCityName } from '../../domain/names/cities.ts';
import { citiesNamed } from '../../domain/names/city_names.ts';
import { isOwnName, namesInUse } from '../../domain/names/exonyms.ts';
import { foldName } from '../../domain/names/fold.ts';
import { isIslandName } from '../../domain/names/short_names.ts';
import { isIndependentCity, isTypeWord } from '../../domain/names/type_kinds.ts';
import { cityBoundaries } from '../../domain/search/city_lookups.ts';
import { isKindWord } from '../../domain/search/noise.ts';
import { homeElsewhere, longerBeside, longerTown } from './city_doubts.ts';
import { elsewhere } from './elsewhere.ts';
import {
  ambiguous,
  type Doubt,
  type Examined,
  foundOf,
  isElsewhere,
  isNarrowed,
  isReadAs,
  kindOfAll,
  type Listed,
} from './examined.ts';
import { certain, divisionOf, type Found, isSmall, isTown, kindOf } from './found.ts';
import type { Names } from './in_context.ts';
import { countryOfPart, isOneName } from './pairs_abroad.ts';
import { sayNotStored, sayOtherCodes, sayOtherName, sayTown } from './said_beside.ts';
import { stateOrCounty } from './state_or_county.ts';

/** In their order: the first that decides holds. */
const DOUBTS: readonly Doubt[] = [
  stateOrItsCounty,
  cityAndCounty,
  capitalAbroad,
  otherThanTheLast,
  partOfCountry,
  divisionWithArticle,
  likelyElsewhere,
  partOfOtherNames,
  oneNameOfTwo,
  islandOfProvince,
  sayOtherCodes,
  namesakeOfCountry,
  rivalOfTheirKind,
  sayTown,
  cityBeside,
  cityHome,
  longerOfList,
  longerAlone,
  sayOtherName,
];

/**
 * A meaning, or why it is in doubt: the places that it is listed with are of another kind, and one of their kind has a
 * name that ends so ("Jersey, New York and Connecticut"), or a country has the name in another language.
 */
export async function doubt(names: Names, { step, i, scope }: Listed, meaning: Found): Promise<Meaning> {
  const place: Examined = {
    names,
    run: names.run,
    step,
    i,
    scope,
    meaning,
    found: meaning.found,
    name: step.name ?? '',
    isBare: step.level === undefined && step.within === undefined,
    others: scope?.kind === 'list' ? foundOf(names, scope.others) : [],
  };
  for (const rule of DOUBTS) {
    const decided = await rule(place);
    if (decided) return decided;
  }
  return meaning;
}

/** "Idaho and Lemhi": a state beside its counties, of which one has its name. */
async function stateOrItsCounty(place: Examined): Promise<Meaning | null> {
  const { names, i, found, others, isBare, scope } = place;
  if (!isBare || scope?.kind !== 'list') return null;
  const next = scope.next ? names.foundAt(scope.next.i)?.found : undefined;
  return ambiguous(await stateOrCounty(names, i, found, others, next), place);
}

/** "The city and county of Baltimore": the city of the name and state of a county, too. */
async function cityAndCounty(place: Examined): Promise<Meaning | null> {
  return place.step.level === 'county' ? ambiguous(await cityOfBoth(place), place) : null;
}

/** "Tunis" and "Brasilia": a large city abroad, and a country only in a language that is not read. */
function capitalAbroad(place: Examined): Meaning | null {
  return isCapitalAbroad(place.name, place.found) ? isElsewhere(place) : null;
}

/** "Ada and Lane County, Oregon": the one Ada is in Idaho. */
function otherThanTheLast({ names, scope, isBare, found }: Examined): Meaning | null {
  const end = scope?.kind === 'list' && scope.next ? names.foundAt(scope.next.i)?.found : undefined;
  if (!isBare || !end || kindOf(end) !== kindOf(found) || !isSmall(found)) return null;
  if (divisionOf(end) === divisionOf(found)) return null;
  return { problem: 'not_found', candidates: [candidateOf(found.boundary)] };
}

/** "Antigua": a town, and the first of the two names of a country. */
async function partOfCountry({ run, name, isBare, scope, found }: Examined): Promise<Meaning | null> {
  const code = isBare && scope === undefined && isTown(found) ? countryOfPart(foldName(name)) : undefined;
  if (code === undefined || code === found.boundary.country || isNarrowed(run)) return null;
  return ambiguous(only(await run.reading.lookup([`iso:${code}`])), { found });
}

/** "Rioja": a town, and a division of its country without the article of its name. */
async function divisionWithArticle({ run, name, isBare, found, others }: Examined): Promise<Meaning | null> {
  const isBeside = ({ boundary }: ResolvedBoundary): boolean =>
    boundary.parents.length > 1 && boundary.parents.at(-1)?.id === found.boundary.parents.at(-1)?.id;
  const isOpen = isBare && isTown(found) && !others.some(isBeside);
  const division = isOpen ? await divisionNamed(run.services, name, found) : null;
  const article = division ? foldName(division.name).slice(0, -foldName(name).length - 1) : '';
  return isArticle(article) && division?.boundary.country === found.boundary.country
    ? ambiguous(division, { found })
    : null;
}

/** A name alone of which a place that is not stored is meant, or may be: that is said. */
function likelyElsewhere(place: Examined): Meaning | null {
  const { run, isBare, scope, others, name, found } = place;
  if (!isBare || isNarrowed(run) || (scope !== undefined && scope.kind !== 'list')) return null;
  if (others.some((one) => one.boundary.country === found.boundary.country && isSmall(one))) return null;
  const other = elsewhere(name, found, others.length > 0);
  if (other === 'likely') return isElsewhere(place);
  return other === 'possible' ? sayNotStored(place) : null;
}

/** "Heard and McDonald": the two parts of one name. */
function oneNameOfTwo(place: Examined): Meaning | null {
  const { names, i, found, isBare, scope } = place;
  return isBare && scope?.kind === 'list' && isOneName(names, i, found, scope.others) ? isElsewhere(place) : null;
}

/** "Tenerife": one of the islands of a province, of which none is stored. */
function islandOfProvince(place: Examined): Meaning | null {
  const folded = foldName(place.name);
  const isIsland = place.isBare && !isOwnName(folded, place.found.name) && isIslandName(folded);
  return isIsland && place.found.boundary.kind !== 'county' ? isElsewhere(place) : null;
}

/** "San Bartolomé": Saint-Barthélemy in Spanish, and the own name of a town. */
async function namesakeOfCountry(place: Examined): Promise<Meaning | null> {
  const namesake = place.isBare ? await namesakeOf(place) : null;
  if (namesake && !isReadAs(place.name, place.found)) return { ...certain(namesake), guessed: [place.found] };
  return ambiguous(namesake, place);
}

/** The place whose own name is that of a country in another language alone, where no countries are beside it. Null without one. */
async function namesakeOf({ run, name, meaning, others }: Examined): Promise<ResolvedBoundary | null> {
  const { found, rivals } = meaning;
  const folded = foldName(name);
  if (found.boundary.kind !== 'country' || name.length <= CODE || namesInUse(found.boundary).includes(folded))
    return null;
  if (others.some(({ boundary }) => boundary.kind === 'country')) return null;
  const own = rivals.find((one) => one.kind !== 'country' && isOwnName(folded, one.name));
  return own ? only(await run.reading.lookup([own.id])) : null;
}

/** Letters of a code at most. */
const CODE = 3;

/** "La Palma", "the Hudson": names of which a stored one is a part. */
async function partOfOtherNames(place: Examined): Promise<Meaning | null> {
  return place.isBare && (await isPartOfNames(place)) ? isElsewhere(place) : null;
}

/**
 * Whether the words of a name, with an article that the place has not, are a part of the names of other places: "La Palma" is
 * not Palma, but an island with Santa Cruz de la Palma. So is a word for a kind behind an article: "the Republic". "The Hudson"
 * is a river, and no county: no language writes an article before a town that has none.
 */
async function isPartOfNames({ run, i, name, found }: Examined): Promise<boolean> {
  const words = foldName(run.words(i)?.text ?? '');
  const folded = foldName(name);
  if (words === folded || !words.endsWith(` ${folded}`)) return false;
  if (!folded.includes(' ') && (isTypeWord(folded) || isKindWord(folded))) return true;
  if (!isTown(found)) return false;
  if (isArticle(words.slice(0, -folded.length - 1))) return citiesNamed(words).length === 0;
  return found.boundary.kind === 'municipality' && (await lookupsOf(run.services, null).begun(words, 1)).length > 0;
}

/** The independent city of a name and state where a city and county is asked for: Baltimore is one of each. Null without one. */
async function cityOfBoth({ names, step, i, found: county }: Examined): Promise<ResolvedBoundary | null> {
  if (!foldName(names.run.words(i)?.text ?? '').includes('city and county')) return null;
  const isCity = (one: ResolvedBoundary): boolean =>
    isIndependentCity(one.boundary) && divisionOf(one) === divisionOf(county);
  const meaning = await names.mean({ op: 'place', name: step.name, within: step.within }, isCity);
  return meaning && 'found' in meaning && isCity(meaning.found) ? meaning.found : null;
}

/** A place of the kind of the others of its list that has the name, or a longer one. */
async function rivalOfTheirKind(place: Examined): Promise<Meaning | null> {
  const rival = await rivalOf(place);
  return (
    rival && { problem: 'ambiguous', candidates: [place.found, rival].map(({ boundary }) => candidateOf(boundary)) }
  );
}

async function rivalOf({
  names,
  run,
  step,
  scope,
  meaning,
  name,
  isBare,
  others,
}: Examined): Promise<ResolvedBoundary | null> {
  const { found, foreign } = meaning;
  const first = kindOfAll(others);
  const isAmong = others.some(({ boundary }) => boundary.country === found.boundary.country);
  if (foreign.length > 0 && !isAmong && first?.boundary.kind === 'country') return defined(foreign[0]);
  if (first && first.boundary.kind !== 'country' && kindOf(first) !== kindOf(found) && !isAmong) {
    const theirs = { country: first.boundary.country ?? '', level: first.admin_level };
    return (await longerNamed(run.services, name, found, theirs)) ?? (isBare ? withSide(names, step, first) : null);
  }
  if (found.boundary.kind === 'country' && foldName(name) !== foldName(found.name) && scope?.kind !== 'base')
    return longerNamed(run.services, name, found, 'country');
  // "Carolina" is a town, and the end of two states; Ávila is a province, whatever Ciego de Ávila is.
  const isFree = isBare && !isAmong && scope?.kind !== 'base' && scope?.kind !== 'inside';
  return isFree && isTown(found) ? divisionNamed(run.services, name, found) : null;
}

/**
 * The place of the kind of the others of a list, of whose part a name with a direction may be: South Georgia is an island, and
 * beside Florida a part of a state. Null without one.
 */
async function withSide(names: Names, step: Listed['step'], other: ResolvedBoundary): Promise<ResolvedBoundary | null> {
  const [side = '', ...rest] = (step.name ?? '').split(' ');
  if (!isSide(foldName(side)) || rest.length === 0) return null;
  const meaning = await names.mean({ op: 'place', name: rest.join(' ') }, (one) => kindOf(one) === kindOf(other));
  return meaning && 'found' in meaning && kindOf(meaning.found) === kindOf(other) ? meaning.found : null;
}

/** Whether a name is that of a large city, and of a country only in a language that is not read: "Tunis", "Brasilia". */
function isCapitalAbroad(name: string, { boundary }: ResolvedBoundary): boolean {
  const folded = foldName(name);
  if (boundary.kind !== 'country' || boundary.country === null || !isCityName(folded)) return false;
  return !namesInUse(boundary).includes(folded) && !isReadAs(name, { boundary });
}

/**
 * The city of a name in the country of the places that a country of that name is listed with: "Grenade, Malaga and
 * Almeria" are three cities of Spain.
 */
async function cityBeside({ run, name, found, others }: Examined): Promise<Meaning | null> {
  const [country = null, ...more] = new Set(others.map(({ boundary }) => boundary.country));
  if (found.boundary.kind !== 'country' || country === null || country === found.boundary.country) return null;
  if (more.length > 0 || others.some(({ boundary }) => boundary.kind === 'country')) return null;
  const [city] = await cityBoundaries(lookupsOf(run.services, [country]), foldName(name), country);
  if (city === undefined) return null;
  const { name: own, parents } = city.boundary;
  // Beside provinces, the province of its name.
  const same = parents.find((one) => one.kind === others[0]?.boundary.kind && foldName(one.name) === foldName(own));
  return ambiguous(only(await run.reading.lookup([same?.id ?? city.row.id])), { found });
}

/** The county of a large city of a name, unless what it is taken out of, or a level, says what is meant. */
async function cityHome({ names, run, step, i, scope, found, others }: Examined): Promise<Meaning | null> {
  if (scope?.kind === 'level') return null;
  const excluded = scope?.kind === 'base' ? foundOf(names, scope.others ?? []) : [];
  return ambiguous(await homeElsewhere(run, { step, i, scope }, found, [...others, ...excluded]), { found });
}

/** "Arcos y Ronda": the town whose name goes on, where the others of the list are. */
async function longerOfList({ run, name, isBare, found, others }: Examined): Promise<Meaning | null> {
  return isBare ? ambiguous(await longerBeside(run, name, found, others), { found }) : null;
}

/** "Talavera": the larger town whose name goes on. */
async function longerAlone({ run, name, isBare, scope, found }: Examined): Promise<Meaning | null> {
  const isAlone = isBare && scope === undefined && !isNarrowed(run);
  return isAlone ? ambiguous(await longerTown(run, name, found), { found }) : null;
}
