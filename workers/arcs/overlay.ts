import type { GeometryFault, Polygons } from '../contract.ts';
import { GRID, loadEngine, Scope } from './geos.ts';

/**
 * The union of `include` minus the union of `exclude`, computed by GEOS (OverlayNG with snap-rounding) on the grid of
 * 1e-7 degrees. It is the strategy for boundaries whose arcs do not fit together. The result is valid, shells
 * counterclockwise. New vertices are integers, so borders near a crossing move by at most one grid unit.
 * @throws Error with GEOS's message when an input is not valid (with the place) or the overlay fails
 * @example
 * (await overlay([polygons], [])).ringEnd // => [5]
 */
export async function overlay(include: readonly Polygons[], exclude: readonly Polygons[]): Promise<Polygons> {
  const scope = new Scope(await loadEngine());
  try {
    const kept = scope.unionOf(include);
    if (kept === 0) return emptyPolygons();
    const cut = scope.unionOf(exclude);
    const { geos } = scope;
    const result = cut === 0 ? kept : scope.own(scope.attempt(() => geos.GEOSDifferencePrec(kept, cut, GRID)));
    return scope.write(result);
  } finally {
    scope.release();
  }
}

/**
 * Why polygons are invalid by OGC Simple Features, with the place; null when they are valid.
 * @example
 * await isValid(polygons) // => null
 */
export async function isValid(polygons: Polygons): Promise<GeometryFault | null> {
  const scope = new Scope(await loadEngine());
  try {
    return scope.trouble(polygons);
  } finally {
    scope.release();
  }
}

/**
 * The share (0 … 1) of the child's area that is inside the parent. Areas are measured in the plane of longitude and
 * latitude: the ratio decides which boundary contains which; it is not for reporting areas.
 * @throws Error like `overlay`, and when the child has no area
 */
export async function intersectionShare(child: Polygons, parent: Polygons): Promise<number> {
  const within = await sharesWithin(parent);
  try {
    return within.shareOf(child);
  } finally {
    within.release();
  }
}

/** Measures children against one parent. */
export interface SharesWithin {
  /** The share of one child, like intersectionShare(). */
  shareOf(child: Polygons): number;
  /** Frees the parent's memory. Do not call shareOf() afterward. */
  release(): void;
}

/**
 * intersectionShare() for many children of one parent. The parent is built once, because that takes longer than the
 * rest.
 * @throws Error like `overlay`, from shareOf()
 */
export async function sharesWithin(parent: Polygons): Promise<SharesWithin> {
  const engine = await loadEngine();
  const outer = new Scope(engine);
  let around: number | null = null;
  return {
    shareOf(child) {
      const scope = new Scope(engine);
      try {
        const whole = scope.areaOf(child);
        if (whole === 0) throw new Error('the child has no area');
        around ??= outer.areaOf(parent);
        if (around === 0) return 0;
        const other = around;
        const { geos } = scope;
        const common = scope.own(scope.attempt(() => geos.GEOSIntersectionPrec(whole, other, GRID)));
        const area = scope.area(whole);
        if (!(area > 0)) throw new Error('the child has no area');
        return Math.min(1, scope.area(common) / area);
      } finally {
        scope.release();
      }
    },
    release: () => outer.release(),
  };
}

/**
 * The common area of two areas, on the same grid as `overlay`.
 * @throws Error like `overlay`
 */
export async function intersection(a: Polygons, b: Polygons): Promise<Polygons> {
  const scope = new Scope(await loadEngine());
  try {
    const [one, other] = [scope.areaOf(a), scope.areaOf(b)];
    if (one === 0 || other === 0) return emptyPolygons();
    const { geos } = scope;
    return scope.write(scope.own(scope.attempt(() => geos.GEOSIntersectionPrec(one, other, GRID))));
  } finally {
    scope.release();
  }
}

/** Vertices of the areas that Intersections keeps: 16 bytes each, and as much again for its index. */
const KEPT_VERTICES = 2_000_000;

/** Intersects many pairs of areas. Each area is read and checked once: that takes longer than an intersection. */
export interface Intersections {
  /**
   * The common area of two areas, on the grid: without it, GEOS may find nothing in common where borders nearly coincide.
   * @throws Error like `overlay`
   */
  of(a: number, b: number): Polygons;
  /** Frees all memory. Do not call of() afterward. */
  release(): void;
}

/**
 * Opens Intersections of areas that have numbers. `polygonsOf` makes one; it is called again when the area was used so
 * long ago that it is not kept: areas with more than `mostVertices` together are not.
 */
export async function openIntersections(
  polygonsOf: (area: number) => Polygons,
  mostVertices = KEPT_VERTICES,
): Promise<Intersections> {
  const engine = await loadEngine();
  const kept = new Map<number, { readonly scope: Scope; readonly geometry: number; readonly vertices: number }>();
  let vertices = 0;

  /** The geometry of an area, 0 when it is empty; the areas used longest ago make room for it, `beside` excepted. */
  function geometryOf(area: number, beside: number): number {
    let one = kept.get(area);
    if (one) kept.delete(area);
    else {
      const polygons = polygonsOf(area);
      const scope = new Scope(engine);
      try {
        one = { scope, geometry: scope.onlyAreaOf(polygons), vertices: polygons.coords.length / 2 };
      } catch (error) {
        scope.release();
        throw error;
      }
      vertices += one.vertices;
    }
    kept.set(area, one);
    for (const [old, { scope, vertices: own }] of kept) {
      if (vertices <= mostVertices) break;
      if (old === area || old === beside) continue;
      scope.release();
      kept.delete(old);
      vertices -= own;
    }
    return one.geometry;
  }

  return {
    of(a, b) {
      const [one, other] = [geometryOf(a, b), geometryOf(b, a)];
      if (one === 0 || other === 0) return emptyPolygons();
      const scope = new Scope(engine);
      try {
        return scope.write(scope.own(scope.attempt(() => scope.geos.GEOSIntersectionPrec(one, other, GRID))));
      } finally {
        scope.release();
      }
    },
    release() {
      for (const { scope } of kept.values()) scope.release();
      kept.clear();
      vertices = 0;
    },
  };
}

/**
 * The polygons buffered by a distance in their own units. Corners are round, with 32 segments per quarter circle (at
 * most 0.03 % inside the circle). Works on a plane: callers project first.
 * @throws Error like `overlay`
 */
export async function bufferPolygons(polygons: Polygons, distance: number): Promise<Polygons> {
  const scope = new Scope(await loadEngine());
  try {
    const whole = scope.unionOf([polygons]);
    if (whole === 0) return emptyPolygons();
    const { geos } = scope;
    const wide = scope.own(scope.attempt(() => geos.GEOSBuffer(whole, distance, 32)));
    return scope.write(scope.own(scope.attempt(() => geos.GEOSGeom_setPrecision(wide, GRID, 0))));
  } finally {
    scope.release();
  }
}

function emptyPolygons(): Polygons {
  return { coords: new Int32Array(0), ringEnd: new Uint32Array(0), polygonEnd: new Uint32Array(0) };
}
