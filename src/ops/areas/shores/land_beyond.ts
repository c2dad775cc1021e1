import type { Turns } from '../../../common/turns.ts';
import { pointsAround, pointsBeside, type Vector, verticesOf } from '../../../domain/areas/coast.ts';
import { geometryOf } from '../../boundaries/document.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import { boxIn } from './boxes.ts';
import type { Land } from './land.ts';
import { LandIndex } from './land_index.ts';
import type { ArcReader } from './rows.ts';

/**
 * Two sources draw the same border up to some kilometers apart. So a place on a border counts as coast only when a
 * point OFF_METERS off it is in no country, and neither are the four points AROUND_METERS north, south, east and west
 * of that.
 */
const OFF_METERS = 8_000;
const AROUND_METERS = 4_000;
/** Places along an arc that are checked for sea. */
const CHECKED_PLACES = 32;

/** An arc with no land of its own source on the other side, and the lands near it. */
export interface Looked {
  readonly arc: number;
  readonly near: readonly string[];
}

/**
 * The arcs of `open` that have land of another source beside them, at all places that are checked. Lands of the seed
 * data fit each other and are not compared.
 */
export async function bordersOfSources(
  run: PlanRun,
  lands: readonly Land[],
  open: readonly number[],
  { ends, coords: read }: ArcReader,
  turns: Turns,
): Promise<Set<number>> {
  const boxes = new Map(ends.map((one) => [one.id, boxIn(one)]));
  const isOpen = new Map(open.map((arc) => [Math.abs(arc), arc]));
  const looked: Looked[] = [];
  let index: LandIndex | null = null;
  for (const land of lands) {
    const others = lands.filter((one) => one.source !== land.source && !(one.seed && land.seed));
    if (others.length === 0) continue;
    index ??= await LandIndex.of(lands, boxes, turns);
    for (const ref of land.arcs) {
      if (turns.spend()) await turns.next();
      const arc = isOpen.get(Math.abs(ref));
      const box = boxes.get(Math.abs(ref));
      if (arc === undefined || !box) continue;
      const near = await index.near(box, others, turns);
      if (near.length > 0) looked.push({ arc, near: [land, ...near].map(({ id }) => id) });
    }
  }
  const borders = new Set(looked.map(({ arc }) => Math.abs(arc)));
  for (const { arc, inside } of await landBeyond(run, looked, read, turns)) if (inside.size === 0) borders.delete(arc);
  return borders;
}

/**
 * For places beyond open arcs: which of the lands near contain the place itself or one of the four points around it.
 * Arcs are named without a sign.
 */
export async function landBeyond(
  run: PlanRun,
  looked: readonly Looked[],
  read: ArcReader['coords'],
  turns: Turns,
): Promise<{ readonly arc: number; readonly place: Vector; readonly inside: ReadonlySet<string> }[]> {
  const coords = await read(looked.map(({ arc }) => arc));
  const ids = [...new Set(looked.flatMap(({ near }) => near))];
  const boundaries = await run.resolve(ids);
  const places = new Map(boundaries.map(({ id }, k) => [id, k]));
  const points: number[] = [];
  const beyond: { arc: number; place: Vector; near: readonly string[]; from: number; end: number }[] = [];
  // For each of the points: its range of `items`.
  const [starts, stops, items]: [number[], number[], number[]] = [[], [], []];
  for (const { arc, near } of looked) {
    const vertices = verticesOf(arc, coords.get(Math.abs(arc)) as Uint8Array);
    if (turns.spend(vertices.length)) await turns.next();
    for (const place of pointsBeside(vertices, OFF_METERS, CHECKED_PLACES)) {
      if (turns.spend(1 + near.length)) await turns.next();
      const from = items.length;
      for (const [x, y] of [place, ...pointsAround(place, AROUND_METERS)]) {
        points.push(x, y);
        starts.push(items.length);
        items.push(...near.map((id) => places.get(id) as number));
        stops.push(items.length);
      }
      beyond.push({ arc: Math.abs(arc), place, near, from, end: items.length });
    }
  }
  if (items.length === 0) return beyond.map(({ arc, place }) => ({ arc, place, inside: new Set<string>() }));
  const inside = await run.ctx.services.engine.points.locateAmong(
    boundaries.map(geometryOf),
    Int32Array.from(points),
    { from: Uint32Array.from(starts), end: Uint32Array.from(stops), items: Uint32Array.from(items) },
    run.ctx.signal,
  );
  const found: { readonly arc: number; readonly place: Vector; readonly inside: ReadonlySet<string> }[] = [];
  for (const { arc, place, near, from, end } of beyond) {
    if (turns.spend(1 + near.length)) await turns.next();
    found.push({ arc, place, inside: new Set(near.filter((_, k) => anyOf(inside, from + k, end, near.length))) });
  }
  return found;
}

/** Whether one of `flags` is 1, of every `step`-th from `from` until `end`. */
function anyOf(flags: Uint8Array, from: number, end: number, step: number): boolean {
  for (let at = from; at < end; at += step) if (flags[at] === 1) return true;
  return false;
}
