import { createHash } from 'node:crypto';
import { z } from 'zod';
import { COLLECTION_FORMATS, contentType } from '../../../workers/formats/registry.ts';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { contextAsOf } from '../../core/dated.ts';
import { invalidInput, ProblemError, problem } from '../../core/errors.ts';
import { bytes, type Context, defineOp } from '../../core/op.ts';
import { adminLevel, asOf, boundaryId, format as fileFormat, recordedBefore, safeCsv } from '../../core/schemas.ts';
import { loadQuery } from '../../db/query.ts';
import { CHANGE_TYPES, type Change, changesOf, type Member, type SharedArea } from '../../domain/history/changes.ts';
import { handoversOf } from '../../domain/history/handovers.ts';
import type { BoundaryRef } from '../../geometry/engine_model.ts';
import { changedAreas, changedAreasSchemas } from './changed_areas.ts';
import { changesTable } from './changes_table.ts';
import { onSnapshot } from './fetched.ts';
import { JSON_TYPE } from './list.ts';
import { requireOfficial } from './official.ts';
import { canonicalId } from './schema.ts';

/** What counts as a change, if a call does not say. */
const DEFAULTS = { widthM: 50, share: 0.005 };
/** Limit of the boundaries of one date. */
const MOST_MEMBERS = 5_000;
/** Limit of the pairs of boundaries that share an area. */
const MOST_PAIRS = 200_000;
const MOST_ITEMS = 1_000;
/** Shapes that are compared per unit: as many as boundaries of crosswalk. */
const FOR_A_UNIT = 10;

/** The list in pages or as a table; and formats of a file of polygons. */
const LIST_FORMATS = ['json', ...COLLECTION_FORMATS] as const;

const date = asOf.unwrap();

const link = z.object({
  id: canonicalId,
  name: z.string(),
  km2: z.number().describe('Area in common.'),
  share_of_it: z.number().describe('The common area as a share of that boundary.'),
  share_of_this: z.number().describe('The common area as a share of the boundary of the change.'),
});

const change = z.object({
  type: z.enum(CHANGE_TYPES),
  id: canonicalId,
  name: z.string(),
  admin_level: z.int().nullable(),
  from: z.string().nullable().optional().describe('The name, codes or parent before.'),
  to: z.string().nullable().optional(),
  predecessors: z.array(link).optional().describe('Boundaries of the earlier date whose area it has.'),
  successors: z.array(link).optional().describe('Boundaries of the later date that have its area.'),
  gained_km2: z.number().optional(),
  lost_km2: z.number().optional(),
  with: z
    .array(z.object({ id: canonicalId, name: z.string(), gained_km2: z.number(), lost_km2: z.number() }))
    .optional()
    .describe('What was gained from each boundary, and lost to it.'),
});

export const listChanges = defineOp({
  name: 'list_changes',
  summary: 'What changed between two dates: boundaries that were created, ended, merged, split, renamed, or moved.',
  description:
    'Of a source, of a level, or within a boundary. merged and split name the parts with their shares; border_moved says ' +
    'how many km2 each neighbor gave and got. An area that changed hands counts from min_share of the smaller of the two ' +
    'boundaries on, and from a strip of min_width_m along the side of a square of that size: below, a line was only drawn ' +
    'again, and the change is redrawn. The defaults, 0.5 % and 50 m, are about what two surveys of one border differ by at ' +
    'the scale of municipalities. As geojson, or a file of another format of collections, the answer has a ' +
    'feature for each area that changed hands: from_id, to_id, their names, the types of changes that it is a part of, ' +
    'km2, its share of both and the two dates. Each is all that the two boundaries have in common, at full detail.',
  route: { method: 'GET', path: '/changes' },
  access: RULES.list_changes,
  effect: 'read',
  cost: {
    units: 1,
    per: 'call',
    note: `for every ${FOR_A_UNIT} boundaries of both dates whose shapes differ between them, rounded up`,
  },
  input: z.strictObject({
    from: date.describe('The earlier date: 2015-01-01.'),
    to: date.describe('The later date.'),
    source: z.string().min(1).max(40).optional().describe('Only boundaries of this source.'),
    admin_level: adminLevel.optional(),
    within: boundaryId.optional().describe('Only boundaries within this one, on either date.'),
    recorded_before: recordedBefore,
    types: z
      .string()
      .max(200)
      .optional()
      .describe(`Only these types of changes, comma-separated: ${CHANGE_TYPES.join(', ')}.`),
    min_width_m: z
      .number()
      .min(0)
      .max(10_000)
      .default(DEFAULTS.widthM)
      .describe('Least mean width of a strip that changed hands.'),
    min_share: z
      .number()
      .min(0)
      .max(1)
      .default(DEFAULTS.share)
      .describe('Least share of the smaller boundary that changed hands.'),
    format: z
      .enum(LIST_FORMATS)
      .default('json')
      .describe('json or csv: the list. geojson: a polygon for each area that changed hands; another: its file.'),
    zip_of: fileFormat.optional().describe('With format zip: the format of its files. Default: geojson.'),
    safe_csv: safeCsv,
    limit: z.int().min(1).max(MOST_ITEMS).default(100).describe('Page size.'),
    offset: z.int().min(0).max(100_000).default(0).describe('Items to skip.'),
  }),
  output: z.union([
    z
      .object({
        items: z.array(change),
        total: z.int(),
        limit: z.int(),
        offset: z.int(),
        counts: z.record(z.string(), z.int()).describe('Number of changes by type.'),
        boundaries: z.object({ from: z.int(), to: z.int() }).describe('Boundaries that were compared, by date.'),
      })
      .meta({ id: 'ChangeList' }),
    ...changedAreasSchemas,
  ]),
  success: { documents: [JSON_TYPE, 'text/csv', contentType('geojson')] },
  errors: ['invalid_input', 'invalid_id', 'unauthorized', 'quota_exceeded', 'not_found', 'too_large', 'rate_limited'],
  examples: [
    { input: { from: '2010-01-01', to: '2026-01-01', admin_level: 4 } },
    {
      input: { from: '2010-01-01', to: '2026-01-01', admin_level: 4, format: 'geojson' },
      note: 'What changed hands, as polygons',
    },
  ],
  async prepare(ctx, { from, to, source, admin_level, within, types, format, zip_of }) {
    if (zip_of !== undefined && format !== 'zip') {
      throw invalidInput([{ path: 'zip_of', code: 'conflict', message: 'is for zip only' }]);
    }
    if (from >= to) throw invalidInput([{ path: 'to', code: 'invalid_value', message: `must be after from, ${from}` }]);
    if (source === undefined && admin_level === undefined && within === undefined) {
      throw invalidInput([{ path: '', code: 'missing', message: 'give source, admin_level or within' }]);
    }
    requireOfficial('within', within, 'changes');
    const unknown = typesOf(types).find((type) => !(CHANGE_TYPES as readonly string[]).includes(type));
    if (unknown !== undefined) {
      throw invalidInput([{ path: 'types', code: 'invalid_value', message: `${unknown} is not a type of change` }]);
    }
    const compared = { from, to, source, admin_level, within };
    const sides = await onSnapshot(ctx, ({ revision }) => sidesOf(ctx, revision, compared));
    ctx.progress?.(`${sides.before.length} and ${sides.after.length} boundaries to compare`);
    return sides;
  },
  price: (_ctx, _input, { refs }) => Math.max(1, Math.ceil(refs.length / FOR_A_UNIT)),
  async run(ctx, { limit, offset, format, zip_of, types, min_width_m: widthM, min_share: share, ...compared }, found) {
    const wanted = typesOf(types);
    return onSnapshot(ctx, async ({ revision }) => {
      const sides = found.revision === revision ? found : await sidesOf(ctx, revision, compared);
      const { before, after } = sides;
      const shared = await sharedAreas(ctx, sides, compared);
      const changes = changesOf(before, after, shared, { widthM, share });
      const isWanted = (type: string) => wanted.length === 0 || wanted.includes(type);
      if (format !== 'json' && format !== 'csv') {
        const handed = handoversOf(before, after, shared, { widthM, share }, changes);
        const pairOf = placesIn(sides);
        const chosen = handed.filter((one) => one.types.some(isWanted)).map((one) => ({ ...one, pair: pairOf(one) }));
        const attribution = [...new Set([...before, ...after].flatMap((one) => one.attribution ?? []))].join('; ');
        const file = {
          from: compared.from,
          to: compared.to,
          format,
          zipOf: zip_of ?? ('geojson' as const),
          attribution,
        };
        return changedAreas(ctx, sides.refs, chosen, file);
      }
      const chosen = changes.filter(({ type }) => isWanted(type));
      const items = chosen.slice(offset, offset + limit);
      if (format === 'csv') return bytes(Buffer.from(changesTable(chosen)), 'text/csv');
      const counts: Record<string, number> = {};
      for (const { type } of changes) counts[type] = (counts[type] ?? 0) + 1;
      const boundaries = { from: before.length, to: after.length };
      return { items: items as z.input<typeof change>[], total: chosen.length, limit, offset, counts, boundaries };
    });
  },
});

/** The changes between two dates, with the default thresholds. @throws as list_changes */
export function changesBetween(ctx: Context, compared: Comparison): Promise<Change[]> {
  return onSnapshot(ctx, async ({ revision }) => {
    const sides = await sidesOf(ctx, revision, compared);
    return changesOf(sides.before, sides.after, await sharedAreas(ctx, sides, compared), DEFAULTS);
  });
}

const typesOf = (text = ''): string[] => text.split(',').flatMap((type) => type.trim() || []);

/** Which boundaries are compared. */
interface Comparison {
  readonly from: string;
  readonly to: string;
  readonly source?: string | undefined;
  readonly admin_level?: number | undefined;
  readonly within?: string | undefined;
}

type Row = Member & { readonly ring_hash: string | null; readonly attribution: string | null };

/** The boundaries of both dates at a revision of the data. */
interface Sides {
  readonly revision: number;
  readonly before: readonly Row[];
  readonly after: readonly Row[];
  /** Shapes that differ between the dates: those of the first date, then those of the second. */
  readonly refs: readonly BoundaryRef[];
  /** The indexes of their boundaries in before and in after. */
  readonly changed: readonly [then: readonly number[], now: readonly number[]];
}

/** Reads the boundaries of both dates. @throws too_large, and not_found for a boundary that neither date has */
async function sidesOf(ctx: Context, revision: number, compared: Comparison): Promise<Sides> {
  const [then, now] = [await contextAsOf(ctx, compared.from), await contextAsOf(ctx, compared.to)];
  const within = await idsWithin([then, now], compared);
  const [before, after] = [await membersOf(then, compared, within), await membersOf(now, compared, within)];
  const refs: BoundaryRef[] = [];
  const places = (ctx: Context, members: readonly Row[], others: readonly Row[]): number[] => {
    const shapes = new Map(others.map((one) => [one.id, one.geometry_hash]));
    const changed = [...members.keys()].filter(
      (i) => shapes.get(defined(members[i]).id) !== defined(members[i]).geometry_hash,
    );
    for (const i of changed) {
      const { id, ring_hash, admin_level } = defined(members[i]);
      refs.push({ id, ringHash: ring_hash ?? '', adminLevel: admin_level, db: ctx.services.db });
    }
    return changed;
  };
  const changed = [places(then, before, after), places(now, after, before)] as const;
  return { revision, before, after, refs, changed };
}

/** The place of a boundary of each date among the shapes that differ. */
function placesIn({ changed: [then, now] }: Sides) {
  const places = (members: readonly number[], from: number) => new Map(members.map((member, i) => [member, from + i]));
  const [earlier, later] = [places(then, 0), places(now, then.length)];
  return ({ before, after }: SharedArea) => [defined(earlier.get(before)), defined(later.get(after))] as const;
}

/** The areas that changed shapes share. Cached by the data's revision, whatever counts as a change. */
async function sharedAreas(ctx: Context, { revision, refs, changed }: Sides, compared: Comparison) {
  const [then, now] = changed;
  if (then.length === 0 || now.length === 0) return [];
  const { from, to, source, admin_level, within } = compared;
  const key = `changes ${revision} ${JSON.stringify([from, to, source, admin_level, within])}`;
  const make = async (signal: AbortSignal) => {
    const a = [...then.keys()];
    const b = Array.from(now.keys(), (i) => then.length + i);
    const pairs = await ctx.services.engine.relations.crosswalk(refs, { a, b, maxPairs: MOST_PAIRS }, signal);
    const shared = Array.from(
      pairs.areaKm2,
      (km2, p): SharedArea => ({
        before: defined(then[defined(pairs.a[p])]),
        after: defined(now[defined(pairs.b[p])]),
        km2,
      }),
    );
    const content = Buffer.from(JSON.stringify(shared));
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { bytes: content, sha256, size: content.byteLength, items: shared.length };
  };
  const kept = await ctx.services.cache.getOrMake('lists', key, make, ctx.signal);
  return JSON.parse(Buffer.from(kept.bytes).toString()) as SharedArea[];
}

/** The canonical id of the boundary that all are in, which one of the dates must have. @throws not_found */
async function idsWithin(contexts: readonly Context[], { from, to, within }: Comparison): Promise<string | null> {
  if (within === undefined) return null;
  for (const { services } of contexts) {
    try {
      return (await services.boundaries.get(within)).id;
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'not_found') throw error;
    }
  }
  const why = 'What was stored without a date is valid from its import.';
  throw problem('not_found', `No boundary ${within} as of ${from} or ${to}. ${why}`);
}

async function membersOf(
  { services, signal }: Context,
  { source, admin_level }: Comparison,
  within: string | null,
): Promise<Row[]> {
  const values = [source ?? null, admin_level ?? null, within, MOST_MEMBERS + 1] as const;
  const rows = await services.db.query(loadQuery('history_members'), values, { signal });
  if (rows.length <= MOST_MEMBERS) return rows;
  throw problem(
    'too_large',
    `More than ${MOST_MEMBERS} boundaries are to be compared: give a source, an admin_level or within.`,
  );
}
