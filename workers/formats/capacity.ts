import type { Document, Polygons } from '../contract.ts';

/** Bytes of the longest number between two degrees, written with so many digits. */
function numberBytes(low: number, high: number, digits: number): number {
  const whole = String(Math.trunc(Math.max(Math.abs(low), Math.abs(high)))).length;
  return (Math.min(low, high) < 0 ? 1 : 0) + whole + (digits > 0 ? 1 + digits : 0);
}

/**
 * A close guess of a document's bytes, seldom too low: the longest point of its box for every vertex. A guess, since
 * nothing here checks that the coordinates keep to the box.
 *
 * @param pointBytes what a format writes around the two numbers of a point
 * @param ringBytes what it writes around a ring, its share of a polygon included
 */
export function capacity(polygons: Polygons, doc: Document, pointBytes: number, ringBytes: number): number {
  const [west, south, east, north] = doc.bbox ?? [-180, -90, 180, 90];
  const point = numberBytes(west, east, doc.digits) + numberBytes(south, north, doc.digits) + pointBytes;
  const text = 8 * (doc.name.length + doc.attribution.length);
  return (polygons.coords.length / 2) * point + polygons.ringEnd.length * ringBytes + text + 2048;
}
