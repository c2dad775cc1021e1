/** Reads the inland water of a file of OpenStreetMap. */

import { chainBox } from '../../workers/arcs/box.ts';
import { METERS_PER_UNIT } from '../../workers/arcs/levels.ts';
import { describeTask } from '../../workers/assembly.ts';
import { NOTHING_STORED } from '../../workers/build.ts';
import type { MapBox } from '../../workers/osm/blob.ts';
import { defined } from '../common/elements.ts';
import type { Engine } from '../geometry/engine.ts';
import { batches } from './batches.ts';
import type { OnProgress } from './osm/bytes.ts';
import type { OsmExtract } from './osm/collect.ts';
import { decodeInPool } from './osm/decode.ts';
import type { PartSize } from './osm/parts.ts';
import { openOsmFile } from './osm/read.ts';
import { toWaterAreas, type WaterArea } from './osm/water.ts';
import { cutWaysAtSeam } from './seam.ts';
import { type InlandWater, SeenWater, type WholeBoundary } from './store/inland_model.ts';
import type { Extent } from './store/topology.ts';
import type { SourceBoundary } from './types.ts';

/** Bytes of the borders that are assembled in one task. */
const BATCH_BYTES = 16 * 2 ** 20;
/** Limit of the vertices of water that is stored: they are in memory together. */
const MOST_VERTICES = 50_000_000;
/** Limit of the areas, of which the ids and boxes are in memory. */
const MOST_AREAS = 10_000_000;

/** The inland water of a file. */
export interface WaterOfFile {
  readonly water: readonly InlandWater[];
  /** Ids of smaller water. */
  readonly smaller: ReadonlySet<string>;
  /** Water of which the file has no vertex: ids, with what it lacks. */
  readonly unplaced: ReadonlyMap<string, string>;
  /** The areas that the file has whole. */
  readonly seen: SeenWater;
  readonly bbox: MapBox | null;
  readonly timestamp: string | null;
}

/**
 * Reads lakes and rivers of at least `leastKm2` from a file of OpenStreetMap. An area whose border the file does not have
 * whole, or whose border does not assemble, is of unknown size: it is given with the reason, unless nothing of it is
 * missing and its box is smaller. One of which the file has no vertex could be anywhere.
 * @throws Error when the file cannot be read, or has no inland water at all
 */
export async function readInlandWater(
  engine: Engine,
  path: string,
  leastKm2: number,
  { onProgress, size }: { readonly onProgress: OnProgress; readonly size?: PartSize | undefined },
): Promise<WaterOfFile> {
  const decode = decodeInPool(engine.pool);
  const file = await openOsmFile(path, { kept: 'water', decode, onProgress, ...(size ? { size } : {}) });
  const water: InlandWater[] = [];
  const smaller = new Set<string>();
  const unplaced = new Map<string, string>();
  const seen = new SeenWater();
  let vertices = 0;
  const add = (one: InlandWater) => {
    vertices += one.rings.reduce((sum, { length }) => sum + length / 2, 0);
    water.push(one);
    if (vertices > MOST_VERTICES)
      throw new Error(`inland water of more than ${MOST_VERTICES} vertices is not read: state a larger size`);
  };
  try {
    for await (const extract of file.extracts()) {
      const whole: WaterArea[] = [];
      for (const area of toWaterAreas(extract)) {
        const { id, ways: rings, lacks } = area;
        if (lacks !== null) seen.note(id, null);
        if (lacks === null) whole.push(area);
        else if (rings.length > 0) add({ id, rings, reason: `the file lacks ${lacks}`, isPart: true });
        else unplaced.set(id, lacks);
      }
      const weight = ({ ways }: WaterArea) => ways.reduce((sum, { byteLength }) => sum + byteLength, 100);
      for (const some of batches(whole, weight, BATCH_BYTES)) {
        for (const { id, rings, km2, reason } of await assembled(engine, some)) {
          seen.note(id, boxOf(rings));
          if (km2 < leastKm2) smaller.add(id);
          else add({ id, rings, ...(reason === undefined ? {} : { reason }) });
        }
      }
      if (water.length + smaller.size + unplaced.size > MOST_AREAS)
        throw new Error(`more than ${MOST_AREAS} areas of inland water are not read`);
    }
    if (water.length + smaller.size + unplaced.size === 0)
      throw new Error(
        `${path}: it has no inland water (natural=water, waterway=riverbank): if it was filtered, keep a/natural=water`,
      );
    return { water, smaller, unplaced, seen, bbox: file.bbox, timestamp: file.timestamp };
  } finally {
    await file.close();
  }
}

/** The boundaries of a part whose whole border the file has, and whether it is the inner border of other boundaries. */
export function wholeOf(
  boundaries: readonly SourceBoundary[],
  { relations, ways }: Pick<OsmExtract, 'relations' | 'ways'>,
): WholeBoundary[] {
  const inner = new Set<number>();
  for (const { members } of relations) for (const { role, ref } of members) if (role === 'inner') inner.add(ref);
  return boundaries.flatMap(({ id, version, border }) => {
    if (id === null || 'rings' in border || !border.ways.every((way) => (ways.get(way)?.coords ?? null) !== null))
      return [];
    return [{ id, version, isInner: border.ways.every((way) => inner.has(way)) }];
  });
}

/** Areas as rings with water on their left, and their size: of one that does not assemble, that of its box. */
async function assembled(engine: Engine, areas: readonly WaterArea[]) {
  const chains: Int32Array[] = [];
  const boundaries = areas.map(({ ways }) => ({
    chains: Uint32Array.from(cutWaysAtSeam(ways), (way) => chains.push(way) - 1),
    adminLevel: 13,
  }));
  const result = await engine.pool.runPatiently('assemble', {
    chains,
    storedFrom: chains.length,
    ...NOTHING_STORED,
    boundaries,
  });
  const described = await engine.pool.runPatiently('describe', describeTask(result, boundaries));
  const { coords, first, length } = result.arcs;
  let next = 0;
  return areas.map(({ id, ways }, i) => {
    const one = defined(result.boundaries[i]);
    if ('trouble' in one) return { id, rings: ways, km2: boxKm2(ways), reason: `its border is broken: ${one.trouble}` };
    const { areaKm2: km2 } = defined(described[next++]);
    const { refs, ringEnd } = one.rings;
    const rings = Array.from(ringEnd, (end, r) => {
      const ring: number[] = [];
      for (const ref of refs.subarray(r === 0 ? 0 : ringEnd[r - 1], end)) {
        const arc = ref < 0 ? ~ref : ref;
        const at = 2 * defined(first[arc]);
        const n = defined(length[arc]);
        for (let k = 0; k < n; k++) {
          const v = at + 2 * (ref < 0 ? n - 1 - k : k);
          if (k === 0 && ring.length > 0) continue;
          ring.push(defined(coords[v]), defined(coords[v + 1]));
        }
      }
      return Int32Array.from(ring);
    });
    return { id, rings, km2 };
  });
}

/** At least the area of the box around lines, in km2. */
function boxKm2(lines: readonly Int32Array[]): number {
  const [west, south, east, north] = boxOf(lines);
  return ((east - west) * (north - south) * METERS_PER_UNIT ** 2) / 1e6;
}

function boxOf(lines: readonly Int32Array[]): Extent {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const line of lines) {
    const [w, s, e, n] = chainBox(line);
    west = Math.min(west, w);
    south = Math.min(south, s);
    east = Math.max(east, e);
    north = Math.max(north, n);
  }
  return [west, south, east, north];
}
