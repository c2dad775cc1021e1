/** Whether what was made of a description can be what was meant. */
import { defined } from '../../common/elements.ts';
import { type Language, type Sentence, said } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { citiesNamed } from '../../domain/names/city_names.ts';
import { namesInUse } from '../../domain/names/exonyms.ts';
import { foldName } from '../../domain/names/fold.ts';
import { countriesWithDivision, hasDivisionEndingWith } from '../../domain/names/place_names.ts';
import { type Executed, sidesOf } from './execute.ts';
import { couldNotMap } from './execution/findings.ts';
import type { Region } from './execution/region.ts';
import type { Planned } from './planner.ts';

/** Share by which the area of a result may exceed that of its parts or, if nothing is cut, miss that of the largest. */
const TOLERANCE = 0.01;

/** Checks that the area of a result, in km2, is plausible for its parts. @throws could_not_map when it is not */
export function checkArea(region: Region, areaKm2: number, language: Language): void {
  const refuse = (reason: Sentence) => {
    throw couldNotMap([{ text: '', from: null, to: null, reason, candidates: [] }], language);
  };
  if (!(areaKm2 > 0)) refuse('The described area is empty.');
  const { include } = sidesOf(region);
  const widens = (one: Region): boolean =>
    one.op === 'buffer' || (one.op === 'union' ? one.of.some(widens) : one.op !== 'set' && widens(one.of));
  const known = include.flatMap(({ area_km2 }) => area_km2 ?? []);
  if (known.length < include.length || widens(region)) return;
  const most = known.reduce((sum, area) => sum + area, 0);
  if (areaKm2 > most * (1 + TOLERANCE)) refuse(said`The result has ${areaKm2} km2, more than its parts (${most}).`);
  if (region.op === 'set' && areaKm2 < Math.max(...known) * (1 - TOLERANCE)) {
    refuse(said`The result has ${areaKm2} km2, less than one of its parts.`);
  }
}

/**
 * Checks places with only a comma between them: when they have different levels, the first may be meant as a place in
 * the second ("Toledo, Ohio", "Cuba, New Mexico"), and so may a state in front of another one ("Nevada, Missouri").
 * @throws could_not_map
 */
export function checkPairs({ plan, pairs }: Planned, { region, found }: Executed, language: Language): void {
  const members = new Map(sidesOf(region).include.map((one) => [one.id, one]));
  for (const [a, b] of pairs) {
    const [one, other] = [defined(found[a]).place, defined(found[b]).place];
    const [first, second] = [members.get(one?.id ?? ''), members.get(other?.id ?? '')];
    if (!one || !other || !first || !second) continue;
    const words = defined(plan.steps[a]).words;
    const isPlaceIn = hasPlaceNamed(second, words?.text ?? '') || hasPartNamed(second, first, words?.text ?? '');
    // "la ciudad de La Línea, Cádiz": a province has the name of the city.
    const isIn =
      plan.steps.length === 3 && first.boundary.parents.some(({ name }) => foldName(name) === foldName(second.name));
    if (first.admin_level === second.admin_level && second.boundary.kind !== 'state' && !isPlaceIn && !isIn) continue;
    throw couldNotMap(
      [
        {
          text: words?.text ?? one.name,
          from: words?.from ?? null,
          to: words?.to ?? null,
          reason: said`"${one.name}, ${other.name}" reads as one place in another, but no ${one.name} in ${other.name} is stored; for both, write "${one.name} and ${other.name}".`,
          candidates: [],
        },
      ],
      language,
    );
  }
}

/** Population, in thousands, of a city that may be meant. */
const LEAST_PEOPLE = 5;

/** Whether a country has a division or a city of a name: "Salvador, Brazil" is not El Salvador. */
function hasPlaceNamed({ boundary: { kind, country } }: ResolvedBoundary, name: string): boolean {
  if (kind !== 'country' || country === null) return false;
  const folded = foldName(name);
  const isCity = citiesNamed(folded).some((city) => city.country === country && city.people >= LEAST_PEOPLE);
  return isCity || countriesWithDivision(folded).includes(country);
}

/** Whether the name of a country, which is not its own, is a part of the name of a division of another: "Macedonia, Greece". */
function hasPartNamed({ boundary }: ResolvedBoundary, named: ResolvedBoundary, name: string): boolean {
  if (boundary.kind !== 'country' || boundary.country === null || named.boundary.kind !== 'country') return false;
  const folded = foldName(name);
  return !namesInUse(named.boundary).includes(folded) && hasDivisionEndingWith(boundary.country, folded);
}
