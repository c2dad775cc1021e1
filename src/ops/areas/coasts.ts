import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import {
  type ArcEnds,
  isInRing,
  openArcs,
  pointsAround,
  pointsBeside,
  shoresOf,
  verticesOf,
} from '../../domain/areas/coast.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { countryTable } from '../../sources/countries.ts';
import { geometryOf } from '../boundaries/document.ts';
import { Combinations } from './combinations.ts';

/**
 * Two sources draw the same border up to some kilometers apart. So a place on a border counts as coast only when a
 * point OFF_METERS off it is in no country, and neither are the four points AROUND_METERS north, south, east and west
 * of that.
 */
const OFF_METERS = 8_000;
const AROUND_METERS = 4_000;
/** Places along an arc that are checked for sea. */
const CHECKED_PLACES = 32;
/** Arcs that one statement reads. */
const AT_ONCE = 5_000;
/** Limit of the boundaries of one level of a country that are compared. */
const MOST_OF_LEVEL = 60_000;

/** What is known of the arcs of all countries' land (ids without signs). */
interface Shoreline {
  /** Arcs of each land. */
  readonly lands: ReadonlyMap<string, ReadonlySet<number>>;
  /** Arcs with the sea on one side. */
  readonly sea: ReadonlySet<number>;
  /** Arcs without land on one side, where it is unknown what is there. */
  readonly doubtful: ReadonlySet<number>;
  /** ISO codes of countries that are not stored: their area must not count as sea. */
  readonly missing: readonly string[];
}

interface Land {
  readonly revision: number;
  readonly id: string;
  readonly source: string;
  readonly country_code: string | null;
  readonly seed: boolean;
  readonly arcs: readonly number[];
}

type Box = readonly [west: number, south: number, east: number, north: number];
type EndsRow = ArcEnds & {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
};
type Side = 'coastal' | 'landlocked' | 'unknown';

/** The shoreline of each database, for its newest revision. */
const kept = new WeakMap<Database, { readonly revision: number; readonly line: Shoreline }>();

/**
 * Selects boundaries by whether they touch the sea. A coast is a part of a country's border with no country on its
 * other side, unless it surrounds a lake or a sea enclosed by land. A boundary is coastal if its border includes such a
 * part.
 */
export class Coasts extends Combinations {
  /** The boundaries of `of` that touch the sea, or that do not. @throws could_not_map when it is unknown for one */
  protected async coastal(
    of: readonly ResolvedBoundary[],
    wanted: 'coastal' | 'landlocked',
    i: number,
    notes: string[],
  ): Promise<ResolvedBoundary[]> {
    const line = await this.shoreline();
    if (line.missing.length > 0) {
      const names = line.missing.slice(0, 3).join(', ');
      throw this.fail(
        i,
        `${this.quote(i)}: coasts need all countries to be stored; ${line.missing.length} are not (${names}${line.missing.length > 3 ? ' and others' : ''}).`,
      );
    }
    const sides = new Map<string, Side>();
    const groups = new Map<string, ResolvedBoundary[]>();
    for (const one of of) {
      const own = line.lands.get(one.id);
      const [parent] = one.boundary.parents.filter(({ id }) => line.lands.has(id));
      if (own) sides.set(one.id, sideOf(own, line, null));
      else if (parent && one.admin_level !== null) {
        const key = `${parent.id} ${one.admin_level}`;
        groups.set(key, [...(groups.get(key) ?? []), one]);
      } else sides.set(one.id, 'unknown');
    }
    for (const [key, members] of groups) {
      const [country = '', level] = key.split(' ');
      await this.sidesIn(country, Number(level), members, line, sides, i);
    }
    await this.checkWays(of, sides);
    const unknown = of.filter(({ id }) => sides.get(id) === 'unknown');
    if (unknown.length > 0) {
      const names = unknown.slice(0, 3).map(({ name }) => name);
      throw this.fail(
        i,
        `${this.quote(i)}: whether ${names.join(', ')}${unknown.length > 3 ? ` and ${unknown.length - 3} more` : ''} touch${unknown.length === 1 ? 'es' : ''} the sea is not known from the stored data.`,
      );
    }
    notes.push(
      'a coast is a border of a country with no land beyond it; lakes and seas that land encloses do not count',
    );
    return of.filter(({ id }) => sides.get(id) === wanted);
  }

  /** Determines the sides of boundaries of one level of a country, and adds them to `sides`. */
  private async sidesIn(
    country: string,
    level: number,
    members: readonly ResolvedBoundary[],
    line: Shoreline,
    sides: Map<string, Side>,
    i: number,
  ): Promise<void> {
    const outline = line.lands.get(country) ?? new Set<number>();
    type Row = { readonly id: string; readonly arcs: readonly number[] };
    const rows = await this.ctx.services.db.query<Row>(
      loadQuery('area_level_arcs'),
      [country, level, MOST_OF_LEVEL + 1],
      { signal: this.ctx.signal },
    );
    if (rows.length > MOST_OF_LEVEL)
      throw this.fail(i, `${this.quote(i)} compares too many boundaries. Describe fewer.`);
    const open = new Set(openArcs(rows.map(({ arcs }) => arcs)).map(Math.abs));
    const arcsOf = new Map(rows.map(({ id, arcs }) => [id, arcs]));
    const isInland = ![...outline].some((arc) => line.sea.has(arc) || line.doubtful.has(arc));
    for (const { id } of members) {
      const arcs = arcsOf.get(id);
      sides.set(
        id,
        isInland ? 'landlocked' : arcs ? sideOf(new Set(arcs.map(Math.abs)), line, { outline, open }) : 'unknown',
      );
    }
  }

  /** In OpenStreetMap, ways that are coastlines or sea borders say more than polygons: their boundaries are coastal. */
  private async checkWays(of: readonly ResolvedBoundary[], sides: Map<string, Side>): Promise<void> {
    const asked = of.filter(({ id, source }) => source.id === 'osm' && sides.get(id) !== 'coastal').map(({ id }) => id);
    if (asked.length === 0) return;
    const rows = await this.ctx.services.db.query<{ readonly id: string }>(loadQuery('area_shore_ways'), [asked], {
      signal: this.ctx.signal,
    });
    for (const { id } of rows) sides.set(id, 'coastal');
  }

  private async shoreline(): Promise<Shoreline> {
    const { db } = this.ctx.services;
    const before = kept.get(db);
    if (before?.revision === this.reading.revision) return before.line;
    const all = this.ofRevision(await db.query<Land>(loadQuery('area_lands'), [], { signal: this.ctx.signal }));
    const stored = new Set(all.map(({ country_code }) => country_code));
    const missing = Object.entries(countryTable().countries).flatMap(([code, { admin_level }]) =>
      admin_level === 2 && !stored.has(code) ? [code] : [],
    );
    const lands = missing.length > 0 ? [] : all.filter(({ arcs }) => arcs.length > 0);
    const line = { ...(await this.shorelineOf(lands)), missing };
    kept.set(db, { revision: this.reading.revision, line });
    return line;
  }

  private async shorelineOf(lands: readonly Land[]): Promise<Omit<Shoreline, 'missing'>> {
    const open = openArcs(lands.map(({ arcs }) => arcs));
    const all = [...new Set(lands.flatMap(({ arcs }) => arcs.map(Math.abs)))];
    const ends = await this.endsOf(all);
    const shores = shoresOf(open, ends);
    const inner = shores.filter(({ sort }) => sort === 'inner');
    const coords = await this.coordsOf(inner.flatMap(({ arcs }) => arcs));
    const lakes = inner.map(({ arcs }) =>
      arcs.flatMap((arc) => verticesOf(arc, coords.get(Math.abs(arc)) as Uint8Array)),
    );
    const heads = new Map(ends.map((one) => [one.id, verticesOf(1, one.head)[0] as readonly [number, number]]));
    const sea: number[] = [];
    const doubtful = new Set<number>();
    for (const { arcs, sort } of shores) {
      const [first = 0] = arcs;
      const head = heads.get(Math.abs(first));
      // The shore of an island in a lake is inside the ring of the lake's shore.
      if (sort === 'outer' && head && !lakes.some((lake) => isInRing(head, lake))) sea.push(...arcs);
      else if (sort === 'broken') for (const arc of arcs) doubtful.add(Math.abs(arc));
    }
    const borders = await this.bordersOfSources(lands, sea, ends);
    return {
      lands: new Map(lands.map(({ id, arcs }) => [id, new Set(arcs.map(Math.abs))])),
      sea: new Set(sea.map(Math.abs).filter((arc) => !borders.has(arc))),
      doubtful,
    };
  }

  /**
   * The arcs of `open` that have land of another source beside them, at all places that are checked. Lands of the seed
   * data fit each other and are not compared.
   */
  private async bordersOfSources(
    lands: readonly Land[],
    open: readonly number[],
    ends: readonly EndsRow[],
  ): Promise<Set<number>> {
    const boxes = new Map(
      ends.map(({ id, west, south, east, north }): [number, Box] => [id, [west, south, east, north]]),
    );
    const isOpen = new Map(open.map((arc) => [Math.abs(arc), arc]));
    const looked: { readonly arc: number; readonly near: readonly Land[] }[] = [];
    for (const land of lands) {
      const others = lands.filter((one) => one.source !== land.source && !(one.seed && land.seed));
      if (others.length === 0) continue;
      for (const ref of land.arcs) {
        const arc = isOpen.get(Math.abs(ref));
        const box = boxes.get(Math.abs(ref));
        if (arc === undefined || !box) continue;
        const near = others.filter(({ arcs }) => arcs.some((other) => meet(box, boxes.get(Math.abs(other)))));
        if (near.length > 0) looked.push({ arc, near: [land, ...near] });
      }
    }
    if (looked.length === 0) return new Set();
    const coords = await this.coordsOf(looked.map(({ arc }) => arc));
    const ids = [...new Set(looked.flatMap(({ near }) => near.map(({ id }) => id)))];
    const boundaries = await this.resolve(ids);
    const places = new Map(boundaries.map(({ id }, k) => [id, k]));
    const points: number[] = [];
    // For each place that is checked: its arc and its range of `items`. For each of its points: the same range.
    const [arcOf, from, end]: [number[], number[], number[]] = [[], [], []];
    const [starts, stops, items]: [number[], number[], number[]] = [[], [], []];
    for (const { arc, near } of looked) {
      const vertices = verticesOf(arc, coords.get(Math.abs(arc)) as Uint8Array);
      for (const place of pointsBeside(vertices, OFF_METERS, CHECKED_PLACES)) {
        from.push(items.length);
        arcOf.push(Math.abs(arc));
        for (const [x, y] of [place, ...pointsAround(place, AROUND_METERS)]) {
          points.push(x, y);
          starts.push(items.length);
          items.push(...near.map(({ id }) => places.get(id) as number));
          stops.push(items.length);
        }
        end.push(items.length);
      }
    }
    const inside = await this.ctx.services.engine.locateAmong(
      boundaries.map(geometryOf),
      Int32Array.from(points),
      { from: Uint32Array.from(starts), end: Uint32Array.from(stops), items: Uint32Array.from(items) },
      this.ctx.signal,
    );
    const borders = new Set(looked.map(({ arc }) => Math.abs(arc)));
    for (const [k, arc] of arcOf.entries()) {
      if (!inside.subarray(from[k], end[k]).includes(1)) borders.delete(arc);
    }
    return borders;
  }

  private async coordsOf(refs: readonly number[]): Promise<Map<number, Uint8Array>> {
    const { db } = this.ctx.services;
    const ids = refs.map(Math.abs);
    const coords = new Map<number, Uint8Array>();
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      type Row = { readonly id: number; readonly coords: Uint8Array };
      const some = ids.slice(at, at + AT_ONCE);
      for (const row of await db.query<Row>(loadQuery('area_arc_coords'), [some], { signal: this.ctx.signal }))
        coords.set(row.id, row.coords);
    }
    return coords;
  }

  private async endsOf(ids: readonly number[]): Promise<EndsRow[]> {
    const { db } = this.ctx.services;
    const rows: EndsRow[] = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const some = ids.slice(at, at + AT_ONCE);
      rows.push(...(await db.query<EndsRow>(loadQuery('area_arc_ends'), [some], { signal: this.ctx.signal })));
    }
    return rows;
  }
}

/**
 * Gap in 1e-7 degrees up to which boxes are near: more than the farthest of those points, up to 70 degrees latitude.
 */
const APART = 3_000_000;

function meet([west, south, east, north]: Box, other: Box | undefined): boolean {
  return (
    other !== undefined &&
    west - APART <= other[2] &&
    other[0] - APART <= east &&
    south - APART <= other[3] &&
    other[1] - APART <= north
  );
}

/**
 * The side of a boundary by its arcs: of a land itself (`part` null), or of a part of one, given the outline of the
 * land and the open arcs of the level.
 */
function sideOf(
  arcs: ReadonlySet<number>,
  line: Shoreline,
  part: { readonly outline: ReadonlySet<number>; readonly open: ReadonlySet<number> } | null,
): Side {
  let side: Side = 'landlocked';
  for (const arc of arcs) {
    if (line.sea.has(arc)) return 'coastal';
    if (line.doubtful.has(arc)) side = 'unknown';
    // Its other side has no boundary of its level within the country: water, or a boundary that is not stored.
    else if (part && !part.outline.has(arc) && part.open.has(arc)) side = 'unknown';
  }
  return side;
}
