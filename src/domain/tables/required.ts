import type { Kind } from '../../core/schemas.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import { isIndependentCity } from '../names/type_kinds.ts';

const COUNTRY_LEVEL = 2;

/** A place around a row: any of these boundaries. Empty: no stored place has the name. */
export type Around = readonly PlaceAround[];

/** One of them. */
export interface PlaceAround {
  readonly id: string;
  /** Of a country. */
  readonly country: string | null;
  /** It is the country of a division that is not stored. */
  readonly about?: unknown;
}

/** What a row requires of its boundary. */
export interface Required {
  readonly around: readonly Around[];
  readonly adminLevel: number | null;
  readonly kinds: readonly Kind[];
  /** Whether a city that is in no county counts as a county: to the word of a row, not to a filter of the call. */
  readonly countsCities?: boolean;
  /** What the row names around it that is not stored. */
  readonly unknown: readonly string[];
}

/** Whether a boundary is what a row requires. */
export function fits(boundary: Boundary, { around, adminLevel, kinds, countsCities = false }: Required): boolean {
  if (adminLevel !== null && boundary.admin_level !== adminLevel) return false;
  const isCounted = countsCities && kinds.includes('county') && isIndependentCity(boundary);
  if (kinds.length > 0 && !kinds.includes(boundary.kind) && !isCounted) return false;
  return around.every(
    (places) =>
      places.length === 0 ||
      places.some(
        ({ id, country, about }) =>
          boundary.id === id ||
          (country !== null && boundary.countries.includes(country) && (about === undefined || !isDivided(boundary))) ||
          (about === undefined && boundary.parents.some((parent) => parent.id === id)),
      ),
  );
}

/** Whether something between a boundary and its country is stored: another division than one that is not. */
const isDivided = ({ parents }: Boundary): boolean =>
  parents.some(({ admin_level: level }) => level !== null && level > COUNTRY_LEVEL);
