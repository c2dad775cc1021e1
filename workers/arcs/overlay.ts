import initGeos from 'geos-wasm';
import type { Polygons, Trouble } from '../contract.ts';
import { orient } from './orient.ts';

/** The grid that overlays snap to: 1 is the grid of 1e-7 degrees itself, so new vertices are integers. */
const GRID = 1;

const WKB_POLYGON = 3;
const WKB_MULTIPOLYGON = 6;
const COLLECTION = 7;

type Geos = Awaited<ReturnType<typeof initGeos>>;

interface Engine {
  readonly geos: Geos;
  /** The last error message of GEOS. */
  readonly complaint: { text: string };
}

/** The only state of a thread's kernels: GEOS, loaded on first use (about 30 ms). */
let engine: Promise<Engine> | undefined;

function loadEngine(): Promise<Engine> {
  engine ??= (async () => {
    const complaint = { text: '' };
    const geos = await initGeos({
      errorHandler: (message) => {
        complaint.text = message;
      },
      // Notices only repeat what validity checks return.
      noticeHandler: () => {},
    });
    return { geos, complaint };
  })();
  return engine;
}

/**
 * The union of `include` minus the union of `exclude`, computed by GEOS (OverlayNG with snap-rounding) on the grid of
 * 1e-7 degrees. It is the strategy for boundaries whose arcs do not fit together. The result is valid, shells
 * counterclockwise. New vertices are integers, so borders near a crossing move by at most one grid unit.
 * @throws Error with GEOS's message when an input is not valid (with the place) or the overlay fails
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

/** Why polygons are invalid by OGC Simple Features, with the place; null when they are valid. */
export async function isValid(polygons: Polygons): Promise<Trouble | null> {
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

/** Owns the geometries and memory blocks of one call, and frees them together even on failure. */
class Scope {
  readonly geos: Geos;
  private readonly complaint: { text: string };
  private readonly geometries = new Set<number>();
  private readonly blocks: number[] = [];

  constructor({ geos, complaint }: Engine) {
    this.geos = geos;
    this.complaint = complaint;
  }

  release(): void {
    for (const geometry of this.geometries) this.geos.GEOSGeom_destroy(geometry);
    for (const block of this.blocks) this.geos.Module._free(block);
  }

  own(geometry: number): number {
    this.geometries.add(geometry);
    return geometry;
  }

  /**
   * Runs a GEOS function that returns a pointer, where 0 is a failure.
   * @throws Error with GEOS's message
   */
  attempt(run: () => number): number {
    this.complaint.text = '';
    let pointer = 0;
    try {
      pointer = run();
    } catch (error) {
      throw new Error(this.complaint.text || (error instanceof Error ? error.message : String(error)));
    }
    if (pointer === 0) throw new Error(this.complaint.text || 'GEOS failed without a message');
    return pointer;
  }

  private allocate(bytes: number): number {
    const block = this.geos.Module._malloc(bytes);
    if (block === 0) throw new Error(`GEOS is out of memory (${bytes} bytes wanted)`);
    this.blocks.push(block);
    return block;
  }

  /** Copies polygons into GEOS and returns the geometry's pointer. */
  read(polygons: Polygons): number {
    const { geos } = this;
    const wkb = encode(polygons);
    const block = this.allocate(wkb.byteLength);
    // Allocating may replace the heap with a larger one, so its view is taken afterward.
    geos.Module.HEAPU8.set(wkb, block);
    const reader = geos.GEOSWKBReader_create();
    try {
      return this.own(this.attempt(() => geos.GEOSWKBReader_read(reader, block, wkb.byteLength)));
    } finally {
      geos.GEOSWKBReader_destroy(reader);
    }
  }

  /**
   * The union of polygons, or 0 when they are empty.
   * @throws Error when one is not valid
   */
  unionOf(all: readonly Polygons[]): number {
    const { geos } = this;
    const parts: number[] = [];
    for (const polygons of all) {
      if (polygons.polygonEnd.length === 0) continue;
      const trouble = this.trouble(polygons);
      if (trouble) throw new Error(`${trouble.reason} at ${trouble.x} ${trouble.y}`);
      parts.push(this.read(polygons));
    }
    if (parts.length === 0) return 0;
    const list = this.allocate(4 * parts.length);
    geos.Module.HEAPU32.set(parts, list / 4);
    const collection = this.attempt(() => geos.GEOSGeom_createCollection(COLLECTION, list, parts.length));
    for (const part of parts) this.geometries.delete(part);
    this.own(collection);
    return this.own(this.attempt(() => geos.GEOSUnaryUnionPrec(collection, GRID)));
  }

  /**
   * One area as it is, or 0 when it is empty: an overlay of two rounds both to the grid, so neither needs a union first.
   * @throws Error when it is not valid
   */
  areaOf(polygons: Polygons): number {
    if (polygons.polygonEnd.length === 0) return 0;
    const short = shortRing(polygons);
    const geometry = short ? 0 : this.read(polygons);
    const trouble = short ?? this.troubleOf(geometry, polygons);
    if (trouble) throw new Error(`${trouble.reason} at ${trouble.x} ${trouble.y}`);
    return geometry;
  }

  /** areaOf() that frees everything but the result, which the scope owns. */
  onlyAreaOf(polygons: Polygons): number {
    const area = this.areaOf(polygons);
    for (const geometry of this.geometries) if (geometry !== area) this.geos.GEOSGeom_destroy(geometry);
    for (const block of this.blocks.splice(0)) this.geos.Module._free(block);
    this.geometries.clear();
    return area === 0 ? 0 : this.own(area);
  }

  trouble(polygons: Polygons): Trouble | null {
    return shortRing(polygons) ?? this.troubleOf(this.read(polygons), polygons);
  }

  /** Why the geometry of these polygons is invalid, with the place; null when it is valid. */
  private troubleOf(geometry: number, polygons: Polygons): Trouble | null {
    const { geos } = this;
    const out = this.allocate(8);
    geos.Module.HEAPU32.set([0, 0], out / 4);
    this.complaint.text = '';
    const verdict = geos.GEOSisValidDetail(geometry, 0, out, out + 4);
    const [reasonAt, place] = geos.Module.HEAPU32.subarray(out / 4, out / 4 + 2);
    const reason = reasonAt === 0 ? '' : geos.Module.UTF8ToString(reasonAt);
    if (reasonAt !== 0) geos.GEOSFree(reasonAt);
    if (place !== 0) this.own(place);
    if (verdict === 1) return null;
    if (verdict !== 0) throw new Error(this.complaint.text || 'GEOS failed without a message');
    const [x, y] = place === 0 ? [polygons.coords[0], polygons.coords[1]] : this.pointOf(place);
    return { reason, x: Math.round(x), y: Math.round(y) };
  }

  private pointOf(point: number): [number, number] {
    const { geos } = this;
    const out = this.allocate(16);
    geos.GEOSGeomGetX(point, out);
    geos.GEOSGeomGetY(point, out + 8);
    return [geos.Module.getValue(out, 'double'), geos.Module.getValue(out + 8, 'double')];
  }

  area(geometry: number): number {
    const out = this.allocate(8);
    // GEOSArea returns 1 on success and 0 on an exception.
    this.attempt(() => this.geos.GEOSArea(geometry, out));
    return this.geos.Module.getValue(out, 'double');
  }

  /** Reads polygons back from GEOS; points and lines are dropped. */
  write(geometry: number): Polygons {
    const { geos } = this;
    const writer = geos.GEOSWKBWriter_create();
    try {
      geos.GEOSWKBWriter_setOutputDimension(writer, 2);
      geos.GEOSWKBWriter_setByteOrder(writer, 1);
      const size = this.allocate(4);
      const block = this.attempt(() => geos.GEOSWKBWriter_write(writer, geometry, size));
      try {
        const bytes = geos.Module.getValue(size, 'i32');
        return decode(geos.Module.HEAPU8.slice(block, block + bytes));
      } finally {
        geos.GEOSFree(block);
      }
    } finally {
      geos.GEOSWKBWriter_destroy(writer);
    }
  }
}

/**
 * The first ring that GEOS refuses to read: unclosed, or with fewer than four vertices. It is reported as trouble, not
 * thrown.
 */
function shortRing({ coords, ringEnd }: Polygons): Trouble | null {
  for (let r = 0, start = 0; r < ringEnd.length; start = ringEnd[r++]) {
    const last = ringEnd[r] - 1;
    const open = coords[2 * start] !== coords[2 * last] || coords[2 * start + 1] !== coords[2 * last + 1];
    if (ringEnd[r] - start >= 4 && !open) continue;
    return {
      reason: open ? 'open ring' : 'Too few points in geometry component',
      x: coords[2 * start],
      y: coords[2 * start + 1],
    };
  }
  return null;
}

/** Polygons as a WKB MultiPolygon, little-endian. */
function encode({ coords, ringEnd, polygonEnd }: Polygons): Uint8Array {
  const bytes = new Uint8Array(9 + 9 * polygonEnd.length + 4 * ringEnd.length + 8 * coords.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const header = (type: number, count: number) => {
    view.setUint8(at, 1);
    view.setUint32(at + 1, type, true);
    view.setUint32(at + 5, count, true);
    at += 9;
  };
  header(WKB_MULTIPOLYGON, polygonEnd.length);
  let ring = 0;
  let vertex = 0;
  for (const end of polygonEnd) {
    header(WKB_POLYGON, end - ring);
    for (; ring < end; ring++) {
      view.setUint32(at, ringEnd[ring] - vertex, true);
      at += 4;
      for (; vertex < ringEnd[ring]; vertex++) {
        view.setFloat64(at, coords[2 * vertex], true);
        view.setFloat64(at + 8, coords[2 * vertex + 1], true);
        at += 16;
      }
    }
  }
  return bytes;
}

/** The polygons in little-endian WKB, including those in nested collections. Shells are turned counterclockwise. */
function decode(bytes: Uint8Array): Polygons {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const coords: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  let at = 0;
  const u32 = () => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const geometry = () => {
    at += 1;
    const type = u32();
    if (type === 1) {
      at += 16;
    } else if (type === 2) {
      // Read first: `at += 16 * u32()` would use the value that `at` had before the call.
      const points = u32();
      at += 16 * points;
    } else if (type === WKB_POLYGON) {
      const rings = u32();
      for (let r = 0; r < rings; r++) {
        const start = coords.length;
        for (let left = u32(); left > 0; left--, at += 16) {
          coords.push(Math.round(view.getFloat64(at, true)), Math.round(view.getFloat64(at + 8, true)));
        }
        if (ringSign(coords, start) < 0 === (r === 0)) reverseRing(coords, start);
        ringEnd.push(coords.length / 2);
      }
      if (rings > 0) polygonEnd.push(ringEnd.length);
    } else {
      for (let parts = u32(); parts > 0; parts--) geometry();
    }
  };
  geometry();
  return {
    coords: Int32Array.from(coords),
    ringEnd: Uint32Array.from(ringEnd),
    polygonEnd: Uint32Array.from(polygonEnd),
  };
}

/** The orientation of a simple closed ring from `start` to the end of `coords`: the turn at its smallest vertex. */
function ringSign(coords: readonly number[], start: number): -1 | 0 | 1 {
  const n = (coords.length - start) / 2 - 1;
  let low = 0;
  const x = (k: number) => coords[start + 2 * ((k + n) % n)];
  const y = (k: number) => coords[start + 2 * ((k + n) % n) + 1];
  for (let k = 1; k < n; k++) if (x(k) < x(low) || (x(k) === x(low) && y(k) < y(low))) low = k;
  return orient(x(low - 1), y(low - 1), x(low), y(low), x(low + 1), y(low + 1));
}

function reverseRing(coords: number[], start: number): void {
  for (let i = start, j = coords.length - 2; i < j; i += 2, j -= 2) {
    [coords[i], coords[j]] = [coords[j], coords[i]];
    [coords[i + 1], coords[j + 1]] = [coords[j + 1], coords[i + 1]];
  }
}
