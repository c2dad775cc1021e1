/** Where areas are cut in half. */

import { loadQuery } from '../../../db/query.ts';
import type { Direction } from '../../../domain/areas/algebra.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { boxOfAll, type Rectangle, TURN } from './boxes.ts';
import type { PlanRun } from './plan_run.ts';

/** A polygon of a boundary: its box in 1e-7 degrees, whose east may be beyond 180 degrees, and a measure of its area. */
interface Part {
  readonly id: string;
  readonly box: Rectangle;
  readonly area: number;
}

/** Where a direction cuts, in 1e-7 degrees; the axes on which only main parts count. */
export interface Middle {
  readonly x: number;
  readonly y: number;
  readonly main: readonly ('east' | 'north')[];
}

/** Share of the area that one half has at least where all parts of the boundaries count. */
const UNEVEN = 1 / 3;
/** Share of the area of a boundary that its main parts have: the 48 states have 83 % of the United States. */
const MAIN = 0.8;
/** Boundaries whose polygons are read at most, and these polygons. */
const [MOST_DIVIDED, MOST_PARTS] = [100, 10_000];

/**
 * The middle of the box of some boundaries. If that leaves less than a third of the area on one side, because far islands
 * are in the box, it is the middle of the box of their main parts: the largest polygons of each, with four fifths of its
 * area. Of more than a hundred boundaries, each is one part. Null when none of them has a box.
 */
export async function middleOf(
  run: PlanRun,
  i: number,
  boundaries: readonly ResolvedBoundary[],
  direction: Direction,
): Promise<Middle | null> {
  const box = boxOfAll(boundaries);
  if (box === null) return null;
  const parts = await partsOf(run, i, boundaries, box);
  const inner = mainBox(parts) ?? box;
  const [x, y] = [middle(box, 0), middle(box, 1)];
  const isFar = { east: isUneven(parts, 0, x), north: isUneven(parts, 1, y) };
  const asked = { east: /(?:east|west)$/.test(direction), north: /^(?:north|south)/.test(direction) };
  const other = { east: middle(inner, 0), north: middle(inner, 1) };
  const main = (['north', 'east'] as const).filter(
    (axis) => asked[axis] && isFar[axis] && other[axis] !== (axis === 'east' ? x : y),
  );
  return { x: main.includes('east') ? other.east : x, y: main.includes('north') ? other.north : y, main };
}

/** The polygons of some boundaries, turned as their box is; of many, whole boundaries, so that no shape is read. */
async function partsOf(
  run: PlanRun,
  i: number,
  boundaries: readonly ResolvedBoundary[],
  [edge]: Rectangle,
): Promise<readonly Part[]> {
  const ids = boundaries.map(({ id }) => id);
  const { db } = run.ctx.services;
  const rows =
    ids.length > MOST_DIVIDED
      ? boundaries.map((one) => ({ ...one, area: one.area_km2 ?? 0 }))
      : await db.query(loadQuery('area_parts'), [ids, MOST_PARTS], { signal: run.ctx.signal });
  await run.spend(rows.length, i);
  return rows.flatMap(({ id, west, south, east, north, area }): Part[] => {
    if (west === null || south === null || east === null || north === null) return [];
    const right = east < west ? east + TURN : east;
    const turn = west < edge ? TURN : 0;
    return [{ id, box: [west + turn, south, right + turn, north], area }];
  });
}

/** The two sides of a box on an axis: west and east, or south and north. */
const sidesOn = ([west, south, east, north]: Rectangle, axis: 0 | 1): readonly [number, number] =>
  axis === 0 ? [west, east] : [south, north];

function middle(box: Rectangle, axis: 0 | 1): number {
  const [from, to] = sidesOn(box, axis);
  return Math.round((from + to) / 2);
}

/** Whether a line leaves little of the area of some polygons on one side, as far as their boxes say. */
function isUneven(parts: readonly Part[], axis: 0 | 1, line: number): boolean {
  let [all, before] = [0, 0];
  for (const { box, area } of parts) {
    const [from, to] = sidesOn(box, axis);
    all += area;
    before += area * (line <= from ? 0 : line >= to ? 1 : (line - from) / (to - from));
  }
  return Math.min(before, all - before) < UNEVEN * all;
}

/** The box of the largest polygons of each boundary, which come first, until they have most of its area; null without any. */
function mainBox(parts: readonly Part[]): Rectangle | null {
  const areas = new Map<string, number>();
  for (const { id, area } of parts) areas.set(id, (areas.get(id) ?? 0) + area);
  const before = new Map<string, number>();
  const main = parts.filter(({ id, area }) => {
    const had = before.get(id) ?? 0;
    before.set(id, had + area);
    return had < MAIN * (areas.get(id) ?? 0);
  });
  return boxOfAll(main.map(({ box: [west, south, east, north] }) => ({ west, south, east, north })));
}
