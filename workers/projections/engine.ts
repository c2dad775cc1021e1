/** The arithmetic of a reference system: from its plane to degrees, and from its datum to WGS 84. */
import proj4 from 'proj4';

const DEGREE = 180 / Math.PI;
const SECOND = Math.PI / 648000;

/** An ellipsoid: its equatorial radius in meters and its inverse flattening, 0 for a sphere. */
export interface Ellipsoid {
  readonly a: number;
  readonly rf: number;
}

const WGS84: Ellipsoid = { a: 6378137, rf: 298.257223563 };

/** Changes the position at `xy[0]`, `xy[1]`. */
export type Move = (xy: Float64Array) => void;

/** A projection on an ellipsoid, or on the sphere of its radius where the projection says +sphere. */
function projOn(projection: string, { a, rf }: Ellipsoid): ReturnType<typeof proj4.Proj> {
  const isSphere = rf === 0 || projection.includes('+sphere');
  const shape = isSphere ? `+a=${a} +b=${a}` : `+a=${a} +rf=${rf}`;
  return proj4.Proj(`${projection.replace(' +sphere', '')} ${shape} +no_defs`);
}

/**
 * From a projection's plane (meters, east and north) to longitude and latitude on its own ellipsoid, in degrees from its
 * own prime meridian. A place outside the projection becomes NaN.
 */
export function unproject(projection: string, ellipsoid: Ellipsoid): Move {
  const proj = projOn(projection, ellipsoid);
  const point = { x: 0, y: 0 };
  return (xy) => {
    point.x = xy[0];
    point.y = xy[1];
    const { x, y } = proj.inverse(point) ?? { x: Number.NaN, y: Number.NaN };
    xy[0] = x * DEGREE;
    xy[1] = y * DEGREE;
  };
}

/** From longitude and latitude in degrees to a projection's plane; the inverse of unproject(). */
export function project(projection: string, ellipsoid: Ellipsoid): Move {
  const proj = projOn(projection, ellipsoid);
  return (xy) => {
    const { x, y } = proj.forward({ x: xy[0] / DEGREE, y: xy[1] / DEGREE }) ?? { x: Number.NaN, y: Number.NaN };
    xy[0] = x;
    xy[1] = y;
  };
}

/**
 * A Helmert transformation in the convention of position vectors (meters, arc seconds, parts per million), perhaps applied
 * the other way round; or an offset of latitude and longitude in arc seconds, which comes first.
 */
export type Step =
  | { readonly shift: readonly number[]; readonly isInverse: boolean }
  | { readonly offset: readonly number[] };

/** From longitude and latitude on an ellipsoid to those on WGS 84, by steps one after the other. */
export function shift(steps: readonly Step[], from: Ellipsoid): Move {
  const [first] = steps;
  if (first !== undefined && 'offset' in first) {
    const [lat, lon] = first.offset;
    const rest = steps.length === 1 ? null : shift(steps.slice(1), from);
    return (lonLat) => {
      lonLat[0] += lon / 3600;
      lonLat[1] += lat / 3600;
      rest?.(lonLat);
    };
  }
  const e2 = eccentricity2(from);
  const to2 = eccentricity2(WGS84);
  const xyz = new Float64Array(3);
  const turns = steps.flatMap((step) => {
    if ('offset' in step) return [];
    const [x = 0, y = 0, z = 0, rx = 0, ry = 0, rz = 0, s = 0] = step.shift;
    const [a, b, c] = [rx * SECOND, ry * SECOND, rz * SECOND];
    return [{ x, y, z, rx: a, ry: b, rz: c, scale: 1 + s * 1e-6, isInverse: step.isInverse }];
  });
  return (lonLat) => {
    const [lon, lat] = [lonLat[0] / DEGREE, lonLat[1] / DEGREE];
    const n = from.a / Math.sqrt(1 - e2 * Math.sin(lat) ** 2);
    xyz[0] = n * Math.cos(lat) * Math.cos(lon);
    xyz[1] = n * Math.cos(lat) * Math.sin(lon);
    xyz[2] = n * (1 - e2) * Math.sin(lat);
    for (const { x, y, z, rx, ry, rz, scale, isInverse } of turns) {
      if (isInverse) {
        const [u, v, w] = [(xyz[0] - x) / scale, (xyz[1] - y) / scale, (xyz[2] - z) / scale];
        xyz[0] = u + rz * v - ry * w;
        xyz[1] = -rz * u + v + rx * w;
        xyz[2] = ry * u - rx * v + w;
      } else {
        const [u, v, w] = xyz;
        xyz[0] = x + scale * (u - rz * v + ry * w);
        xyz[1] = y + scale * (rz * u + v - rx * w);
        xyz[2] = z + scale * (-ry * u + rx * v + w);
      }
    }
    const [u, v, w] = xyz;
    const p = Math.hypot(u, v);
    let phi = Math.atan2(w, p * (1 - to2));
    // Each round divides the error by about 300; the height, which is dropped, is at most some hundred meters.
    for (let i = 0; i < 5; i++) {
      const radius = WGS84.a / Math.sqrt(1 - to2 * Math.sin(phi) ** 2);
      phi = Math.atan2(w + to2 * radius * Math.sin(phi), p);
    }
    lonLat[0] = Math.atan2(v, u) * DEGREE;
    lonLat[1] = phi * DEGREE;
  };
}

function eccentricity2({ rf }: Ellipsoid): number {
  return rf === 0 ? 0 : (2 - 1 / rf) / rf;
}
