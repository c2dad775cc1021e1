import type { ResolvedBoundary } from '../boundaries/boundary.ts';
import { capitalsOf } from '../names/cities.ts';
import { citiesNamed } from '../names/city_names.ts';
import { foldName } from '../names/fold.ts';
import { cityBoundaries } from '../search/city_lookups.ts';
import { LOOKED_AT, lookupsOf, type NameServices } from './names.ts';

/** Population, in thousands, from which a city is meant by its name among counties of that name. */
const LARGE_CITY = 100;

/** How many times as large as the next city of its name it has to be. */
const LARGER = 5;

/**
 * The county of the name that the one large city of the name is in ("Dallas": in Texas), by the table of cities; null if
 * there is no such city, or another one of comparable size.
 */
export async function countyOfCity(services: NameServices, name: string): Promise<ResolvedBoundary | null> {
  const folded = foldName(name);
  const [first, second] = citiesNamed(folded).filter(({ country, codes }) => country === 'US' && codes.length > 0);
  if (!first || first.people < LARGE_CITY || (second && second.people * LARGER > first.people)) return null;
  const [home] = await cityBoundaries(lookupsOf(services, null), folded, 'US');
  const [found] = home ? await services.boundaries.byIds([home.row.id]) : [];
  return found?.has_geometry && foldName(found.name) === folded ? found : null;
}

/**
 * Returns the municipality that is the capital of a country or first-level division, by the table of cities. Null if
 * the table has none or several, or no boundary of that name is stored.
 */
export async function capitalIn(services: NameServices, of: ResolvedBoundary): Promise<ResolvedBoundary | null> {
  const { country, kind } = of.boundary;
  if (country === null) return null;
  const rows = capitalsOf(country, kind === 'country' ? 2 : 1);
  const names = [...new Set(rows.map(({ name }) => name))];
  if (names.length === 0 || (kind === 'country' && names.length > 1)) return null;
  const hits = await lookupsOf(services, [country]).exact(names, [{ id: of.id, country: null }], LOOKED_AT);
  const near = hits.filter(
    ({ folded, kind: own, lat, lon }) =>
      (own === 'municipality' || own === 'city') &&
      rows.some(
        (row) =>
          row.name === folded &&
          lat !== null &&
          lon !== null &&
          Math.abs(row.lat - lat / 1e7) < 0.5 &&
          Math.abs(row.lon - lon / 1e7) < 0.8,
      ),
  );
  const ids = [...new Set(near.map(({ id }) => id))];
  if (ids.length !== 1) return null;
  const [found] = await services.boundaries.byIds(ids);
  return found?.has_geometry ? found : null;
}
