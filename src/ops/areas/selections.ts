import { defined } from '../../common/elements.ts';
import { loadQuery } from '../../db/query.ts';
import { type Level, MAX_MEMBERS, type Step } from '../../domain/areas/algebra.ts';
import { isCondominium, isOfLevel, levelValues } from '../../domain/areas/levels.ts';
import { meaningOf } from '../../domain/areas/names.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { Meanings } from './meanings.ts';
import { distinct, holds, membersOf, type Region, setOf } from './region.ts';

/** A level as errors and notes name it. */
export const levelText = (level: Level): string =>
  typeof level === 'number' ? `boundaries of admin level ${level}` : `the level "${level}"`;

/** Selects boundaries by level, side, measure or what they contain. */
export class Selections extends Meanings {
  protected async children(part: number, level: Level, i: number, notes: string[]): Promise<ResolvedBoundary[]> {
    const region = this.regionAt(part);
    const parents = membersOf(region);
    // "The countries of Benelux" are its members.
    const own = parents.filter(({ boundary }) => isOfLevel(boundary, level));
    const others = parents.filter(({ boundary }) => !isOfLevel(boundary, level));
    const ids = others.map(({ id }) => id);
    type Row = { readonly revision: number; readonly parent: string | null; readonly id: string | null };
    const rows =
      ids.length === 0
        ? []
        : this.ofRevision(
            await this.ctx.services.db.query<Row>(
              loadQuery('area_children'),
              [ids, ...levelValues(level), MAX_MEMBERS + 1],
              { signal: this.ctx.signal },
            ),
          );
    if (rows.length > MAX_MEMBERS)
      throw this.fail(i, `${this.quote(i)} has more than ${MAX_MEMBERS} boundaries. Describe fewer.`);
    const found = await this.resolve([...new Set(rows.flatMap(({ id }) => id ?? []))]);
    const fits = found.filter((one) => isOfLevel(one.boundary, level));
    for (const one of found) {
      if (!fits.includes(one) && isCondominium(one.boundary))
        notes.push(`${one.name} is left out: it is a condominium`);
    }
    if (own.length > 0 && this.stepAt(part).op !== 'group' && others.length === 0 && parents.length === 1) {
      throw this.fail(
        i,
        `${this.quote(i)} asks for ${levelText(level)} in ${defined(parents[0]).name}, which is itself one.`,
      );
    }
    const withRows = new Set(rows.filter(({ id }) => fits.some((one) => one.id === id)).map(({ parent }) => parent));
    const childless = others.filter(({ id }) => !withRows.has(id));
    if (childless.length > 0) {
      const called = childless.length === parents.length ? await this.calledSo(part, level) : null;
      if (called) {
        notes.push(`read as ${levelText(level)} of these names`);
        return called;
      }
      const names = childless
        .slice(0, 3)
        .map(({ name }) => name)
        .join(', ');
      throw this.fail(i, `${this.quote(i)} asks for ${levelText(level)} in ${names}, where there are none.`);
    }
    const all = distinct([...own, ...fits]);
    if (region.op === 'set') return all;
    const held = all.map((one) => holds(region, one));
    if (held.includes(null))
      throw this.fail(
        i,
        `${this.quote(i)} asks for boundaries within a distance; say "${levelText(level)} within … km of …".`,
      );
    return all.filter((_, k) => held[k]);
  }

  /** "The cantons of Wiltz and Clervaux": boundaries of a level with the names of places that have none in them. */
  private async calledSo(part: number, level: Level): Promise<ResolvedBoundary[] | null> {
    const { steps } = this.plan;
    const step = steps[part];
    const places = step?.op === 'union' ? step.of : [];
    const found: ResolvedBoundary[] = [];
    for (const place of places) {
      const named = steps[place];
      if (named?.op !== 'place' || named.name === undefined || named.id !== undefined) return null;
      const meaning = await meaningOf(this.services, { name: named.name, within: named.within, level }, this.wishes);
      if (!('found' in meaning)) return null;
      found.push(meaning.found);
    }
    return found.length === 0 ? null : distinct(found);
  }

  protected async containing(of: Region, level: Level, i: number): Promise<Region> {
    const parents = new Set<string>();
    for (const member of membersOf(of)) {
      const fits = member.boundary.parents.filter((parent) =>
        isOfLevel({ admin_level: parent.admin_level, kind: parent.kind, country: member.boundary.country }, level),
      );
      if (fits.length !== 1) {
        const reason = fits.length === 0 ? 'none contains' : `${fits.length} contain`;
        throw this.fail(i, `${this.quote(i)} asks for the ${level} that contains ${member.name}: ${reason} it.`);
      }
      parents.add(defined(fits[0]).id);
    }
    const found = await this.resolve([...parents]);
    if (found.some(({ has_geometry }) => !has_geometry))
      throw this.fail(i, `${this.quote(i)} has no polygon in the stored data.`);
    return setOf(found);
  }

  protected levelOf(region: Region, i: number): Level {
    const levels = new Set(membersOf(region).map(({ admin_level }) => admin_level));
    const [level] = levels;
    if (levels.size !== 1 || level === null || level === undefined) {
      throw this.fail(i, `${this.quote(i)} does not say which level of neighbors.`);
    }
    return level;
  }

  protected async side(step: Extract<Step, { op: 'side' }>, i: number, notes: string[]): Promise<ResolvedBoundary[]> {
    const region = this.regionAt(step.of);
    const members = membersOf(region);
    const [whole] = members;
    const centroid = whole?.boundary.centroid ?? null;
    if (region.op !== 'set' || !whole || members.length !== 1 || centroid === null) {
      throw this.fail(i, `${this.quote(i)} needs a single boundary, which is divided at its centroid.`);
    }
    const level = step.level ?? (await this.nextLevel(whole, i));
    const children = await this.children(step.of, level, i, notes);
    notes.push(
      `${levelText(level)} whose centroid lies ${step.direction} of ${centroid.lat}, ${centroid.lon}, that of ${whole.name}`,
    );
    const dx = (lon: number) => ((lon - centroid.lon + 540) % 360) - 180;
    return children.filter(({ boundary }) => {
      const at = boundary.centroid;
      if (at === null) throw this.fail(i, `${boundary.name} has no centroid.`);
      if (step.direction.startsWith('north') && !(at.lat > centroid.lat)) return false;
      if (step.direction.startsWith('south') && !(at.lat < centroid.lat)) return false;
      if (step.direction.endsWith('east') && !(dx(at.lon) > 0)) return false;
      return !step.direction.endsWith('west') || dx(at.lon) < 0;
    });
  }

  /** The next admin level below a boundary that has subdivisions with polygons. */
  protected async nextLevel(whole: ResolvedBoundary, i: number): Promise<number> {
    for (let level = (whole.admin_level ?? 12) + 1; level <= 11; level++) {
      type Row = { readonly id: string | null };
      const rows = await this.ctx.services.db.query<Row>(
        loadQuery('area_children'),
        [[whole.id], ...levelValues(level), 1],
        { signal: this.ctx.signal },
      );
      if (rows[0]?.id) return level;
    }
    throw this.fail(i, `${this.quote(i)}: ${whole.name} has no stored subdivisions.`);
  }

  protected measured(
    of: readonly ResolvedBoundary[],
    by: 'area' | 'population',
    i: number,
  ): (readonly [ResolvedBoundary, number])[] {
    const unknown: string[] = [];
    const values = of.map((one) => {
      const value = by === 'area' ? one.area_km2 : one.boundary.population;
      if (value === null) unknown.push(one.name);
      return [one, value ?? 0] as const;
    });
    if (unknown.length > 0) {
      const names = unknown.slice(0, 3).join(', ');
      throw this.fail(
        i,
        `${this.quote(i)} needs the ${by} of each, which is unknown for ${unknown.length} of ${of.length}: ${names}${unknown.length > 3 ? ' and others' : ''}.`,
      );
    }
    return values;
  }

  protected rank(of: readonly ResolvedBoundary[], step: Extract<Step, { op: 'rank' }>, i: number): ResolvedBoundary[] {
    if (of.length < step.count) throw this.fail(i, `${this.quote(i)} asks for ${step.count} of ${of.length}.`);
    const sign = step.order === 'most' ? -1 : 1;
    const values = this.measured(of, step.by, i).toSorted((a, b) => sign * (a[1] - b[1]));
    const last = defined(values[step.count - 1]);
    const next = values[step.count];
    if (next && next[1] === last[1])
      throw this.fail(i, `${this.quote(i)}: ${last[0].name} and ${next[0].name} are equal.`);
    return values.slice(0, step.count).map(([one]) => one);
  }
}
