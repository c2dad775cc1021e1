import { defined } from '../../common/elements.ts';
import { loadQuery } from '../../db/query.ts';
import type { Level } from '../../domain/areas/algebra.ts';
import { isOfLevel, levelValues } from '../../domain/areas/levels.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { FAR, NEAR } from '../../geometry/engine.ts';
import { geometryOf } from '../boundaries/document.ts';
import { byName, distinct, membersOf, type Region } from './region.ts';
import { Selections } from './selections.ts';

/** Distance in meters up to which boundaries of two sources count as neighbors. */
const NEAR_METERS = 2_000;
/**
 * Limit in km of the distance from a buffer's middle. The buffer is computed on a plane around it: exact to 0.1 % up to
 * this distance.
 */
const BUFFER_REACH = 500;
const METERS_A_DEGREE = 110_500;
/** Limit of the pairs of boundaries that one step compares. */
const MOST_PAIRS = 20_000;

/** Selects boundaries by what they border or how far away they are, and widens areas by a distance. */
export class Nearness extends Selections {
  /** Degrees of longitude and latitude by which boxes may be apart when their boundaries are within `meters`. */
  protected reach(members: readonly ResolvedBoundary[], meters: number): [number, number] {
    const dy = meters / METERS_A_DEGREE;
    const highest =
      Math.max(...members.map(({ north, south }) => Math.max(Math.abs(north ?? 0), Math.abs(south ?? 0)))) / 1e7 + dy;
    const dx = highest >= 89 ? 360 : dy / Math.cos((highest * Math.PI) / 180);
    return [Math.min(360, dx), dy];
  }

  /** The boundaries within `meters` of `members`, and how near they are. Boxes select the candidates. */
  protected async near(
    members: readonly ResolvedBoundary[],
    which: { readonly level?: Level; readonly of?: readonly ResolvedBoundary[] },
    { meters, apart }: { readonly meters: number; readonly apart: boolean },
    i: number,
  ): Promise<Map<string, { readonly one: ResolvedBoundary; nearness: number }>> {
    type Row = {
      readonly revision: number;
      readonly id: string | null;
      readonly own: string | null;
      readonly same_source: boolean | null;
    };
    const values = [
      members.map(({ id }) => id),
      which.of ? which.of.map(({ id }) => id) : null,
      ...levelValues(which.level ?? null),
      ...this.reach(members, meters),
      apart,
      MOST_PAIRS + 1,
    ] as const;
    const rows = this.ofRevision(
      await this.ctx.services.db.query<Row>(loadQuery('area_near'), values, { signal: this.ctx.signal }),
    );
    if (rows.length > MOST_PAIRS) throw this.fail(i, `${this.quote(i)} compares too many boundaries. Describe fewer.`);
    const known = new Map(members.map((one) => [one.id, one]));
    for (const one of await this.resolve([
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
      const far = apart && same_source === true ? null : meters;
      pairs.push([place.get(id) as number, place.get(own) as number, far]);
    }
    const nearness = await this.ctx.services.engine.near(all.map(geometryOf), pairs, this.ctx.signal);
    const found = new Map<string, { readonly one: ResolvedBoundary; nearness: number }>();
    for (const [k, [a]] of pairs.entries()) {
      if (nearness[k] === FAR) continue;
      const one = defined(all[a]);
      const before = found.get(one.id);
      if (before) before.nearness = Math.max(before.nearness, defined(nearness[k]));
      else found.set(one.id, { one, nearness: defined(nearness[k]) });
    }
    return found;
  }

  protected async touching(
    border: Region,
    i: number,
    which: { readonly level?: Level; readonly of?: readonly ResolvedBoundary[] },
    notes: string[],
  ): Promise<ResolvedBoundary[]> {
    if (border.op !== 'set')
      throw this.fail(i, `${this.quote(i)} asks what borders a cut area; name whole boundaries.`);
    const met = [...(await this.near(border.members, which, { meters: NEAR_METERS, apart: true }, i)).values()];
    const near = met.filter(({ nearness }) => nearness === NEAR);
    if (near.length > 0) {
      const names = near
        .slice(0, 3)
        .map(({ one }) => one.name)
        .join(', ');
      notes.push(
        `${names}${near.length > 3 ? ` and ${near.length - 3} more` : ''}: within 2 km, from another source, so they share no line`,
      );
    }
    notes.push('boundaries that meet it only in single points are not counted; lakes count only where polygons meet');
    return met.map(({ one }) => one).sort(byName);
  }

  protected async within(
    from: Region,
    km: number,
    i: number,
    which: { readonly level?: Level; readonly of?: readonly ResolvedBoundary[] },
  ): Promise<ResolvedBoundary[]> {
    if (from.op !== 'set')
      throw this.fail(i, `${this.quote(i)} asks for a distance to a cut area; name whole boundaries.`);
    const { members } = from;
    const [dx] = this.reach(members, km * 1000);
    const crossing = members.find(
      ({ west, east }) => (west ?? 0) / 1e7 - dx < -180 || (east ?? 0) / 1e7 + dx > 180 || (east ?? 0) < (west ?? 0),
    );
    if (crossing)
      throw this.fail(i, `${this.quote(i)} crosses the antimeridian at ${crossing.name}, which distances cannot do.`);
    const met = await this.near(members, which, { meters: km * 1000, apart: false }, i);
    const own = members.filter((one) =>
      which.of
        ? which.of.some(({ id }) => id === one.id)
        : which.level !== undefined && isOfLevel(one.boundary, which.level),
    );
    return distinct([...own, ...[...met.values()].map(({ one }) => one)]).sort(byName);
  }

  protected buffer(of: Region, km: number, i: number, notes: string[]): Region {
    const boxes = membersOf(of);
    const degrees = (list: readonly number[]) => Math.max(...list) - Math.min(...list);
    const south = boxes.map((one) => (one.south ?? 0) / 1e7);
    const north = boxes.map((one) => (one.north ?? 0) / 1e7);
    const west = boxes.map((one) => (one.west ?? 0) / 1e7);
    const east = boxes.map((one) =>
      (one.east ?? 0) < (one.west ?? 0) ? Number.POSITIVE_INFINITY : (one.east ?? 0) / 1e7,
    );
    const high = degrees([...south, ...north]) * 111;
    const wide =
      degrees([...west, ...east]) * 111 * Math.cos((Math.min(...[...south, ...north].map(Math.abs)) * Math.PI) / 180);
    const polar = Math.max(...[...south, ...north].map(Math.abs)) > 80;
    if (polar || !(Math.hypot(high, wide) / 2 + km <= BUFFER_REACH)) {
      throw this.fail(
        i,
        `${this.quote(i)} is too large for a distance around it: the limit is ${BUFFER_REACH} km from its middle. Ask for boundaries within the distance.`,
      );
    }
    notes.push('every point within the distance, to 0.1 %');
    return { op: 'buffer', of, km };
  }
}
