import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { bytes, type Context, defineOp } from '../../core/op.ts';
import { asOf, latitude, loadingNotice, longitude, recordedBefore, scope } from '../../core/schemas.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import type { Snapshot } from '../../domain/boundaries/reads.ts';
import { boundariesAt, type Locate, type PointDegrees } from '../../domain/boundaries/reverse.ts';
import type { Naming } from '../../domain/names/languages.ts';
import { countryAt } from '../../sources/countries.ts';
import { geometryOf } from './document.ts';
import { askerOf, onSnapshot } from './fetched.ts';
import { JSON_TYPE } from './list.ts';
import {
  completeness,
  groundAt,
  groundOutside,
  landRef,
  type On,
  on,
  outermostFirst,
  relation,
  writtenAnswer,
} from './reverse_answer.ts';
import { answerInMemory } from './reverse_in_memory.ts';
import { boundarySchema, naming, namingOf } from './schema.ts';

/**
 * The country to which a place counts when no country's shape contains it: on water, where shapes are land, or between
 * a coarse coast and a fine one. Null when `found` has a country, or when none is known or stored.
 */
async function countryOf(
  reading: Snapshot,
  found: readonly ResolvedBoundary[],
  { lat, lon }: PointDegrees,
): Promise<ResolvedBoundary | null> {
  if (found.some(({ boundary: { kind } }) => kind === 'country')) return null;
  const code = countryAt(lat, lon);
  if (code === null) return null;
  const [country] = await reading.lookup([`iso:${code}`]);
  return country?.has_geometry && !found.some(({ id }) => id === country.id) ? country : null;
}

/** What a place is on. `items`: the boundaries around it, outermost first; `country`: that to which it counts otherwise. */
async function groundOf(
  { services, signal }: Context,
  reading: Snapshot,
  items: readonly ResolvedBoundary[],
  { lat, lon }: PointDegrees,
  country: ResolvedBoundary | null,
): Promise<On> {
  const shaped = items.filter(({ has_geometry }) => has_geometry);
  const ids = [...shaped, ...(country === null ? [] : [country])].map(({ id }) => id);
  const land = ids.length === 0 ? null : await reading.landOf(ids);
  const of = ({ id }: ResolvedBoundary) => land?.get(id)?.ground ?? 'unknown';
  if (items.length === 0) {
    const ground = country === null ? (countryAt(lat, lon) === null ? null : 'unknown') : of(country);
    return groundOutside(ground, { lat, lon });
  }
  const ground = groundAt(shaped, of);
  if (typeof ground === 'string') return ground;
  const refs = [landRef(ground.among, ground.landHash)];
  const { points } = services.engine;
  for (const meridian of Math.abs(lon) === 180 ? [lon, -lon] : [lon]) {
    const [x, y] = [Math.round(meridian * 1e7), Math.round(lat * 1e7)];
    const [side = -1] = points.locateNow(refs, x, y) ?? (await points.locate(refs, x, y, signal));
    if (side >= 0) return 'land';
  }
  return 'water';
}

const itemSchema = boundarySchema.extend(relation.shape).meta({ id: 'BoundaryAtPoint' });

const answerSchema = z.object({
  items: z.array(itemSchema).describe('The boundaries that contain the point.'),
  nearby: z
    .array(itemSchema)
    .optional()
    .describe('Where no country contains the point, as at sea: the country to which it is assigned.'),
  on,
  completeness: completeness.describe('Whether postcode areas are mapped in the country of the point.'),
  coverage: completeness.describe('Deprecated name of completeness.'),
  ...loadingNotice,
});

/** The answer for a place, as JSON. `fetched`: ids to show when nothing is stored; if null, there is no answer then. */
export function answerAt(
  ctx: Context,
  place: PointDegrees,
  naming: Naming,
  fetched: readonly string[] | null,
): Promise<Uint8Array | null> {
  const { engine } = ctx.services;
  const locate: Locate = (boundaries, x, y) => {
    const refs = boundaries.map(geometryOf);
    return engine.points.locateNow(refs, x, y) ?? engine.points.locate(refs, x, y, ctx.signal);
  };
  return onSnapshot(ctx, async (reading) => {
    const stored = await boundariesAt(reading, place, locate);
    if (stored.length === 0 && fetched === null) return null;
    const items = (stored.length > 0 ? stored : await reading.byIds(fetched ?? [])).sort(outermostFirst);
    const country = await countryOf(reading, items, place);
    const on = await groundOf(ctx, reading, items, place, country);
    const found = (country === null ? items : [...items, country]).map(({ boundary }) => boundary);
    const mapped =
      items.some(({ type }) => type === 'postal_code') ||
      (await reading.hasPostcodes([...new Set(found.flatMap(({ countries }) => countries))]));
    const written = await reading.written(found, naming);
    return writtenAnswer(written.slice(0, items.length), written[items.length] ?? null, { mapped, on });
  });
}

export const reverseBoundaries = defineOp({
  name: 'reverse_boundaries',
  summary: 'Every administrative boundary that contains a point, country first, and postcode areas.',
  description:
    'Containment, not the nearest object: sets are closed, so a point exactly on a border is in both sides. ' +
    'Outside of every country, as on water, nearby has the country that the point is assigned to, with ' +
    'why: nearest_waters. locate_points lists exactly the items. ' +
    'on says whether the point is on land or water (docs/land.md). ' +
    'completeness says whether postcode areas are mapped in that country.',
  route: { method: 'GET', path: '/boundaries/reverse' },
  access: RULES.reverse_boundaries,
  effect: 'read',
  cost: { units: 1, per: 'call' },
  input: z.strictObject({
    lat: latitude,
    lon: longitude,
    ...naming,
    as_of: asOf,
    recorded_before: recordedBefore,
    scope,
  }),
  output: answerSchema,
  errors: ['invalid_input', 'unauthorized', 'quota_exceeded', 'rate_limited'],
  examples: [{ input: { lat: 37.39, lon: -5.99 } }],
  async run(ctx, { lat, lon, ...wanted }) {
    const { upstream } = ctx.services;
    const place = { lat, lon };
    const naming = namingOf(ctx, wanted);
    const held = answerInMemory(ctx, place, naming);
    if (held !== null) return bytes(held, JSON_TYPE);
    const answer = await answerAt(ctx, place, naming, upstream ? null : []);
    if (answer !== null || upstream === null) return bytes(answer as Uint8Array, JSON_TYPE);
    const fetched = await upstream.at(lat, lon, askerOf(ctx));
    return bytes((await answerAt(ctx, place, naming, fetched)) as Uint8Array, JSON_TYPE);
  },
});
