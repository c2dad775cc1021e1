import type { Step } from '../../domain/areas/algebra.ts';
import { isIn, lookupsOf } from '../../domain/areas/names.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { citiesOf } from '../../domain/names/cities.ts';
import { citiesInside, citiesNamed } from '../../domain/names/city_names.ts';
import { foldName } from '../../domain/names/fold.ts';
import { homeAt } from './city_homes.ts';
import type { PlanRun } from './execution/plan_run.ts';
import { membersOf } from './execution/region.ts';
import { divisionOf, isSmall, isTown } from './found.ts';
import type { Scope } from './scopes.ts';

// Counties with the name of a city that is in another county, where the city may be meant.

/**
 * Population of such a city, in thousands, and with its state in the words; that of one which other counties of its state
 * beside it do not decide against; and how much larger than others it has to be.
 */
const LARGE_CITY = 100;
const CITY_OF_STATE = 20;
const VERY_LARGE = 500;
const LARGER = 2;
/** Cities of a name that are looked at. */
const LOOKED_AT = 8;

const isLargeCity = (name: string): boolean =>
  [...citiesNamed(foldName(name)), ...citiesInside(foldName(name))].some(({ people }) => people >= LARGE_CITY);

/**
 * The county that the large city of a name is in, where a name without a level was found as a county elsewhere: "Austin" is
 * a county of Texas, and the city is in Travis County; so is "Houston, Texas". A county listed with it in the same state
 * decides for the county, unless it is that of a large city, too, or the city is in it, or very large; brackets do, too:
 * "Houston (Texas)". Null without a city.
 */
export async function homeElsewhere(
  run: PlanRun,
  {
    step,
    i,
    scope,
  }: { readonly step: Extract<Step, { op: 'place' }>; readonly i: number; readonly scope: Scope | undefined },
  found: ResolvedBoundary,
  others: readonly ResolvedBoundary[],
): Promise<ResolvedBoundary | null> {
  if (
    found.boundary.kind !== 'county' ||
    found.boundary.country !== 'US' ||
    step.level !== undefined ||
    step.id !== undefined
  )
    return null;
  const isInState = step.within !== undefined;
  if (isInState && run.words(i)?.text.includes('(') !== false) return null;
  const beside = others.filter((one) => isSmall(one) && divisionOf(one) === divisionOf(found));
  const isListed = beside.some(({ name }) => !isLargeCity(name));
  const folded = foldName(step.name ?? '');
  const ofCountry = ({ country }: { readonly country: string }): boolean => country === 'US';
  const named = citiesNamed(folded).filter((one) => ofCountry(one) && one.codes.length === 1);
  const inside = citiesInside(folded).filter(ofCountry);
  const all = [...named, ...inside].sort((a, b) => b.people - a.people).slice(0, LOOKED_AT);
  const least = isInState ? CITY_OF_STATE : LARGE_CITY;
  const coded = await run.reading.lookup(all.map(({ codes }) => `fips:${codes[0]}`));
  const own = all.find((_, k) => coded[k]?.id === found.id)?.people ?? 0;
  const isMeant = (home: ResolvedBoundary | null | undefined, people: number): home is ResolvedBoundary =>
    home != null &&
    home.id !== found.id &&
    people >= Math.max(least, LARGER * own) &&
    (!isListed || people >= VERY_LARGE || others.some(({ id }) => id === home.id)) &&
    (!isInState || divisionOf(home) === divisionOf(found)) &&
    isPart(run, home, scope);
  const byCode = coded.find((home, k) => isMeant(home, all[k]?.people ?? 0));
  if (byCode) return byCode;
  for (const city of citiesOf('US', folded).slice(0, LOOKED_AT)) {
    if (city.people < least) break;
    const home = await homeAt(run, { ...city, country: 'US' }, 'county');
    if (isMeant(home, city.people)) return home;
  }
  return null;
}

/** Whether a place is in what it is taken out of or chosen beside; of another scope nothing is known. */
function isPart(run: PlanRun, one: ResolvedBoundary, scope: Scope | undefined): boolean {
  const region = scope?.kind === 'base' || scope?.kind === 'beside' ? run.regions[scope.of] : undefined;
  return region === undefined || membersOf(region).some((whole) => one.id === whole.id || isIn(one, whole));
}

/** Names looked at that begin with another one. */
const BEGUN = 40;

/**
 * A municipality whose name begins with that of one elsewhere, in the division of the first level where all others of
 * its list are: "Arcos y Ronda" may be Arcos de la Frontera, and not Arcos near Burgos. Null without one.
 */
export async function longerBeside(
  run: PlanRun,
  name: string,
  found: ResolvedBoundary,
  others: readonly ResolvedBoundary[],
): Promise<ResolvedBoundary | null> {
  const [there, ...more] = new Set(others.map(divisionOf));
  if (!isTown(found) || there === undefined || more.length > 0 || there === divisionOf(found)) return null;
  return (await begunWith(run, name)).find((one) => divisionOf(one) === there) ?? null;
}

/**
 * The town of a country whose name begins with that of a much smaller municipality of it, where nothing else says which is
 * meant: "Talavera" is hardly the one of 300 people near Lleida, but Talavera de la Reina. Null without one.
 */
export async function longerTown(
  run: PlanRun,
  name: string,
  found: ResolvedBoundary,
): Promise<ResolvedBoundary | null> {
  if (found.boundary.kind !== 'municipality') return null;
  const { country } = found.boundary;
  const peopleOf = (text: string): number =>
    Math.max(0, ...citiesNamed(foldName(text)).map((one) => (one.country === country ? one.people : 0)));
  const least = Math.max(CITY_OF_STATE, LARGER * peopleOf(found.name));
  const begun = await begunWith(run, name);
  return (
    begun.find((one) => one.boundary.country === country && one.id !== found.id && peopleOf(one.name) >= least) ?? null
  );
}

/** The municipalities whose names begin with a name and go on with another word. */
async function begunWith(run: PlanRun, name: string): Promise<readonly ResolvedBoundary[]> {
  const rows = await lookupsOf(run.services, null).begun(`${foldName(name)} `, BEGUN);
  const begun = await run.reading.lookup([...new Set(rows.map(({ id }) => id))]);
  return begun.filter(
    (one): one is ResolvedBoundary => one?.has_geometry === true && one.boundary.kind === 'municipality',
  );
}
