/** Which parts of areas are near each other, and which are so far from the rest that they get a map of their own. */
import type { Polygons } from '../contract.ts';
import { alongRing, type Extent, eastward } from './projection.ts';

const KM_A_DEGREE = 111.2;
/** Parts closer than this (km) belong together. */
const NEAR_KM = 200;
/** A group is far from the main one beyond a share of that one's diagonal, within these bounds (km). */
const FAR = { share: 0.15, least: NEAR_KM, most: 500 };
/** The main group has at least this share of the areas; else nothing is apart. */
const MAIN_SHARE = 0.6;
/** From a main map this wide (degrees) on, it is one of the world, on which nothing is apart. */
const WORLD = 180;
const MOST_INSETS = 6;
/** Groups share an inset if they are closer than the larger of them is wide, up to this (km): it would be mostly sea. */
const TOGETHER_KM = 1_500;

/** A part of an area: polygon `polygon` of area `area`. */
export interface Part {
  readonly area: number;
  readonly polygon: number;
}

/** Parts that one map shows. */
export interface Cluster {
  readonly parts: readonly Part[];
  readonly extent: Extent;
}

interface Group {
  /** Cells of one degree: column + 180 + 360 * (row + 90). */
  readonly cells: number[];
  readonly parts: Part[];
}

const columnOf = (cell: number): number => (cell % 360) - 180;
const rowOf = (cell: number): number => Math.floor(cell / 360) - 90;

function cellOf(lon: number, lat: number): number {
  const column = Math.min(359, Math.max(0, Math.floor(lon + 180)));
  return column + 360 * Math.min(179, Math.max(0, Math.floor(lat + 90)));
}

/** The distance between two cells in km, on the ground at their mean latitude. */
function distance(a: number, b: number): number {
  const dy = rowOf(a) - rowOf(b);
  const across = Math.abs(columnOf(a) - columnOf(b));
  const dx = Math.min(across, 360 - across) * Math.cos(((rowOf(a) + rowOf(b) + 1) / 360) * Math.PI);
  return KM_A_DEGREE * Math.max(0, Math.hypot(dx, dy) - 1);
}

function gap(a: Group, b: Group): number {
  let least = Number.POSITIVE_INFINITY;
  for (const one of a.cells) for (const other of b.cells) least = Math.min(least, distance(one, other));
  return least;
}

/** The extent of a group from its cells, to a degree. */
function roughExtent({ cells }: Group): Extent {
  const [west, east] = eastward(cells.map(columnOf));
  const rows = cells.map(rowOf);
  const least = rows.reduce((low, row) => Math.min(low, row), 90);
  const most = rows.reduce((high, row) => Math.max(high, row), -90);
  return { west, east, south: least, north: most + 1 };
}

function diagonal({ west, south, east, north }: Extent): number {
  return KM_A_DEGREE * Math.hypot((east - west) * Math.cos(((south + north) / 360) * Math.PI), north - south);
}

/**
 * Groups the parts of areas: the main map first, then the insets, the largest first. Parts within 200 km of each other
 * are one group; the main group is that with the most areas; a group is apart when it is farther from the main one than
 * 15 % of the main one's diagonal (200 to 500 km). On a map of the world nothing is apart.
 */
export function clustersOf(areas: readonly Polygons[], withInsets: boolean, isCanceled?: () => void): Cluster[] {
  const groups = groupsOf(areas);
  const main = withInsets ? mainOf(groups, areas.length) : null;
  if (main === null) return [clusterOf(joined(groups), areas)];
  let body = main;
  let rest = groups.filter((one) => one !== main);
  for (let grew = true; grew; ) {
    isCanceled?.();
    const far = Math.min(FAR.most, Math.max(FAR.least, FAR.share * diagonal(roughExtent(body))));
    const near = rest.filter((one) => gap(body, one) <= far);
    grew = near.length > 0;
    rest = rest.filter((one) => !near.includes(one));
    body = joined([body, ...near]);
  }
  const { west, east } = roughExtent(body);
  if (east - west > WORLD) return [clusterOf(joined(groups), areas)];
  const insets: Group[] = [];
  for (const one of rest.sort((a, b) => b.cells.length - a.cells.length)) {
    const near = insets.findIndex((other) => gap(one, other) <= together(one, other));
    if (near >= 0) insets[near] = joined([insets[near], one]);
    else if (insets.length < MOST_INSETS) insets.push(one);
    else {
      const gaps = insets.map((other) => gap(one, other));
      const closest = gaps.indexOf(Math.min(...gaps));
      insets[closest] = joined([insets[closest], one]);
    }
  }
  return [body, ...insets].map((group) => clusterOf(group, areas));
}

const together = (one: Group, other: Group): number =>
  Math.min(TOGETHER_KM, Math.max(diagonal(roughExtent(one)), diagonal(roughExtent(other))));

const joined = (groups: readonly Group[]): Group => ({
  cells: groups.flatMap(({ cells }) => cells),
  parts: groups.flatMap(({ parts }) => parts),
});

/** The group with the most areas, each counted where most of its cells are; null when it has too few of them. */
function mainOf(groups: readonly Group[], areas: number): Group | null {
  const size = new Map<number, { group: number; parts: number }>();
  const count = groups.map(() => 0);
  groups.forEach(({ parts, cells }, g) => {
    const own = new Map<number, number>();
    for (const { area } of parts) own.set(area, (own.get(area) ?? 0) + 1);
    for (const [area] of own) {
      const known = size.get(area);
      if (known === undefined || cells.length > known.parts) size.set(area, { group: g, parts: cells.length });
    }
  });
  for (const { group } of size.values()) count[group]++;
  const best = count.indexOf(Math.max(...count));
  return groups.length > 1 && count[best] >= MAIN_SHARE * areas ? groups[best] : null;
}

/** Parts by nearness: a flood over the cells of a degree that their borders pass. */
function groupsOf(areas: readonly Polygons[]): Group[] {
  const parts: { readonly part: Part; readonly cell: number }[] = [];
  const used = new Set<number>();
  areas.forEach(({ coords, ringEnd, polygonEnd }, area) => {
    let ring = 0;
    polygonEnd.forEach((end, polygon) => {
      const from = ring === 0 ? 0 : ringEnd[ring - 1];
      let first = -1;
      alongRing(coords, from, ringEnd[ring], (lon, lat) => {
        const cell = cellOf(lon, lat);
        if (first < 0) first = cell;
        used.add(cell);
      });
      parts.push({ part: { area, polygon }, cell: first });
      ring = end;
    });
  });
  const groupOf = new Map<number, number>();
  const groups: Group[] = [];
  for (const seed of used) {
    if (groupOf.has(seed)) continue;
    const cells = [seed];
    groupOf.set(seed, groups.length);
    for (let at = 0; at < cells.length; at++) {
      for (const near of around(cells[at])) {
        if (!used.has(near) || groupOf.has(near) || distance(cells[at], near) > NEAR_KM) continue;
        groupOf.set(near, groups.length);
        cells.push(near);
      }
    }
    groups.push({ cells, parts: [] });
  }
  for (const { part, cell } of parts) groups[groupOf.get(cell) as number].parts.push(part);
  return groups;
}

function* around(cell: number): Generator<number> {
  const high = Math.ceil(NEAR_KM / KM_A_DEGREE) + 1;
  for (let row = Math.max(-90, rowOf(cell) - high); row <= Math.min(89, rowOf(cell) + high); row++) {
    const wide = Math.min(180, Math.ceil(high / Math.max(0.02, Math.cos(((Math.abs(row) + 1) / 180) * Math.PI))));
    for (let dx = -wide; dx <= wide; dx++) {
      const column = (columnOf(cell) + dx + 540) % 360;
      yield column + 360 * (row + 90);
    }
  }
}

/** The exact extent of the parts of a group. */
function clusterOf({ cells, parts }: Group, areas: readonly Polygons[]): Cluster {
  const rough = roughExtent({ cells, parts });
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { area, polygon } of parts) {
    const { coords, ringEnd, polygonEnd } = areas[area];
    const ring = polygon === 0 ? 0 : polygonEnd[polygon - 1];
    for (let v = ring === 0 ? 0 : ringEnd[ring - 1]; v < ringEnd[ring]; v++) {
      const lon = coords[2 * v] / 1e7;
      const x = lon < rough.west ? lon + 360 : lon;
      const y = coords[2 * v + 1] / 1e7;
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    }
  }
  return { parts, extent: { west, south, east, north } };
}
