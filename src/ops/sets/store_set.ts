/** Stores a version of an area set: for create_area_set, and for a job of it. */
import { today } from '../../common/dates.ts';
import { codeOf, codesAmong } from '../../common/set_ids.ts';
import { atCapacity, type Issue, invalidInput, problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import type { Queryable } from '../../db/connect.ts';
import type { ActingMember } from '../../domain/people/members.ts';
import type { MadeFrom, NewVersion, Room } from '../../domain/sets/area_set.ts';
import { storeAreas } from '../../sources/area_sets.ts';
import type { TilingOptions } from '../../sources/coverage/tiling.ts';
import type { SourceBoundary } from '../../sources/types.ts';
import { acting } from '../orgs/org.ts';
import { type PlannedGroups, planGroups } from './merged.ts';
import { reportOf } from './report.ts';
import { officialIn, seamFeatures } from './seams.ts';
import type { SetReport } from './set.ts';
import type { SetInput } from './set_input.ts';
import { columnsOf, type GivenColumns, givenBy, keepUpload, readGiven, readingOf } from './uploaded.ts';

/** Limit of the areas of a version. */
const MOST_AREAS = 100_000;
/** Limit of the properties kept of an area. */
const MOST_TAGS = 100;

/** A version that may be made. */
export interface PlannedSet {
  readonly by: ActingMember;
  readonly room: Room;
  readonly groups: PlannedGroups | null;
  /** Units that it costs. */
  readonly units: number;
}

/**
 * Checks what a version is made from and whether there is room for one, before any work.
 * @param expected as NewVersion.expected
 * @throws invalid_input, what planGroups() throws, and as Sets.requireRoom()
 */
export async function planSet(ctx: Context, input: SetInput, expected?: string | null): Promise<PlannedSet> {
  const by = acting(ctx);
  const sources = [ctx.intake, input.content, input.file_id, input.groups, input.features].filter(
    (one) => one !== undefined,
  );
  if (sources.length !== 1) {
    const issue: Issue = {
      path: 'content',
      code: sources.length === 0 ? 'missing' : 'conflict',
      message: 'give one of: a file as the body, content, file_id, groups, features',
    };
    throw invalidInput([issue]);
  }
  const none = versionOf(input, { areas: 0, vertices: 0, report: {}, seams: '[]', expected });
  const room = await ctx.services.areaSets.requireRoom(by, none);
  const groups = input.groups === undefined ? null : await planGroups(ctx, input.groups);
  return { by, room, groups, units: groups?.units ?? 1 };
}

/** What happens beside storing a version. */
export interface StoringSet {
  /** Runs in the transaction that stores it: if it throws, nothing is stored. */
  readonly within: (tx: Queryable) => Promise<void>;
  /** Runs before its areas are stored, with their number. */
  readonly found?: (areas: number) => Promise<void>;
}

/**
 * Reads the areas of a file or of groups and stores them as a version, whole or not at all. Returns what it says of it.
 * @throws invalid_input for a file that cannot be read, too_large, rate_limited, and as Sets.putVersion()
 */
export async function storeSet(
  ctx: Context,
  input: SetInput,
  { by, room, groups }: PlannedSet,
  { within, found: onFound }: StoringSet,
): Promise<SetReport> {
  const given: GivenColumns =
    groups === null
      ? await givenFile(ctx, input)
      : { bytes: await groups.merge(), extension: 'geojson', columns: { id: 'group', name: 'group' } };
  const { services } = ctx;
  const most = { mostAreas: Math.min(MOST_AREAS, room.areas), mostVertices: room.vertices };
  const {
    areas: found,
    vertices: distinct,
    coverage: read,
    tiling,
  } = await readGiven(
    given,
    { ...readingOf(input), lone: { id: input.name, name: input.title ?? input.name } },
    { most, tiling: tilingOf(input), official: officialIn((services.present ?? services).db), org: by.org },
    ctx.signal,
  );
  if (found > MOST_AREAS) throw problem('too_large', `A version of a set has at most ${MOST_AREAS} areas.`);
  // Before the areas are stored, which takes longest; while they were read, others may have taken the room.
  const there = { expected: room.set, replaces: room.replaced?.id ?? null };
  await services.areaSets.requireRoom(
    by,
    versionOf(input, { areas: found, vertices: distinct, report: {}, seams: '[]', ...there }),
  );
  if (read === undefined || tiling === undefined) throw atCapacity();
  await onFound?.(found);
  const { name } = input;
  const coded = groups === null ? codesAmong(read.boundaries.map(({ sourceId }) => sourceId)) : codeOf;
  const seams = await seamFeatures(tiling, (id) => `set:${name}/${coded(id)}`, ctx.signal);
  const areas = areasOf(read.boundaries, input, coded);
  let report = reportOf(input, { read, tiling, broken: [], replaced: room.replaced });
  await storeAreas(services, { name, areas }, async (tx, { areas: count, vertices, broken }) => {
    report = reportOf(input, { read, tiling, broken, replaced: room.replaced });
    const version = await services.areaSets.putVersion(
      tx,
      by,
      versionOf(input, {
        ...{ areas: count, vertices, seams, ...there },
        report: { ...report, members: groups?.members },
      }),
    );
    await within(tx);
    return version;
  });
  return report;
}

/**
 * Keeps the file of a call in the library, for a job to read.
 * @throws invalid_input for a file whose format is not recognized, a damaged gzip, and for anything but a file; too_large
 */
export async function keepGiven(ctx: Context, input: SetInput): Promise<{ file_id: string; bytes: number }> {
  if (ctx.intake === undefined && input.content === undefined) {
    const message = 'is for a file as the body or as content';
    throw invalidInput([{ path: 'keep_file', code: 'conflict', message }]);
  }
  const { format } = input;
  const nameOf = (found: string) => `Areas of ${input.name} (${found})`;
  const { id, bytes } = await keepUpload(ctx, await givenFile(ctx, input), {
    format,
    nameOf,
    madeBy: 'create_area_set',
  });
  return { file_id: id, bytes };
}

/** The file of a call. @throws not_found for a file of the library that the caller may not see */
async function givenFile(ctx: Context, input: SetInput): Promise<GivenColumns> {
  const columns = columnsOf(input);
  if (input.features !== undefined) {
    const content = JSON.stringify({ type: 'FeatureCollection', features: input.features });
    return { bytes: Buffer.from(content), extension: 'geojson', columns };
  }
  return { ...(await givenBy(ctx, input)), columns };
}

const madeFrom = ({ groups, file_id, features }: SetInput): MadeFrom => {
  if (groups !== undefined) return 'groups';
  if (features !== undefined) return 'features';
  return file_id === undefined ? 'file' : 'saved_file';
};

const tilingOf = ({ snap, snap_m: meters, overlaps, gaps }: SetInput): TilingOptions => ({
  snapMeters: snap === 'none' ? null : meters,
  ...{ overlaps, gaps },
});

const versionOf = (
  input: SetInput,
  made: Pick<NewVersion, 'areas' | 'vertices' | 'report' | 'seams' | 'expected' | 'replaces'>,
): NewVersion => ({
  name: input.name,
  title: input.title,
  visibility: input.visibility,
  validFrom: input.valid_from ?? today(),
  madeFrom: madeFrom(input),
  attribution: input.attribution,
  replace: input.replace,
  base: input.base,
  ...made,
});

/**
 * The areas with their ids. They have no codes of official boundaries, whatever the file says, so that no such code means
 * one of them.
 * @throws invalid_input for codes that differ only in what ids cannot hold
 */
function areasOf(
  read: readonly SourceBoundary[],
  { name, kind: given }: SetInput,
  coded: (code: string) => string,
): SourceBoundary[] {
  const codes = new Map<string, string>();
  return read.map((one) => {
    const code = coded(one.sourceId);
    const other = codes.get(code);
    if (other !== undefined) {
      const message = `the codes ${other} and ${one.sourceId} would both be ${code} in ids`;
      throw invalidInput([{ path: 'id_column', code: 'duplicate', message }]);
    }
    codes.set(code, one.sourceId);
    return {
      ...one,
      id: `set:${name}/${code}`,
      sourceId: code,
      codeIds: [],
      adminLevel: null,
      kind: one.kind ?? given,
      countryCode: null,
      country: null,
      iso: null,
      wikidata: null,
      tags: Object.fromEntries(Object.entries(one.tags).slice(0, MOST_TAGS)),
    };
  });
}
