/** Regions that are more than a choice of arcs: boundaries clipped to boxes, intersected, or buffered. */
import geographiclib from 'geographiclib-geodesic';
import { polygonsBox } from '../arcs/box.ts';
import { mergeBoundaries } from '../arcs/classify.ts';
import { materialize } from '../arcs/layout.ts';
import { bufferPolygons, intersection, overlay } from '../arcs/overlay.ts';
import { simplifyPolygons } from '../arcs/simplify_polygons.ts';
import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import type { RegionTree, Rings } from '../contract.ts';
import { type ArcTable, FULL, type GeometryFault, type Polygons } from '../contract.ts';
import { findStrayVertex } from '../region_check.ts';
import { bytesOf, type TaskContext, type TaskHeap, tableOf } from './task.ts';
import type { DocumentWanted, WriteResult } from './written.ts';
import { writtenOverlay } from './written_overlay.ts';

/** Evaluates a region's tree by overlays. */
export interface RegionTask extends DocumentWanted {
  readonly heap: TaskHeap;
  readonly boundaries: readonly Rings[];
  readonly tree: RegionTree;
  /** Whether any two arcs of these boundaries are recorded as crossing. */
  readonly conflict: boolean;
}

const { Geodesic } = geographiclib;

/** Units of the plane per meter: coordinates up to 20,000 km then fit 32 bits. */
const UNITS_PER_METER = 100;
/** Polygons with more vertices than this are simplified to level COARSE (2^3 m) before they are projected. */
const MAX_PROJECTED_VERTICES = 60_000;
const COARSE = 3;

/**
 * The polygons of a region at full detail, in 1e-7 degrees, or `trouble` where an overlay fails. The boundaries of a
 * set are merged on their arcs when none of those cross, otherwise by an overlay.
 * @throws DOMException named AbortError when canceled
 */
export async function regionPolygons(
  task: RegionTask,
  { common, isCanceled }: TaskContext,
): Promise<Polygons | { readonly trouble: GeometryFault }> {
  const table = tableOf(task.heap, common);
  try {
    const polygons = await evaluate(task, table, task.tree, isCanceled);
    const refs = task.boundaries.map((rings) => rings.refs);
    const stray = findStrayVertex(table, refs, task.tree, polygons, isCanceled);
    if (stray) return { trouble: { reason: 'the result reaches beyond what it is made of', ...stray } };
    return polygons;
  } catch (error) {
    if (error instanceof DOMException) throw error;
    return { trouble: { reason: error instanceof Error ? error.message : String(error), x: 0, y: 0 } };
  }
}

async function evaluate(
  task: RegionTask,
  table: ArcTable,
  tree: RegionTree,
  isCanceled: IsCanceled,
): Promise<Polygons> {
  throwIfCanceled(isCanceled);
  const inner = (part: RegionTree) => evaluate(task, table, part, isCanceled);
  switch (tree.op) {
    case 'set':
      return merged(task, table, tree.of, isCanceled);
    case 'union': {
      const parts: Polygons[] = [];
      for (const part of tree.of) parts.push(await inner(part));
      return overlay(parts, []);
    }
    case 'difference':
      return overlay([await inner(tree.of)], [await inner(tree.minus)]);
    case 'intersection':
      return intersection(await inner(tree.of), await inner(tree.with));
    case 'clip':
      return intersection(await inner(tree.of), boxes(tree.boxes));
    case 'buffer':
      return buffered(await inner(tree.of), tree.km, isCanceled);
  }
}

async function merged(
  task: RegionTask,
  table: ArcTable,
  of: readonly number[],
  isCanceled: IsCanceled,
): Promise<Polygons> {
  if (!task.conflict) {
    const refs = task.boundaries.map((rings) => rings.refs);
    const result = mergeBoundaries(table, refs, of, [], isCanceled);
    if (!('trouble' in result)) return materialize(table, result.rings, FULL, 0, isCanceled);
  }
  return overlay(
    of.map((i) => materialize(table, task.boundaries[i], FULL, 0, isCanceled)),
    [],
  );
}

/** Step in 1e-7 degrees along the northern and southern sides of a box. */
const STEP = 2_500_000;

/**
 * Boxes as polygons. Their sides along parallels have a vertex every quarter of a degree: an edge is measured as the
 * geodesic between its ends, which is far from the parallel for a long edge, and runs the other way round the globe for
 * one of more than 180 degrees.
 */
function boxes(all: readonly (readonly [number, number, number, number])[]): Polygons {
  const coords: number[] = [];
  const ringEnd: number[] = [];
  for (const [west, south, east, north] of all) {
    const columns = [west, ...columnsBetween(west, east)];
    if (east > west) columns.push(east);
    for (const x of columns) coords.push(x, south);
    for (const x of columns.reverse()) coords.push(x, north);
    coords.push(west, south);
    ringEnd.push(coords.length / 2);
  }
  return {
    coords: Int32Array.from(coords),
    ringEnd: Uint32Array.from(ringEnd),
    polygonEnd: Uint32Array.from(all, (_, i) => i + 1),
  };
}

/**
 * Polygons with a vertex every quarter of a degree where a clip cut them along a parallel: a cut is a parallel, and
 * simplifying left only the ends of it, between which the geodesic is another line.
 */
export function alongParallels(polygons: Polygons, tree: RegionTree): Polygons {
  const cuts = parallelsOf(tree);
  if (cuts.size === 0) return polygons;
  const coords: number[] = [];
  const ringEnd: number[] = [];
  let first = 0;
  for (const end of polygons.ringEnd) {
    for (let i = first; i < end; i++) {
      const [x, y] = [polygons.coords[2 * i], polygons.coords[2 * i + 1]];
      coords.push(x, y);
      if (i + 1 === end || polygons.coords[2 * i + 3] !== y || !cuts.has(y)) continue;
      const to = polygons.coords[2 * i + 2];
      for (const between of columnsBetween(x, to)) coords.push(between, y);
    }
    ringEnd.push(coords.length / 2);
    first = end;
  }
  return { coords: Int32Array.from(coords), ringEnd: Uint32Array.from(ringEnd), polygonEnd: polygons.polygonEnd };
}

/** The parallels along which a region is cut, in 1e-7 degrees. */
function parallelsOf(tree: RegionTree): Set<number> {
  switch (tree.op) {
    case 'set':
      return new Set();
    case 'union':
      return new Set(tree.of.flatMap((part) => [...parallelsOf(part)]));
    case 'difference':
      return new Set([...parallelsOf(tree.of), ...parallelsOf(tree.minus)]);
    case 'intersection':
      return new Set([...parallelsOf(tree.of), ...parallelsOf(tree.with)]);
    case 'clip':
      return new Set([...parallelsOf(tree.of), ...tree.boxes.flatMap(([, south, , north]) => [south, north])]);
    case 'buffer':
      return parallelsOf(tree.of);
  }
}

/** The multiples of STEP between two longitudes, in the order from the first to the second. */
function columnsBetween(from: number, to: number): number[] {
  const columns: number[] = [];
  const [west, east] = [Math.min(from, to), Math.max(from, to)];
  for (let x = STEP * Math.ceil((west + 1) / STEP); x < east; x += STEP) columns.push(x);
  return from < to ? columns : columns.reverse();
}

/**
 * Every point within `km` of the polygons. Works on the azimuthal equidistant plane around the center of their box:
 * distances from the center are exact, and those across it are 0.1 % too long 500 km away. Callers limit the extent.
 * @throws Error when the result crosses the antimeridian
 */
async function buffered(polygons: Polygons, km: number, isCanceled: IsCanceled): Promise<Polygons> {
  const coarse =
    polygons.coords.length / 2 > MAX_PROJECTED_VERTICES ? await simplifyPolygons(polygons, COARSE) : polygons;
  const box = polygonsBox(coarse);
  if (box === null) return polygons;
  const east = box[2] < box[0] ? box[2] + 3_600_000_000 : box[2];
  const [lat, lon] = [(box[1] + box[3]) / 2e7, (box[0] + east) / 2e7];
  const geodesic = Geodesic.WGS84;
  const plane = mapped(coarse, isCanceled, (x, y) => {
    const { s12, azi1 } = geodesic.Inverse(lat, lon, y / 1e7, x / 1e7);
    const [meters, angle] = [s12 as number, ((azi1 as number) * Math.PI) / 180];
    return [meters * Math.sin(angle) * UNITS_PER_METER, meters * Math.cos(angle) * UNITS_PER_METER];
  });
  const wide = await bufferPolygons(plane, km * 1000 * UNITS_PER_METER);
  const result = mapped(wide, isCanceled, (x, y) => {
    const angle = (Math.atan2(x, y) * 180) / Math.PI;
    const { lat2, lon2 } = geodesic.Direct(lat, lon, angle, Math.hypot(x, y) / UNITS_PER_METER);
    return [(lon2 as number) * 1e7, (lat2 as number) * 1e7];
  });
  for (let i = 2; i < result.coords.length; i += 2) {
    if (Math.abs(result.coords[i] - result.coords[i - 2]) > 1_800_000_000) {
      throw new Error('a distance across the antimeridian is not supported');
    }
  }
  // Rounding can make the result touch itself. The overlay makes it valid and guarantees that it contains the input.
  return overlay([result, polygons], []);
}

function mapped(
  { coords, ringEnd, polygonEnd }: Polygons,
  isCanceled: IsCanceled,
  to: (x: number, y: number) => [number, number],
): Polygons {
  const out = new Int32Array(coords.length);
  for (let i = 0; i < coords.length; i += 2) {
    if (i % 8192 === 0) throwIfCanceled(isCanceled);
    const [x, y] = to(coords[i], coords[i + 1]);
    out[i] = Math.round(x);
    out[i + 1] = Math.round(y);
  }
  return { coords: out, ringEnd, polygonEnd };
}

/** A region built by clips, intersections or buffers, written like an overlay merge. */
export async function run(given: RegionTask, place: TaskContext): Promise<WriteResult> {
  const result = await regionPolygons(given, place);
  return 'trouble' in result
    ? { kind: 'trouble', ...result.trouble }
    : writtenOverlay(given, result, place.isCanceled, (polygons) => alongParallels(polygons, given.tree));
}

/** The memory of the result that is moved to the main thread. */
export const moved = bytesOf;
