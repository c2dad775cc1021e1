/** Regions that are more than a choice of arcs: boundaries clipped to boxes, intersected, or buffered. */
import geographiclib from 'geographiclib-geodesic';
import { type IsCancelled, throwIfCancelled } from './cancel.ts';
import { type ArcTable, FULL, type Polygons, type Trouble } from './contract.ts';
import { type TaskContext, tableOf } from './exact.ts';
import { polygonsBox } from './kernels/box.ts';
import { mergeBoundaries } from './kernels/classify.ts';
import { materialize } from './kernels/layout.ts';
import { bufferPolygons, intersection, overlay } from './kernels/overlay.ts';
import { simplifyPolygons } from './kernels/simplify_polygons.ts';
import { findStrayVertex } from './region_check.ts';
import type { RegionTask, RegionTree } from './tasks.ts';

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
  { common, isCancelled }: TaskContext,
): Promise<Polygons | { readonly trouble: Trouble }> {
  const table = tableOf(task.heap, common);
  try {
    const polygons = await evaluate(task, table, task.tree, isCancelled);
    const refs = task.boundaries.map((rings) => rings.refs);
    const stray = findStrayVertex(table, refs, task.tree, polygons, isCancelled);
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
  isCancelled: IsCancelled,
): Promise<Polygons> {
  throwIfCancelled(isCancelled);
  const inner = (part: RegionTree) => evaluate(task, table, part, isCancelled);
  switch (tree.op) {
    case 'set':
      return merged(task, table, tree.of, isCancelled);
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
      return buffered(await inner(tree.of), tree.km, isCancelled);
  }
}

async function merged(
  task: RegionTask,
  table: ArcTable,
  of: readonly number[],
  isCancelled: IsCancelled,
): Promise<Polygons> {
  if (!task.conflict) {
    const refs = task.boundaries.map((rings) => rings.refs);
    const result = mergeBoundaries(table, refs, of, [], isCancelled);
    if (!('trouble' in result)) return materialize(table, result.rings, FULL, 0, isCancelled);
  }
  return overlay(
    of.map((i) => materialize(table, task.boundaries[i], FULL, 0, isCancelled)),
    [],
  );
}

function boxes(all: readonly (readonly [number, number, number, number])[]): Polygons {
  const coords = all.flatMap(([west, south, east, north]) => [
    west,
    south,
    east,
    south,
    east,
    north,
    west,
    north,
    west,
    south,
  ]);
  return {
    coords: Int32Array.from(coords),
    ringEnd: Uint32Array.from(all, (_, i) => 5 * (i + 1)),
    polygonEnd: Uint32Array.from(all, (_, i) => i + 1),
  };
}

/**
 * Every point within `km` of the polygons. Works on the azimuthal equidistant plane around the center of their box:
 * distances from the center are exact, and those across it are 0.1 % too long 500 km away. Callers limit the extent.
 * @throws Error when the result crosses the antimeridian
 */
async function buffered(polygons: Polygons, km: number, isCancelled: IsCancelled): Promise<Polygons> {
  const coarse =
    polygons.coords.length / 2 > MAX_PROJECTED_VERTICES ? await simplifyPolygons(polygons, COARSE) : polygons;
  const box = polygonsBox(coarse);
  if (box === null) return polygons;
  const east = box[2] < box[0] ? box[2] + 3_600_000_000 : box[2];
  const [lat, lon] = [(box[1] + box[3]) / 2e7, (box[0] + east) / 2e7];
  const geodesic = Geodesic.WGS84;
  const plane = mapped(coarse, isCancelled, (x, y) => {
    const { s12, azi1 } = geodesic.Inverse(lat, lon, y / 1e7, x / 1e7);
    const [meters, angle] = [s12 as number, ((azi1 as number) * Math.PI) / 180];
    return [meters * Math.sin(angle) * UNITS_PER_METER, meters * Math.cos(angle) * UNITS_PER_METER];
  });
  const wide = await bufferPolygons(plane, km * 1000 * UNITS_PER_METER);
  const result = mapped(wide, isCancelled, (x, y) => {
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
  isCancelled: IsCancelled,
  to: (x: number, y: number) => [number, number],
): Polygons {
  const out = new Int32Array(coords.length);
  for (let i = 0; i < coords.length; i += 2) {
    if (i % 8192 === 0) throwIfCancelled(isCancelled);
    const [x, y] = to(coords[i], coords[i + 1]);
    out[i] = Math.round(x);
    out[i + 1] = Math.round(y);
  }
  return { coords: out, ringEnd, polygonEnd };
}
