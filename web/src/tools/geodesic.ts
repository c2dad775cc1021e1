/** Lengths and areas on WGS 84, by geographiclib: Karney, "Algorithms for geodesics" (2013). */
import geographiclib from 'geographiclib-geodesic';
import type { Corner } from '../drawing/inside.ts';

const { Geodesic } = geographiclib;
/** Longest piece of a line that is drawn straight on the map, in meters. */
const PIECE_M = 50_000;
const MOST_PIECES = 200;

/** The length of a line in meters, each part of it the shortest way. */
export function lengthOf(corners: readonly Corner[]): number {
  return pairs(corners).reduce((sum, [a, b]) => sum + (Geodesic.WGS84.Inverse(a[1], a[0], b[1], b[0]).s12 ?? 0), 0);
}

/** The area in m2 and the perimeter in meters of an outline, whose sides are the shortest ways. */
export function areaOf(corners: readonly Corner[]): { readonly m2: number; readonly perimeter: number } {
  const polygon = Geodesic.WGS84.Polygon(false);
  for (const [lon, lat] of corners) polygon.AddPoint(lat, lon);
  const { area = 0, perimeter } = polygon.Compute(false, true);
  return { m2: Math.abs(area), perimeter };
}

/** The places of a line on the map: the shortest way between its corners, which is not a straight line there. */
export function curved(corners: readonly Corner[]): Corner[] {
  const places = corners.slice(0, 1);
  for (const [a, b] of pairs(corners)) {
    const line = Geodesic.WGS84.InverseLine(a[1], a[0], b[1], b[0], Geodesic.STANDARD | Geodesic.DISTANCE_IN);
    const length = line.s13 ?? 0;
    const pieces = Math.max(1, Math.min(MOST_PIECES, Math.ceil(length / PIECE_M)));
    for (let i = 1; i < pieces; i++) {
      const { lat2 = 0, lon2 = 0 } = line.Position((length * i) / pieces, Geodesic.STANDARD | Geodesic.LONG_UNROLL);
      places.push([lon2 + 360 * Math.round((a[0] - line.lon1) / 360), lat2]);
    }
    places.push(b);
  }
  return places;
}

const pairs = (corners: readonly Corner[]): [Corner, Corner][] =>
  corners.slice(1).map((to, i): [Corner, Corner] => [corners[i] ?? to, to]);
