import { countriesAt } from '../countries.ts';
import { listed } from './codes.ts';
import type { Shape } from './geometry.ts';
import type { Row } from './rows.ts';

/** The most features whose place is compared with the country. */
const MOST_PLACES = 1_000;

/**
 * Checks that features are in their country.
 * @returns a notice if most are elsewhere, else null
 * @throws Error if latitude and longitude are exchanged
 */
export function whereabouts(rows: readonly Row[], country: string): string | null {
  const every = Math.ceil(rows.length / MOST_PLACES);
  const sample = rows.filter((_, i) => i % every === 0);
  const places = sample.map(({ shape, sourceId }) => ({ sourceId, ...middleOf(shape) }));
  const isThere = (lat: number, lon: number) => countriesAt(lat, lon).includes(country);
  const elsewhere = places.filter(({ lat, lon }) => !isThere(lat, lon));
  const turned = elsewhere.filter(({ lat, lon }) => isThere(lon, lat));
  if (2 * turned.length > places.length) {
    const [{ lat, lon }] = turned as [(typeof turned)[0]];
    throw new Error(
      `latitude and longitude are the wrong way round: ${turned.length} of ${places.length} features lie in ` +
        `${country} only when they are exchanged (one at latitude ${lat}, longitude ${lon})`,
    );
  }
  if (2 * elsewhere.length <= places.length) return null;
  return `most features are not in ${country}: ${listed(elsewhere.map((one) => one.sourceId))}`;
}

/** The middle of the box of one of a shape's polygons, in degrees; default: the first. */
export function middleOf({ rings, polygonEnd }: Shape, polygon = 0): { lat: number; lon: number } {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings.slice(polygon === 0 ? 0 : polygonEnd[polygon - 1], polygonEnd[polygon])) {
    for (let i = 0; i < ring.length; i += 2) {
      west = Math.min(west, ring[i]!);
      east = Math.max(east, ring[i]!);
      south = Math.min(south, ring[i + 1]!);
      north = Math.max(north, ring[i + 1]!);
    }
  }
  return { lat: (south + north) / 2e7, lon: (west + east) / 2e7 };
}
