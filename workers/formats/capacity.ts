import type { Document, Polygons } from '../contract.ts';

/** Bytes of the longest number between two degrees, written with this many decimal places. */
function numberBytes(low: number, high: number, digits: number): number {
  const whole = String(Math.trunc(Math.max(Math.abs(low), Math.abs(high)))).length;
  return (Math.min(low, high) < 0 ? 1 : 0) + whole + (digits > 0 ? 1 + digits : 0);
}

/**
 * An estimate of a document's size in bytes, rarely too low: every vertex counts as the longest point in its box. It is
 * not a bound, because the coordinates are not checked against the box.
 *
 * @param pointBytes bytes that a format writes around the two numbers of a point
 * @param ringBytes bytes that it writes around a ring, including its share of a polygon
 */
export function capacity(polygons: Polygons, doc: Document, pointBytes: number, ringBytes: number): number {
  const [west, south, east, north] = doc.bbox ?? [-180, -90, 180, 90];
  const point = numberBytes(west, east, doc.digits) + numberBytes(south, north, doc.digits) + pointBytes;
  const text = 8 * (doc.name.length + doc.attribution.length);
  return (polygons.coords.length / 2) * point + polygons.ringEnd.length * ringBytes + text + 2048;
}
