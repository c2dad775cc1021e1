import { z } from 'zod';
import { RULES } from '../../access.ts';
import type { ResolvedBoundary } from '../../domain/boundaries.ts';
import { defineOp } from '../../op.ts';
import { latitude, longitude } from '../../schemas.ts';
import { askerOf } from './fetched.ts';
import { boundarySchema } from './schema.ts';

/** Country first, down to the smallest; postcode areas last. */
function outermostFirst(a: ResolvedBoundary, b: ResolvedBoundary): number {
  const rank = (boundary: ResolvedBoundary) => (boundary.type === 'administrative' ? (boundary.admin_level ?? 98) : 99);
  return rank(a) - rank(b) || (b.area_km2 ?? 0) - (a.area_km2 ?? 0) || (a.id < b.id ? -1 : 1);
}

export const reverseBoundaries = defineOp({
  name: 'reverse_boundaries',
  summary: 'Every administrative boundary that contains a point, country first, and postcode areas.',
  description:
    'Containment, not the nearest object: sets are closed, so that a point exactly on a border gives both sides. ' +
    'coverage tells whether postcode areas are mapped in that country at all.',
  route: { method: 'GET', path: '/boundaries/reverse' },
  access: RULES.reverse_boundaries,
  effect: 'read',
  cost: { units: 1, per: 'call' },
  input: z.strictObject({ lat: latitude, lon: longitude }),
  output: z.object({
    items: z.array(boundarySchema),
    coverage: z.object({ postal_code: z.enum(['mapped', 'not_mapped']) }),
  }),
  errors: ['invalid_input', 'unauthorized', 'quota_exceeded', 'rate_limited'],
  examples: [{ input: { lat: 37.39, lon: -5.99 } }],
  async run(ctx, { lat, lon }) {
    const { engine, boundaries, upstream } = ctx.services;
    const stored = await engine.boundariesAt(lat, lon, ctx.signal);
    const ids = stored.length > 0 || !upstream ? stored : await upstream.at(lat, lon, askerOf(ctx));
    const found = (await boundaries.byIds(ids)).sort(outermostFirst);
    const mapped =
      found.some(({ type }) => type === 'postal_code') ||
      (await boundaries.hasPostcodes([...new Set(found.flatMap(({ boundary }) => boundary.countries))]));
    return {
      items: found.map(({ boundary }) => boundary),
      coverage: { postal_code: mapped ? ('mapped' as const) : ('not_mapped' as const) },
    };
  },
});
