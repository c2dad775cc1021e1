import { defined } from '../../../common/elements.ts';
import { loadQuery } from '../../../db/query.ts';
import type { Level } from '../../../domain/areas/algebra.ts';
import { isOfLevel, levelValues } from '../../../domain/areas/levels.ts';
import { said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { FAR } from '../../../geometry/spatial_relations.ts';
import { geometryOf } from '../../boundaries/document.ts';
import type { PlanRun } from '../execution/plan_run.ts';

const METERS_A_DEGREE = 110_500;
/** Limit of the pairs of boundaries that one step compares. */
const MOST_PAIRS = 20_000;

/** Which boundaries are looked for: all of a level, or those of a list. */
export interface Wanted {
  readonly level?: Level;
  readonly of?: readonly ResolvedBoundary[];
}

/** A boundary that is near others, and how near: NEAR or SHARED. */
export interface Near {
  readonly one: ResolvedBoundary;
  nearness: number;
}

/** Degrees of longitude and latitude by which boxes may be apart when their boundaries are within `meters`. */
export function reach(members: readonly ResolvedBoundary[], meters: number): [number, number] {
  const dy = meters / METERS_A_DEGREE;
  const highest =
    Math.max(...members.map(({ north, south }) => Math.max(Math.abs(north ?? 0), Math.abs(south ?? 0)))) / 1e7 + dy;
  const dx = highest >= 89 ? 360 : dy / Math.cos((highest * Math.PI) / 180);
  return [Math.min(360, dx), dy];
}

/** A boundary that is near one of some others, and how near: NEAR or SHARED. */
export interface NearPair {
  readonly one: ResolvedBoundary;
  readonly own: ResolvedBoundary;
  readonly nearness: number;
}

/** The boundaries within `meters` of `members`, and how near they are at most. */
export async function near(
  run: PlanRun,
  members: readonly ResolvedBoundary[],
  which: Wanted,
  reached: { readonly meters: number; readonly apart: boolean },
  i: number,
): Promise<Map<string, Near>> {
  const found = new Map<string, Near>();
  for (const { one, nearness } of await nearPairs(run, members, which, reached, i)) {
    const before = found.get(one.id);
    if (before) before.nearness = Math.max(before.nearness, nearness);
    else found.set(one.id, { one, nearness });
  }
  return found;
}

/**
 * The boundaries within `meters` of each of `members`, and how near they are to it. Boxes select the candidates.
 * `apart` leaves out boundaries of `members`, and those that contain one of them or lie in one; `sharing` counts boundaries of one
 * source only where they share a line.
 */
export async function nearPairs(
  run: PlanRun,
  members: readonly ResolvedBoundary[],
  which: Wanted,
  { meters, apart, sharing = apart }: { readonly meters: number; readonly apart: boolean; readonly sharing?: boolean },
  i: number,
): Promise<NearPair[]> {
  const values = [
    members.map(({ id }) => id),
    which.of ? which.of.map(({ id }) => id) : null,
    ...levelValues(which.level ?? null),
    ...reach(members, meters),
    apart,
    MOST_PAIRS + 1,
  ] as const;
  const rows = run.ofRevision(
    await run.ctx.services.db.query(loadQuery('area_near'), values, { signal: run.ctx.signal }),
  );
  if (rows.length > MOST_PAIRS) throw run.fail(i, said`${run.quote(i)} compares too many boundaries. Describe fewer.`);
  await run.spend(rows.length, i);
  const known = new Map(members.map((one) => [one.id, one]));
  for (const one of await run.resolve([
    ...new Set(rows.flatMap(({ id }) => (id === null || known.has(id) ? [] : [id]))),
  ]))
    known.set(one.id, one);
  const all = [...known.values()];
  const place = new Map(all.map(({ id }, k) => [id, k]));
  const pairs: [number, number, number | null][] = [];
  for (const { id, own, same_source } of rows) {
    if (id === null || own === null || id === own) continue;
    const one = known.get(id) as ResolvedBoundary;
    if (which.level !== undefined && !isOfLevel(one.boundary, which.level)) continue;
    // Boundaries of one source fit each other: neighbors share an arc.
    const far = sharing && same_source === true ? null : meters;
    pairs.push([place.get(id) as number, place.get(own) as number, far]);
  }
  const nearness = await run.ctx.services.engine.relations.near(all.map(geometryOf), pairs, run.ctx.signal);
  return pairs.flatMap(([a, b], k): NearPair[] =>
    nearness[k] === FAR ? [] : [{ one: defined(all[a]), own: defined(all[b]), nearness: defined(nearness[k]) }],
  );
}
