import { type AtPoint, ask } from '../api.ts';
import type { Member } from './area_set.ts';

/** A member, or a boundary that may become one, with its shape at low detail. */
export type MemberShape = GeoJSON.Feature<GeoJSON.Geometry, Member>;

/** Most pairs that look as if they overlap and are asked about: beyond that, they count as overlapping. */
const MOST_ASKED = 20;

/** The shapes of boundaries at low detail, by their ids. @throws like ask() */
export async function shapesOf(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, MemberShape>> {
  type Shapes = GeoJSON.FeatureCollection<GeoJSON.Geometry, Member>;
  const body = { ids, detail: 'low' };
  const { features } = await ask<Shapes>('/collections', { method: 'POST', body, signal });
  return new Map(features.map((one) => [one.properties.id, one]));
}

/** The rings of a polygon, or of several. */
function ringsOf(geometry: GeoJSON.Geometry): readonly GeoJSON.Position[][] {
  if (geometry.type === 'Polygon') return geometry.coordinates;
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
}

/** Whether a point is inside a shape, by how many of its edges are east of the point. */
export function holdsPoint(geometry: GeoJSON.Geometry, lon: number, lat: number): boolean {
  let isIn = false;
  for (const ring of ringsOf(geometry)) {
    let [ax = 0, ay = 0] = ring.at(-1) ?? [];
    for (const [bx = 0, by = 0] of ring) {
      if (ay > lat !== by > lat && lon < ((bx - ax) * (lat - ay)) / (by - ay) + ax) isIn = !isIn;
      [ax, ay] = [bx, by];
    }
  }
  return isIn;
}

type Extent = readonly [west: number, south: number, east: number, north: number];
const extents = new WeakMap<GeoJSON.Geometry, Extent>();

/** The least and greatest coordinates of a shape. */
function extentOf(geometry: GeoJSON.Geometry): Extent {
  const known = extents.get(geometry);
  if (known) return known;
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [x = 0, y = 0] of ringsOf(geometry).flat()) {
    [west, south, east, north] = [Math.min(west, x), Math.min(south, y), Math.max(east, x), Math.max(north, y)];
  }
  const extent: Extent = [west, south, east, north];
  extents.set(geometry, extent);
  return extent;
}

/** Whether the middle of a boundary is inside a shape. */
function holdsMiddle({ geometry }: MemberShape, { properties: { lon, lat } }: MemberShape): boolean {
  if (geometry === null || typeof lon !== 'number' || typeof lat !== 'number') return false;
  const [west, south, east, north] = extentOf(geometry);
  return lon >= west && lon <= east && lat >= south && lat <= north && holdsPoint(geometry, lon, lat);
}

/** Whether the middle of a boundary is inside another by their exact borders; areas of sets are not asked about. */
async function isExactlyIn(outer: MemberShape, { properties: { lon, lat } }: MemberShape): Promise<boolean> {
  if (outer.properties.id.startsWith('set:')) return true;
  const { items } = await ask<AtPoint>('/boundaries/reverse', { query: { lat: Number(lat), lon: Number(lon) } });
  return items.some((one) => one.contains && one.id === outer.properties.id);
}

/** Which of two boundaries seem to have the middle of the other inside, each with the other. */
const nestedIn = (one: MemberShape, other: MemberShape) =>
  [[one, other] as const, [other, one] as const].filter(([outer, inner]) => holdsMiddle(outer, inner));

/** What of some boundaries can be added, and which member the others overlap, by their ids. */
export interface Sorted {
  readonly free: readonly MemberShape[];
  readonly taken: ReadonlyMap<string, MemberShape>;
}

/**
 * Finds the boundaries that share no area with a member, or with one before them in the list: neither has the middle of
 * the other inside. At low detail a neighbor may seem to, so the service decides by the exact borders.
 * @throws like ask()
 */
export async function sortOut(wanted: readonly MemberShape[], members: readonly MemberShape[]): Promise<Sorted> {
  const free: MemberShape[] = [];
  const taken = new Map<string, MemberShape>();
  let asked = 0;
  const overlap = async (pairs: ReturnType<typeof nestedIn>): Promise<boolean> => {
    for (const [outer, inner] of pairs) {
      if (++asked > MOST_ASKED || (await isExactlyIn(outer, inner))) return true;
    }
    return false;
  };
  for (const one of wanted) {
    let clash: MemberShape | null = null;
    for (const other of [...members, ...free]) {
      // Of nearly all pairs neither is inside the other, and nothing is waited for.
      const pairs = nestedIn(one, other);
      if (pairs.length === 0 || !(await overlap(pairs))) continue;
      clash = other;
      break;
    }
    if (clash) taken.set(one.properties.id, clash);
    else free.push(one);
  }
  return { free, taken };
}

/** The level that most members have; else that of municipalities. */
export function usualLevel(shapes: readonly MemberShape[]): number {
  const counts = new Map<number, number>();
  for (const { properties } of shapes) {
    const level = properties.admin_level;
    if (typeof level === 'number') counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 8;
}
