import geographiclib from 'geographiclib-geodesic';
import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import type { ArcTable, Coords, Polygons, Rings } from '../contract.ts';

const { Geodesic, Constants } = geographiclib;

/** A full turn of longitude in 1e-7 degrees. */
const TURN = 3_600_000_000;

/** Half the surface of the WGS84 ellipsoid in m2. */
export const HALF_ELLIPSOID = zone(1);

/**
 * The surface in m2 of the zone between the equator and a parallel, negative in the south, from the sine of the
 * geodetic latitude: pi b^2 (s / (1 - e^2 s^2) + atanh(e s) / e) (Snyder, "Map Projections", 1987, equation 3-12).
 */
function zone(sine: number): number {
  const { a, f } = Constants.WGS84;
  const e = Math.sqrt(f * (2 - f));
  const b = a * (1 - f);
  return Math.PI * b * b * (sine / (1 - e * e * sine * sine) + Math.atanh(e * sine) / e);
}

/** A compensated sum: keeps what each addition rounds away (Neumaier, 1974). */
export class ExactSum {
  private sum = 0;
  private rest = 0;

  add(value: number): void {
    const next = this.sum + value;
    this.rest += Math.abs(this.sum) >= Math.abs(value) ? this.sum - next + value : value - next + this.sum;
    this.sum = next;
  }

  get value(): number {
    return this.sum + this.rest;
  }
}

/**
 * The two sums that make areas additive, for the chain of `length` vertices that starts at vertex `first`. Both change
 * sign with the direction of the chain.
 *
 * `area`: the signed area in m2 on WGS84 between the chain, whose edges are geodesics, and the equator; positive for a
 * chain that runs east in the northern hemisphere (S12 of Karney, "Algorithms for geodesics", J. Geodesy 87, 2013,
 * section 6). `turn`: its change in longitude in 1e-7 degrees, each edge taken the short way round; exact. The
 * exception is an edge from -180 to +180 degrees along one parallel (the lower edge of Antarctica in common files): it
 * goes all the way round, along that parallel.
 * @throws RangeError for a latitude beyond 90 degrees
 */
export function arcArea(coords: Coords, first: number, length: number): { area: number; turn: number } {
  const sum = new ExactSum();
  let turn = 0;
  for (let v = first; v < first + length; v++) {
    if (Math.abs(coords[2 * v + 1]) > 900_000_000) throw new RangeError(`latitude out of range: ${coords[2 * v + 1]}`);
  }
  for (let v = first; v < first + length - 1; v++) {
    const x1 = coords[2 * v];
    const y1 = coords[2 * v + 1];
    const x2 = coords[2 * v + 2];
    const y2 = coords[2 * v + 3];
    if (Math.abs(x2 - x1) === TURN && y1 === y2) {
      turn += x2 - x1;
      sum.add(Math.sign(x2 - x1) * zone(Math.sin((y1 / 1e7) * (Math.PI / 180))));
      continue;
    }
    const edge = edgeArea(x1, y1, x2, y2);
    turn += edge.turn;
    sum.add(edge.area);
  }
  return { area: sum.value, turn };
}

/** The two sums of arcArea() for one edge, which takes the short way round. Its ends may lie between grid points. */
export function edgeArea(x1: number, y1: number, x2: number, y2: number): { area: number; turn: number } {
  const turn = shortWay(x2 - x1);
  // There is no area between an edge along a meridian and the equator.
  if (turn === 0) return { area: 0, turn };
  return { area: Geodesic.WGS84.Inverse(y1 / 1e7, 0, y2 / 1e7, turn / 1e7, Geodesic.AREA).S12!, turn };
}

/**
 * A longitude difference reduced to [-180, 180] degrees (in 1e-7). At 180 degrees, too, the sign depends on the
 * direction.
 */
function shortWay(difference: number): number {
  let d = difference % TURN;
  if (d > TURN / 2) d -= TURN;
  else if (d < -TURN / 2) d += TURN;
  return d;
}

/**
 * The area of polygons in m2 on WGS84, edges being geodesics, as the sum of the stored areas of their arcs; never
 * negative. A shell that turns once around the globe contains a pole, so the area between it and the equator is
 * subtracted from half the ellipsoid; for such a hole it is the reverse. Seams along the antimeridian contribute
 * nothing.
 */
export function ringsArea(table: ArcTable, rings: Rings): number {
  const sum = new ExactSum();
  let ring = 0;
  for (let p = 0; p < rings.polygonEnd.length; p++) {
    const shell = ring;
    for (; ring < rings.polygonEnd[p]; ring++) {
      let turn = 0;
      for (let k = ring === 0 ? 0 : rings.ringEnd[ring - 1]; k < rings.ringEnd[ring]; k++) {
        const ref = rings.refs[k];
        // S12 is positive for clockwise rings; here the interior is on the left.
        sum.add(ref < 0 ? table.area[~ref] : -table.area[ref]);
        turn += ref < 0 ? -table.turn[~ref] : table.turn[ref];
      }
      if (Math.round(turn / TURN) % 2 !== 0) sum.add(ring === shell ? HALF_ELLIPSOID : -HALF_ELLIPSOID);
    }
  }
  return Math.max(0, sum.value);
}

/**
 * The geodesic area in m2 of polygons without stored arcs.
 * @throws DOMException named AbortError when canceled
 */
export function polygonsArea(polygons: Polygons, isCanceled?: IsCanceled): number {
  const rings = polygons.ringEnd.length;
  const first = new Uint32Array(rings);
  const length = new Uint32Array(rings);
  const area = new Float64Array(rings);
  const turn = new Float64Array(rings);
  let from = 0;
  for (let r = 0; r < rings; r++) {
    throwIfCanceled(isCanceled);
    first[r] = from;
    length[r] = polygons.ringEnd[r] - from;
    from = polygons.ringEnd[r];
    ({ area: area[r], turn: turn[r] } = arcArea(polygons.coords, first[r], length[r]));
  }
  const table: ArcTable = {
    coords: polygons.coords,
    weights: new Uint8Array(0),
    first,
    length,
    area,
    turn,
    box: new Int32Array(4 * rings),
    ends: new Uint16Array(0),
    exact: new Uint16Array(rings),
  };
  return ringsArea(table, {
    refs: Int32Array.from(first, (_, r) => r),
    ringEnd: Uint32Array.from(first, (_, r) => r + 1),
    polygonEnd: polygons.polygonEnd,
  });
}
