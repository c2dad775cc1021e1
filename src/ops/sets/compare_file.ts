import { z } from 'zod';
import type { Coords } from '../../../workers/contract.ts';
import { meaningful } from '../../../workers/digits.ts';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { atCapacity, invalidInput, problem } from '../../core/errors.ts';
import { type Context, defineOp } from '../../core/op.ts';
import { adminLevel } from '../../core/schemas.ts';
import { loadQuery } from '../../db/query.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/reads.ts';
import { readIsolated } from '../../sources/read_isolated.ts';
import type { SourceBoundary } from '../../sources/types.ts';
import { attributionOf, geometryOf } from '../boundaries/document.ts';
import { onSnapshot } from '../boundaries/fetched.ts';
import { canonicalId } from '../boundaries/schema.ts';
import { acting } from '../orgs/org.ts';
import { counted, countedOf, reason } from './set.ts';
import { BODY_BYTES, fileFields, readingFields } from './set_input.ts';
import { BODY_TYPES, columnsOf, givenBy, readingOf, withGiven } from './uploaded.ts';

/** Limits: areas of a file, their vertices, and pairs whose boxes meet. The overlay takes up to 2,000 pairs a second. */
const MOST = { areas: 2_000, vertices: 2_000_000, pairs: 10_000 };
const MOST_VALUES = 50;
/** A common area up to this share of the smaller one comes from the grid of the overlay, a centimeter. */
const NOTHING = 1e-9;

const share = z.number().min(0).max(1);
const met = z.object({
  id: canonicalId,
  name: z.string(),
  admin_level: z.int().nullable(),
  country: z.string().nullable(),
  common_km2: z.number().min(0).describe('Area that the two have in common.'),
  share: share.describe('What part of the area of the file that is.'),
  share_of_boundary: share.describe('What part of the boundary that is.'),
});

const compareInput = z.strictObject({
  ...fileFields,
  ...readingFields,
  admin_level: adminLevel.optional().describe('Of the boundaries to compare with. Default: all levels.'),
});
type CompareInput = z.output<typeof compareInput>;

export const compareFile = defineOp({
  name: 'compare_file',
  summary: 'Compares the areas of a file with official boundaries: which they overlap, and by how many km2.',
  description:
    'The file is in any format that is read and any projection, as the body (the parameters are then in the query), as ' +
    'content, or one of the library. Nothing is stored. Each area is listed with the official boundaries of admin_level, or of ' +
    'all levels, that have an area in common with it, the largest first; an area that meets none has an empty list. Areas are ' +
    `overlaid at full detail and measured on the ellipsoid: up to ${MOST.areas} areas and ${MOST.pairs} pairs whose boxes meet.`,
  route: { method: 'POST', path: '/boundaries/compare' },
  access: RULES.compare_file,
  effect: 'read',
  cost: { units: 1, per: 'call' },
  bodyBytes: BODY_BYTES,
  mostValues: MOST_VALUES,
  intake: BODY_TYPES,
  input: compareInput,
  output: z.object({
    items: z.array(
      z.object({
        id: z.string().describe('In the file.'),
        name: z.string(),
        area_km2: z.number().nullable(),
        trouble: z.string().nullable().describe('Why it was not compared: its border does not close, for example.'),
        boundaries: z.array(met),
      }),
    ),
    total: z.int(),
    pairs: z.int().describe('Pairs with an area in common.'),
    left_out: counted(reason).describe('Features that are not compared, and why.'),
    attribution: z.string().describe('Of the boundaries.'),
  }),
  errors: ['invalid_input', 'unauthorized', 'quota_exceeded', 'not_found', 'too_large', 'rate_limited'],
  examples: [
    {
      input: {
        content:
          '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":"z1","name":"Zone 1"},' +
          '"geometry":{"type":"Polygon","coordinates":[[[-6,37],[-5.9,37],[-5.9,37.1],[-6,37.1],[-6,37]]]}}]}',
        admin_level: 6,
      },
    },
  ],
  async run(ctx, input) {
    const { boundaries, skipped } = await readAreas(ctx, input);
    return onSnapshot(ctx, (reading) => answerOf(ctx, reading, boundaries, skipped, input.admin_level ?? null));
  },
});

/** The areas of the file of a call. @throws invalid_input, too_large */
async function readAreas(ctx: Context, input: CompareInput) {
  const given = [ctx.intake, input.content, input.file_id].filter((one) => one !== undefined);
  if (given.length !== 1) {
    const code = given.length === 0 ? 'missing' : 'conflict';
    throw invalidInput([{ path: 'content', code, message: 'give one of: a file as the body, content, file_id' }]);
  }
  const file = await givenBy(ctx, input);
  const { areas, vertices, coverage } = await withGiven(file, ctx.signal, (path, left) => {
    // The level only lets the reader know that all areas are of one.
    const options = { source: 'file', adminLevel: 8, map: columnsOf(input), ...readingOf(input) };
    const asked = { path, options, mostAreas: MOST.areas, mostVertices: MOST.vertices };
    return readIsolated(asked, { org: acting(ctx).org, shown: 'the file', official: () => Promise.resolve([]) }, left);
  });
  if (areas > MOST.areas || vertices > MOST.vertices) {
    throw problem('too_large', `A file to compare has at most ${MOST.areas} areas and ${MOST.vertices} vertices.`);
  }
  if (coverage === undefined) throw atCapacity();
  return coverage;
}

const ringsOf = ({ border }: SourceBoundary): readonly Coords[] => ('rings' in border ? border.rings : []);

/** The boxes of areas, as four lists of degrees times 1e7: west, south, east, north. */
function boxesOf(areas: readonly SourceBoundary[]): [number[], number[], number[], number[]] {
  const sides: [number[], number[], number[], number[]] = [[], [], [], []];
  for (const area of areas) {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const ring of ringsOf(area)) {
      for (let i = 0; i < ring.length; i += 2) {
        const [x, y] = [defined(ring[i]), defined(ring[i + 1])];
        [west, east] = [Math.min(west, x), Math.max(east, x)];
        [south, north] = [Math.min(south, y), Math.max(north, y)];
      }
    }
    for (const [i, side] of [west, south, east, north].entries()) defined(sides[i]).push(side);
  }
  return sides;
}

async function answerOf(
  ctx: Context,
  reading: Snapshot,
  areas: readonly SourceBoundary[],
  skipped: readonly { readonly id: string; readonly reason: string }[],
  level: number | null,
) {
  const { db, engine } = ctx.services;
  const values = [...boxesOf(areas), level, MOST.pairs + 1] as const;
  const rows = await db.query(loadQuery('boundary_near_boxes'), values, { signal: ctx.signal });
  if (rows.some(({ revision }) => Number(revision) !== reading.revision)) throw new DataMoved();
  const near = rows.flatMap(({ box, id }) => (box === null || id === null ? [] : [{ area: Number(box) - 1, id }]));
  if (near.length > MOST.pairs) {
    const advice = level === null ? 'Choose an admin_level.' : 'Split the file.';
    throw problem(
      'too_large',
      `More than ${MOST.pairs} pairs of an area and a boundary are near each other. ${advice}`,
    );
  }
  const found = await reading.byIds([...new Set(near.map(({ id }) => id))]);
  const places = new Map(found.map(({ id }, i) => [id, i]));
  const pairs = Uint32Array.from(near.flatMap(({ area, id }) => [area, defined(places.get(id))]));
  const measured = await engine.relations.compareAreas(areas.map(ringsOf), found.map(geometryOf), pairs, ctx.signal);
  const of = areas.map((): z.input<typeof met>[] => []);
  const used = new Set<number>();
  for (const [p, { area }] of near.entries()) {
    const place = defined(pairs[2 * p + 1]);
    const common = defined(measured.common[p]);
    const [whole, other] = [defined(measured.areas[area]), defined(measured.boundaries[place])];
    if (!(common > NOTHING * Math.min(whole, other))) continue;
    used.add(place);
    const { boundary } = defined(found[place]);
    defined(of[area]).push({
      ...{ id: boundary.id, name: boundary.name, admin_level: boundary.admin_level, country: boundary.country },
      ...{ common_km2: common / 1e6, share: meaningful(common / whole), share_of_boundary: meaningful(common / other) },
    });
  }
  const items = areas.map(({ sourceId, name }, i) => {
    const m2 = defined(measured.areas[i]);
    return {
      ...{ id: sourceId, name, area_km2: Number.isNaN(m2) ? null : m2 / 1e6 },
      trouble: measured.broken.get(i) ?? null,
      boundaries: defined(of[i]).sort((p, q) => q.common_km2 - p.common_km2 || (p.id < q.id ? -1 : 1)),
    };
  });
  return {
    ...{ items, total: items.length, pairs: of.reduce((sum, { length }) => sum + length, 0) },
    left_out: countedOf(skipped),
    attribution: attributionOf([...used].map((place) => defined(found[place]))),
  };
}
