import { z } from 'zod';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';

type Ranked = Pick<ResolvedBoundary, 'id' | 'type' | 'admin_level' | 'area_km2'>;

/** Sorts from the country down to the smallest boundary; postcode areas come last. */
export function outermostFirst(a: Ranked, b: Ranked): number {
  return rankOf(a) - rankOf(b) || (b.area_km2 ?? 0) - (a.area_km2 ?? 0) || (a.id < b.id ? -1 : 1);
}

function rankOf({ type, admin_level }: Ranked): number {
  return type === 'administrative' ? (admin_level ?? 98) : 99;
}

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
});

export const CONTAINS: z.input<typeof relation> = { contains: true, why: null };
export const NEAREST_WATERS: z.input<typeof relation> = { contains: false, why: 'nearest_waters' };

export const completeness = z.object({ postal_code: z.enum(['mapped', 'not_mapped']) });

/** The members of the answer after its items. */
export function completenessOf(mapped: boolean) {
  const members: z.input<typeof completeness> = { postal_code: mapped ? 'mapped' : 'not_mapped' };
  return { completeness: members, coverage: members };
}
