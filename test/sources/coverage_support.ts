import initGeos from 'geos-wasm';
import type { Coords } from '../../workers/contract.ts';

/** The folder with real map data; if undefined, tests that need it are skipped. */
export const REAL_DATA_DIR = process.env.REAL_DATA_DIR;

/** A closed ring from its corners, without the repeated first one. */
export function ring(...corners: (readonly [number, number])[]): Coords {
  return Int32Array.from([...corners, corners[0]!].flat());
}

export function doubleArea(coords: Coords): number {
  let sum = 0;
  for (let i = 2; i + 3 < coords.length; i += 2) {
    sum += (coords[i]! - coords[0]!) * (coords[i + 3]! - coords[1]!);
    sum -= (coords[i + 2]! - coords[0]!) * (coords[i + 1]! - coords[1]!);
  }
  return sum;
}

/** Even-odd test for a point that is not on a ring. */
function isInside(coords: Coords, x: number, y: number): boolean {
  let inside = false;
  for (let i = 0; i + 3 < coords.length; i += 2) {
    const [ax, ay, bx, by] = [coords[i]!, coords[i + 1]!, coords[i + 2]!, coords[i + 3]!];
    if (ay > y === by > y) continue;
    if (x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}

/** Groups rings into polygons by the number of rings that contain them: an oracle, quadratic and unlike the code. */
export function nest(rings: readonly Coords[]): Coords[][] {
  const depth = rings.map((own) => {
    // The middle of an edge: rings may touch at vertices.
    const x = (own[0]! + own[2]!) / 2;
    const y = (own[1]! + own[3]!) / 2;
    return rings.filter((other) => other !== own && isInside(other, x, y));
  });
  const polygons = new Map<Coords, Coords[]>();
  for (const [i, own] of rings.entries()) if (depth[i]!.length % 2 === 0) polygons.set(own, [own]);
  for (const [i, own] of rings.entries()) {
    if (depth[i]!.length % 2 === 0) continue;
    const shells = depth[i]!.filter((other) => polygons.has(other));
    shells.sort((a, b) => Math.abs(doubleArea(a)) - Math.abs(doubleArea(b)));
    if (shells[0] === undefined) polygons.set(own, [own]);
    else polygons.get(shells[0])!.push(own);
  }
  return [...polygons.values()];
}

/** WKB of a feature's rings as a MultiPolygon, in units of 1e-7 degrees. */
export function toWkb(rings: readonly Coords[]): Buffer {
  const parts: Buffer[] = [];
  const head = (type: number, count: number) => {
    const bytes = Buffer.alloc(9);
    bytes.writeUInt8(1, 0);
    bytes.writeUInt32LE(type, 1);
    bytes.writeUInt32LE(count, 5);
    return bytes;
  };
  const polygons = nest(rings);
  parts.push(head(6, polygons.length));
  for (const polygon of polygons) {
    parts.push(head(3, polygon.length));
    for (const coords of polygon) {
      const bytes = Buffer.alloc(4 + coords.length * 8);
      bytes.writeUInt32LE(coords.length / 2, 0);
      for (let i = 0; i < coords.length; i++) bytes.writeDoubleLE(coords[i]!, 4 + 8 * i);
      parts.push(bytes);
    }
  }
  return Buffer.concat(parts);
}

/**
 * GEOS's verdict on a coverage: the indexes of invalid features, and whether all edges match. GEOS reports a false
 * mismatch for a hole that touches its shell at a vertex of a neighbor: tests with such shapes use `pairsMeetAtEdges`.
 */
export async function geosCheck(features: readonly { readonly rings: readonly Coords[] }[]) {
  const geos = await initGeos({ errorHandler: () => {}, noticeHandler: () => {} });
  const reader = geos.GEOSWKBReader_create();
  const invalid: number[] = [];
  const geometries: number[] = [];
  for (const [f, feature] of features.entries()) {
    if (feature.rings.length === 0) continue;
    const wkb = toWkb(feature.rings);
    const pointer = geos.Module._malloc(wkb.length);
    geos.Module.HEAPU8.set(wkb, pointer);
    const geometry = geos.GEOSWKBReader_read(reader, pointer, wkb.length);
    geos.Module._free(pointer);
    if (geometry === 0 || geos.GEOSisValid(geometry) !== 1) invalid.push(f);
    if (geometry !== 0) geometries.push(geometry);
  }
  const pointers = geos.Module._malloc(4 * geometries.length);
  geos.Module.HEAPU32.set(geometries, pointers / 4);
  // 7: a collection, which takes ownership of the geometries.
  const collection = geos.GEOSGeom_createCollection(7, pointers, geometries.length);
  const matches = invalid.length > 0 ? null : geos.GEOSCoverageIsValid(collection, 0, 0 as never) === 1;
  geos.GEOSGeom_destroy(collection);
  geos.Module._free(pointers);
  geos.GEOSWKBReader_destroy(reader);
  return { invalid, matches };
}

/** The combined area of features (each even-odd) and the length of all their edges, by GEOS, in units. */
export async function geosArea(features: readonly (readonly Coords[])[]): Promise<{ area: number; length: number }> {
  const geos = await initGeos({ errorHandler: () => {}, noticeHandler: () => {} });
  const reader = geos.GEOSWKBReader_create();
  const read = (wkb: Buffer) => {
    const pointer = geos.Module._malloc(wkb.length);
    geos.Module.HEAPU8.set(wkb, pointer);
    const geometry = geos.GEOSWKBReader_read(reader, pointer, wkb.length);
    geos.Module._free(pointer);
    return geometry;
  };
  let length = 0;
  let union = read(toWkb([]));
  for (const rings of features) {
    let own = read(toWkb([]));
    for (const coords of rings) {
      for (let i = 2; i < coords.length; i += 2) {
        length += Math.hypot(coords[i]! - coords[i - 2]!, coords[i + 1]! - coords[i - 1]!);
      }
      // GEOS rejects rings of fewer than four positions; this one goes there and back and has no area.
      if (coords.length < 8) continue;
      // MakeValid takes a ring even-odd; the symmetric difference of a feature's rings is the feature.
      const raw = read(toWkb([coords]));
      const lined = geos.GEOSMakeValid(raw);
      // Spikes become lines next to the polygons: a zero-width buffer drops them.
      const valid = geos.GEOSBuffer(lined, 0, 8);
      const both = geos.GEOSSymDifference(own, valid);
      for (const old of [raw, lined, valid, own]) geos.GEOSGeom_destroy(old);
      own = both;
    }
    const both = geos.GEOSUnion(union, own);
    geos.GEOSGeom_destroy(own);
    geos.GEOSGeom_destroy(union);
    union = both;
  }
  const pointer = geos.Module._malloc(8);
  geos.GEOSArea(union, pointer);
  const area = geos.Module.getValue(pointer, 'double');
  geos.Module._free(pointer);
  geos.GEOSGeom_destroy(union);
  geos.GEOSWKBReader_destroy(reader);
  return { area, length };
}

/** Whether no two features overlap (by GEOS, pair by pair) and no vertex of one is inside an edge of any. */
export async function pairsMeetAtEdges(features: readonly { readonly rings: readonly Coords[] }[]): Promise<boolean> {
  const geos = await initGeos({ errorHandler: () => {}, noticeHandler: () => {} });
  const reader = geos.GEOSWKBReader_create();
  const geometries = features.map(({ rings }) => {
    const wkb = toWkb(rings);
    const pointer = geos.Module._malloc(wkb.length);
    geos.Module.HEAPU8.set(wkb, pointer);
    const geometry = geos.GEOSWKBReader_read(reader, pointer, wkb.length);
    geos.Module._free(pointer);
    return geometry;
  });
  const pattern = geos.Module._malloc(10);
  geos.Module.stringToUTF8('T********', pattern, 10);
  let meets = true;
  for (const [i, one] of geometries.entries()) {
    for (const other of geometries.slice(0, i)) {
      if (geos.GEOSRelatePattern(one, other, pattern as never) !== 0) meets = false;
    }
  }
  geos.Module._free(pattern);
  for (const geometry of geometries) geos.GEOSGeom_destroy(geometry);
  geos.GEOSWKBReader_destroy(reader);
  return meets && meetAtVertices(features);
}

/** Whether no vertex of a feature is inside an edge of any, and no two edges cross. */
export function meetAtVertices(features: readonly { readonly rings: readonly Coords[] }[]): boolean {
  let meets = true;
  const rings = features.flatMap((feature) => feature.rings);
  const side = (a: readonly [number, number], b: readonly [number, number], x: number, y: number) => {
    const turn = BigInt(b[0] - a[0]) * BigInt(y - a[1]) - BigInt(b[1] - a[1]) * BigInt(x - a[0]);
    return turn > 0n ? 1 : turn < 0n ? -1 : 0;
  };
  const isInsideEdge = (x: number, y: number, a: readonly [number, number], b: readonly [number, number]) => {
    if (x < Math.min(a[0], b[0]) || x > Math.max(a[0], b[0])) return false;
    if (y < Math.min(a[1], b[1]) || y > Math.max(a[1], b[1])) return false;
    const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], x - a[0], y - a[1]].map(BigInt) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ];
    if (ux * vy !== uy * vx) return false;
    const along = ux * vx + uy * vy;
    return along > 0n && along < ux * ux + uy * uy;
  };
  for (const edges of rings) {
    for (let i = 2; i < edges.length; i += 2) {
      const a = [edges[i - 2]!, edges[i - 1]!] as const;
      const b = [edges[i]!, edges[i + 1]!] as const;
      for (const points of rings) {
        for (let k = 2; k < points.length; k += 2) {
          if (isInsideEdge(points[k]!, points[k + 1]!, a, b)) meets = false;
          const c = [points[k - 2]!, points[k - 1]!] as const;
          const d = [points[k]!, points[k + 1]!] as const;
          // Most are far from each other, and need no exact arithmetic.
          const isDisjoint =
            Math.max(c[0], d[0]) < Math.min(a[0], b[0]) ||
            Math.max(a[0], b[0]) < Math.min(c[0], d[0]) ||
            Math.max(c[1], d[1]) < Math.min(a[1], b[1]) ||
            Math.max(a[1], b[1]) < Math.min(c[1], d[1]);
          if (isDisjoint) continue;
          const isCrossed = side(a, b, ...c) * side(a, b, ...d) < 0 && side(c, d, ...a) * side(c, d, ...b) < 0;
          if (isCrossed) meets = false;
        }
      }
    }
  }
  return meets;
}
