/** Makes the areas of a file tile, as far as the caller asks for it, and says what keeps them from it. */
import { cleanCoverage } from '../../../workers/arcs/clean.ts';
import { METERS_PER_UNIT } from '../../../workers/arcs/levels.ts';
import { widthAt } from '../../../workers/arcs/official_borders.ts';
import { snapBorders } from '../../../workers/arcs/snap_borders.ts';
import {
  difference,
  fillGaps,
  gapsOf,
  giveOverlaps,
  type OverlapRule,
  overlapsOf,
  type Seam,
  shareGaps,
  shareOverlaps,
} from '../../../workers/arcs/tiling.ts';
import type { Coords } from '../../../workers/contract.ts';
import { defined } from '../../common/elements.ts';
import type { SourceBoundary } from '../types.ts';
import type { Coverage } from './read.ts';

/** What is done with areas that do not tile. */
export interface TilingOptions {
  /** Official borders within so many meters are taken; null: none are. */
  readonly snapMeters: number | null;
  readonly overlaps: 'keep' | 'smallest' | OverlapRule;
  readonly gaps: 'keep' | 'longest_border' | 'nearest';
}

/** A gap or an overlap, with the ids of areas within the source. */
export interface NamedSeam {
  readonly areas: readonly string[];
  readonly km2: number;
  /** A MultiPolygon as GeoJSON; null where there are more than are kept. */
  readonly geometry: string | null;
}

/** What was done, and what is left. */
export interface Tiling {
  readonly gaps: readonly NamedSeam[];
  readonly overlaps: readonly NamedSeam[];
  readonly filled: readonly NamedSeam[];
  readonly given: readonly NamedSeam[];
  /** What areas got of gaps, and lost of overlaps. */
  readonly changed: readonly { readonly id: string; readonly gained: number; readonly lost: number }[];
  readonly moved: readonly { readonly id: string; readonly km2: number }[];
  readonly left: readonly string[];
  /** Gaps in one place that are larger after snapping. */
  readonly widened: readonly { readonly areas: readonly string[]; readonly km2: number; readonly km2Before: number }[];
}

/** Official borders that meet boxes (west, south, east, north; 1e-7 degrees), as chains of vertices. */
export type OfficialChains = (boxes: Float64Array) => Promise<readonly Coords[]>;

/** Gaps, overlaps and their vertices whose shapes are kept. */
const MOST_SHAPES = 1_000;
const MOST_VERTICES = 200_000;

/**
 * Snaps the areas to official borders, gives overlaps and gaps away, in this order, as far as the options say.
 * @returns the coverage with the areas as they are then
 */
export async function tileCoverage(
  coverage: Coverage,
  { snapMeters, overlaps, gaps }: TilingOptions,
  official: OfficialChains,
): Promise<{ readonly coverage: Coverage; readonly tiling: Tiling }> {
  const { boundaries } = coverage;
  const idOf = (f: number): string => defined(boundaries[f]).sourceId;
  let features: readonly { readonly rings: readonly Coords[] }[] = boundaries.map(({ border }) => ({
    rings: 'rings' in border ? border.rings : [],
  }));
  let moved: Tiling['moved'] = [];
  let left: readonly string[] = [];
  let widened: Tiling['widened'] = [];
  if (snapMeters !== null) {
    const chains = await official(boxesOf(features, snapMeters));
    const snapped = await snapBorders(features, chains, snapMeters);
    features = snapped.features;
    moved = snapped.moved.map(({ feature, km2 }) => ({ id: idOf(feature), km2 })).sort((p, q) => q.km2 - p.km2);
    left = snapped.left.map(idOf);
    widened = snapped.widened.map(({ gaps, ...sizes }) => ({
      ...sizes,
      areas: [...new Set(gaps.flatMap(({ areas }) => areas))].map(idOf),
    }));
  }
  // Snapping changes overlaps, too: they are found in what is there now.
  let pairs = (await cleanCoverage(features)).overlaps;
  const given = overlaps === 'keep' ? [] : named(shapesOf(features, pairs), idOf);
  const before = features;
  if (pairs.length > 0 && overlaps !== 'keep') {
    if (overlaps === 'smallest') {
      const shared = await shareOverlaps(features);
      features = shared.features;
      pairs = shared.overlaps;
    } else {
      features = await giveOverlaps(features, overlaps);
      pairs = (await cleanCoverage(features)).overlaps;
    }
  }
  const holes = gapsOf(features);
  if (gaps === 'longest_border') features = await fillGaps(features, holes);
  if (gaps === 'nearest') features = await shareGaps(features, holes);
  const isFilled = gaps !== 'keep';
  const kept: SourceBoundary[] = [];
  const skipped = [...coverage.skipped];
  for (const [f, { rings }] of features.entries()) {
    const one = defined(boundaries[f]);
    if (rings.length === 0)
      skipped.push({
        id: one.sourceId,
        reason: `all of it is in ${overlaps === 'smallest' ? 'smaller' : 'other'} areas`,
      });
    else kept.push({ ...one, border: { rings: [...rings] } });
  }
  const tiling = {
    gaps: isFilled ? [] : named(holes, idOf),
    filled: isFilled ? named(holes, idOf) : [],
    overlaps: named(shapesOf(features, pairs), idOf),
    ...{ given, changed: changesOf(before, features, idOf), moved, left, widened },
  };
  const listed = tiling.overlaps.map(({ areas: [a = '', b = ''], km2 }) => ({ a, b, km2 }));
  return { coverage: { ...coverage, boundaries: kept, skipped, overlaps: listed }, tiling };
}

type Features = readonly { readonly rings: readonly Coords[] }[];

/** What each area has more and less than before, in km2; the largest changes first. */
function changesOf(before: Features, after: Features, idOf: (f: number) => string): Tiling['changed'] {
  const changed = after.flatMap(({ rings }, f) => {
    const old = defined(before[f]).rings;
    if (rings.length === old.length && rings.every((ring, r) => ring === old[r])) return [];
    const { more, less } = difference(old, rings);
    return more + less > 0 ? [{ id: idOf(f), gained: more, lost: less }] : [];
  });
  return changed.sort((p, q) => q.gained + q.lost - p.gained - p.lost);
}

/** The overlaps of pairs, of which the largest have shapes. */
function shapesOf(
  features: Features,
  pairs: readonly { readonly a: number; readonly b: number; readonly km2: number }[],
): Seam[] {
  const shaped = overlapsOf(features, pairs.slice(0, MOST_SHAPES), MOST_VERTICES);
  return [...shaped, ...pairs.slice(MOST_SHAPES).map(({ a, b, km2 }) => ({ areas: [a, b], km2, polygons: [] }))];
}

function named(seams: readonly Seam[], idOf: (f: number) => string): NamedSeam[] {
  let vertices = 0;
  return seams.map(({ areas, km2, polygons }, i) => {
    vertices += polygons.flat().reduce((sum, { length }) => sum + length / 2, 0);
    const isShown = i < MOST_SHAPES && vertices <= MOST_VERTICES && polygons.length > 0;
    return { areas: areas.map(idOf), km2, geometry: isShown ? geometryOf(polygons) : null };
  });
}

/** Polygons as GeoJSON. This process writes it, so that the server does not. */
function geometryOf(polygons: Seam['polygons']): string {
  const positions = (ring: Coords) =>
    Array.from({ length: ring.length / 2 }, (_, i) => [(ring[2 * i] ?? 0) / 1e7, (ring[2 * i + 1] ?? 0) / 1e7]);
  return JSON.stringify({ type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map(positions)) });
}

/** The box of each ring, wider by a distance. */
function boxesOf(features: Features, meters: number): Float64Array {
  const boxes: number[] = [];
  const high = meters / METERS_PER_UNIT;
  for (const { rings } of features) {
    for (const ring of rings) {
      let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let i = 0; i < ring.length; i += 2) {
        const [x, y] = [ring[i] as number, ring[i + 1] as number];
        [west, south, east, north] = [Math.min(west, x), Math.min(south, y), Math.max(east, x), Math.max(north, y)];
      }
      const wide = meters / Math.max(METERS_PER_UNIT / 1_000, Math.min(widthAt(south), widthAt(north)));
      boxes.push(west - wide, south - high, east + wide, north + high);
    }
  }
  return Float64Array.from(boxes);
}
