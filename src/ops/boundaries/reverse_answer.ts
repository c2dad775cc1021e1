import { z } from 'zod';
import { LAND } from '../../common/arrangements.ts';
import { defined } from '../../common/elements.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import type { GroundOf } from '../../domain/boundaries/land.ts';
import type { BoundaryRef } from '../../geometry/engine_model.ts';
import { countryAt } from '../../sources/countries.ts';
import { endOfList, endOfObject, joinedList, withMembers } from './list.ts';

interface Place {
  readonly lat: number;
  readonly lon: number;
}

type Ranked = Pick<ResolvedBoundary, 'id' | 'type' | 'admin_level' | 'area_km2'>;

/** Sorts from the country down to the smallest boundary; postcode areas come last. */
export function outermostFirst(a: Ranked, b: Ranked): number {
  return rankOf(a) - rankOf(b) || (b.area_km2 ?? 0) - (a.area_km2 ?? 0) || (a.id < b.id ? -1 : 1);
}

function rankOf({ type, admin_level }: Ranked): number {
  return type === 'administrative' ? (admin_level ?? 98) : 99;
}

export const on = z
  .enum(['land', 'water', 'unknown'])
  .describe(
    'Whether the point is on land, by the smallest boundary around it that was cut along a coast; the coast is land. ' +
      'Boundaries that end at the shore, as those of the seed data, decide only where no finer one is. Water is the ' +
      'sea: lakes are land. unknown: no coast is stored for it, or no boundary has it between those of two countries.',
  );
export type On = z.infer<typeof on>;

/** What a listed boundary has to do with the point. */
export const relation = z.object({
  contains: z.boolean().describe('Whether the boundary contains the point.'),
  why: z
    .enum(['nearest_waters'])
    .nullable()
    .describe(
      'Why a boundary that does not contain the point is listed. nearest_waters: it is the country to whose waters, or ' +
        'coast, the point is assigned. Null if it contains the point.',
    ),
  on: on.describe('What the point is on, as in the answer.'),
});

type Relation = z.input<typeof relation>;

/** What an item says that contains the point. */
const containing = (on: On): Relation => ({ contains: true, why: null, on });
/** What the country says to which the point counts although it does not contain it. */
const nearestWaters = (on: On): Relation => ({ contains: false, why: 'nearest_waters', on });

/**
 * What a point is on, by what points of the boundaries around it are on (outermost first): the same for all of the
 * smallest one that was cut along a coast, or that one with the shape that tells. Where there is none, it is land if all
 * of them end at the shore: a coarse shape does not say what a finer one, whose land is not known, has there.
 */
export function groundAt<T>(
  found: readonly T[],
  groundOf: (one: T) => GroundOf,
): On | { readonly among: T; readonly landHash: string } {
  let endAtShore = found.length > 0;
  for (let i = found.length - 1; i >= 0; i--) {
    const one = defined(found[i]);
    const ground = groundOf(one);
    if (ground === 'unknown') endAtShore = false;
    else if (ground !== 'shore') return typeof ground === 'string' ? ground : { among: one, landHash: ground.landHash };
  }
  return endAtShore ? 'land' : 'unknown';
}

/** Degrees of latitude around a point in which another country begins, if it may lie between two coarse land borders. */
const BESIDE = 0.05;
const SIDES = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y] as const));

/**
 * What a point is on that no boundary contains: water if it counts to no country, or to one whose coast is known and
 * no other country is near. A country without a stored coast, whose shape ends at its own, may lack an island there.
 * @param country what points of that country are on; null: it counts to none
 */
export function groundOutside(country: GroundOf | null, { lat, lon }: Place): On {
  if (country === null) return 'water';
  if (country === 'unknown' || country === 'land' || country === 'shore') return 'unknown';
  const width = BESIDE / Math.max(0.1, Math.cos((lat * Math.PI) / 180));
  const near = SIDES.map(([x, y]) => countryAt(lat + y * BESIDE, ((lon + x * width + 540) % 360) - 180));
  return new Set(near.filter((code) => code !== null)).size > 1 ? 'unknown' : 'water';
}

/** The land part of a boundary, as the engine takes it. */
export const landRef = ({ id, admin_level }: Pick<Ranked, 'id' | 'admin_level'>, landHash: string): BoundaryRef => ({
  ...{ id, ringHash: landHash, adminLevel: admin_level },
  arrangement: LAND,
});

export const completeness = z.object({ postal_code: z.enum(['mapped', 'not_mapped']) });

/** The members of the answer after its boundaries. */
function completenessOf(mapped: boolean, on: On) {
  const members: z.input<typeof completeness> = { postal_code: mapped ? 'mapped' : 'not_mapped' };
  return { on, completeness: members, coverage: members };
}

/** The bytes after each item, and after the list, by what the point is on. */
const endsOf = (on: On) => ({
  contains: endOfObject(containing(on)),
  mapped: endOfList(completenessOf(true, on)),
  notMapped: endOfList(completenessOf(false, on)),
});
const ENDS = { land: endsOf('land'), water: endsOf('water'), unknown: endsOf('unknown') };

/**
 * The answer for a point, as JSON.
 * @param items the boundaries that contain it, as JSON, outermost first
 * @param nearest the country that the point counts to although it does not contain it, as JSON; null where there is none
 * @param about whether postcode areas are mapped there, and what the point is on
 */
export function writtenAnswer(
  items: readonly Uint8Array[],
  nearest: Uint8Array | null,
  { mapped, on }: { readonly mapped: boolean; readonly on: On },
): Uint8Array {
  const { contains, ...ends } = ENDS[on];
  const end = mapped ? ends.mapped : ends.notMapped;
  const nearby = nearest === null ? [] : [Buffer.from('],"nearby":['), withMembers(nearest, nearestWaters(on))];
  return joinedList(
    items,
    items.map(() => contains),
    nearest === null ? end : Buffer.concat([...nearby, end]),
  );
}
