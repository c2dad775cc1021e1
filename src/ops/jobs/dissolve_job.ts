import type { z } from 'zod';
import { levelFor, levelOfTolerance } from '../../../workers/arcs/levels.ts';
import { defined } from '../../common/elements.ts';
import { invalidInput, problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import { partAsked } from '../../domain/boundaries/land.ts';
import { DataMoved } from '../../domain/boundaries/reads.ts';
import { resolveSelection } from '../../domain/boundaries/selection.ts';
import type { JobPart } from '../../domain/jobs/states.ts';
import { boxOfAll } from '../../geometry/collection.ts';
import { joinAreas, packAreas } from '../../geometry/collection_ranges.ts';
import { columnsOfAreas, dissolve, featuresOf } from '../boundaries/dissolve.ts';
import { groupsOf, idsToExplain, resolveGroups } from '../boundaries/dissolve_groups.ts';
import { attributionOf, geometryOf } from '../boundaries/document.ts';
import { onSnapshot, withCandidates } from '../boundaries/fetched.ts';
import { checkResolution } from '../boundaries/schema.ts';
import { type JobKind, type JobPlan, mostFor } from './kind.ts';

/** Limit of the members in a part with several groups, as a multiple of JOB_PART. */
const PARTS = 10;
/** For an estimate: bytes per area, besides those per member, and members merged per millisecond. */
const ROUGH = { bytes: 2_000, members: 10 };

/** Without `within`: the file of a job has no list of boundaries that no group has. */
const input = dissolve.input.omit({ within: true });
type Input = z.output<typeof input>;
type Box = readonly [number, number, number, number];

/** Jobs that dissolve. */
export const dissolveJob: JobKind = {
  op: dissolve,
  // Counts groups, of which a job may have no more than a call.
  count: dissolve.count,
  input,
  plan: (ctx, input) => planOf(ctx, input as Input),
  nameOf: (input) => `Areas (${(input as Input).format})`,
};

async function planOf(ctx: Context, given: Input): Promise<JobPlan> {
  checkResolution(given);
  if (given.zip_of !== undefined && given.format !== 'zip') {
    throw invalidInput([{ path: 'zip_of', code: 'conflict', message: 'is for zip only' }]);
  }
  const named = await groupsOf(given, ctx.signal);
  if (named.size === 0) throw invalidInput([{ path: 'groups', code: 'missing', message: 'give groups, or csv' }]);
  const dry = partAsked(given) === 'dry_land';
  const most = await mostFor(ctx);
  const { division, land, boxes } = await withCandidates(ctx, idsToExplain(named), () =>
    onSnapshot(ctx, async (reading) => {
      const found = await resolveGroups(ctx, reading, named, given);
      const land = dry ? await resolveGroups(ctx, reading, named, { ...given, water: undefined }) : null;
      const ids = found.boundaries.map(({ id }) => id);
      const { members } = await resolveSelection(ctx.services.db, { revision: reading.revision, ids }, ctx.signal);
      const boxOf = new Map(members.map(({ id, box }): [string, Box] => [id, box]));
      return { division: found, land, boxes: ids.map((id) => boxOf.get(id) as Box) };
    }),
  );
  const { boundaries, groups, revision } = division;
  if (boundaries.length > most) {
    throw problem('too_many_boundaries', `${boundaries.length} members; one job of this plan takes at most ${most}.`);
  }
  // The box of an area is that of all its members.
  const detail = given.tolerance_m === undefined ? (given.detail ?? 'medium') : null;
  const levelOf = (members: readonly number[]) =>
    levelFor(detail ?? 'medium', boxOfAll(members.map((i) => defined(boxes[i]))));
  const asked = given.tolerance_m === undefined ? null : levelOfTolerance(given.tolerance_m);
  const level = asked ?? groups.reduce((all, { members }) => Math.max(all, levelOf(members)), levelOf([]));
  const { engine, boundaries: read } = ctx.services;
  const parts = slices(
    groups.map(({ members }) => members.length),
    PARTS * ctx.services.config.JOB_PART,
  );
  const total = parts.reduce((sum, part) => sum + part.boundaries, 0);
  const file = {
    format: given.format,
    zipOf: given.zip_of ?? 'geojson',
    attribution: attributionOf(boundaries),
    level,
    name: `${groups.length} areas`,
    columns: columnsOfAreas(dry),
    count: groups.length,
  } as const;

  return {
    revision,
    total,
    units: boundaries.length,
    file: { format: given.format, detail },
    parts,
    leftOut: division.leftOut,
    async *make({ from, to }, _failed, signal) {
      const { revision: now } = await read.withSnapshot(async (one) => one);
      if (now !== revision) throw new DataMoved();
      const some = groups.slice(from, to);
      const places = new Map<number, number>();
      for (const { members } of some) for (const i of members) if (!places.has(i)) places.set(i, places.size);
      const own = some.map(({ name, members }) => ({ name, members: members.map((i) => places.get(i) as number) }));
      const dissolved = async (all: typeof boundaries) => {
        const refs = [...places.keys()].map((i) => geometryOf(defined(all[i])));
        return (await engine.documents.dissolveAreas(refs, own, { detail: null, level }, signal)).areas;
      };
      const areas = await dissolved(boundaries);
      yield* packAreas(featuresOf(areas, own, land && (await dissolved(land.boundaries))));
      return { box: boxOfAll(areas.flatMap(({ box }) => (box === null ? [] : [box]))) };
    },
    join(packed, abouts, _failed, signal) {
      const found = (abouts as { box: Box | null }[]).flatMap(({ box }) => (box === null ? [] : [box]));
      return joinAreas(engine, file, boxOfAll(found), packed, signal);
    },
    unitsWithout: () => boundaries.length,
    estimate: async () => ({ bytes: groups.length * ROUGH.bytes + total * 200, ms: total / ROUGH.members }),
  };
}

/** Groups in parts, each group whole: a part has at most `most` members, unless its only group has more. */
function slices(sizes: readonly number[], most: number): (JobPart & { boundaries: number })[] {
  const parts: (JobPart & { boundaries: number })[] = [];
  for (let from = 0; from < sizes.length; ) {
    let [to, boundaries] = [from + 1, defined(sizes[from])];
    while (to < sizes.length && boundaries + defined(sizes[to]) <= most) boundaries += defined(sizes[to++]);
    parts.push({ from, to, boundaries });
    from = to;
  }
  return parts;
}
