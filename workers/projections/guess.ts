/** Which reference system numbers without one may be in. */
import { unproject } from './engine.ts';
import { holds } from './systems.ts';
import { type Box, planes } from './table.ts';

/** The smallest and largest coordinates of a file. */
export interface Extent {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** The extent of nothing. */
export const noExtent = (): Extent => ({ west: Infinity, south: Infinity, east: -Infinity, north: -Infinity });

/** Adds a position to an extent. */
export function extend(extent: Extent, x: number, y: number): void {
  extent.west = Math.min(extent.west, x);
  extent.south = Math.min(extent.south, y);
  extent.east = Math.max(extent.east, x);
  extent.north = Math.max(extent.north, y);
}

/** Meters: no plane of the Earth reaches further. */
const FAR = 1e8;

/**
 * Whether coordinates are those of a plane: beyond all degrees, also longitudes from 0 to 360 and latitude before longitude,
 * and on the Earth.
 */
export function isPlane({ west, south, east, north }: Extent): boolean {
  const isDegrees = west >= -180.0001 && south >= -180.0001 && east <= 360.0001 && north <= 180.0001;
  return !isDegrees && west >= -FAR && south >= -FAR && east <= FAR && north <= FAR;
}

/**
 * Systems in which countries publish, those of the most files first: a guess names them before others, and in this order
 * where the coordinates do not decide between them.
 */
const COMMON: ReadonlyMap<string, number> = new Map(
  (
    '25832 25830 2154 27700 29903 2157 31370 3812 28992 25833 25831 25829 25834 25835 32632 32633 32630 32631 32629 32634 32635 31467 31468 31287 2056 21781 3006 3067 ' +
    '3301 3059 3346 2180 5514 5221 23700 3765 3794 3763 2100 3035 3857 6312 2193 3577 7842 7844 3347 3978 3979 3005 ' +
    '5070 6372 5880 29101 6669 6677 5179 5186 3826 4490 4547 3414 2326 2039 22770 6707 6708 3003 3004'
  )
    .split(' ')
    .map((code, i) => [`EPSG:${code}`, i] as const),
);

/** The share of an area of use from which it decides: less is any region of it. */
const TELLING = 0.2;

/** The most systems that a guess names. */
const MOST = 5;

/**
 * The systems in whose area of use an extent lies: common ones before others; of these first those of whose area it covers
 * a good part, then in the order of their use.
 * @returns at most five codes
 */
export function guesses({ west, south, east, north }: Extent): string[] {
  const found: { readonly code: string; readonly share: number }[] = [];
  const corners = [west, south, east, south, east, north, west, north, (west + east) / 2, (south + north) / 2];
  const xy = new Float64Array(2);
  for (const { code, area, axes, base, projection, unit } of planes()) {
    if (area === null || code === null || !/^(?:EN|NE)$/.test(axes)) continue;
    const toDegrees = unproject(projection, base.ellipsoid);
    const coords = corners.map((_, i) => {
      if (i % 2 === 1) return xy[1];
      xy[0] = corners[i] * unit;
      xy[1] = corners[i + 1] * unit;
      toDegrees(xy);
      return xy[0] + base.meridian;
    });
    if (!isWithin(coords, area)) continue;
    const share = sizeOf(coords) / (width(area) * (area[3] - area[1]));
    found.push({ code, share: Math.min(share, 1 / share) });
  }
  const rank = ({ code, share }: (typeof found)[0]): number => {
    const place = COMMON.get(code);
    if (place === undefined) return share;
    return 2 + (share < TELLING ? -place / COMMON.size : share);
  };
  found.sort((p, q) => rank(q) - rank(p));
  return found.slice(0, MOST).map((one) => one.code);
}

const width = ([west, , east]: Box): number => (east < west ? east + 360 - west : east - west);

/** Whether the middle lies in an area, and the corners in one that is a tenth wider: areas of use are not rectangles of a plane. */
function isWithin(coords: readonly number[], area: Box): boolean {
  const [west, south, east, north] = area;
  const [x, y] = [Math.min(width(area) / 10, 3), (north - south) / 10];
  const wider: Box = [west - x, south - y, east + x, north + y];
  for (let i = 0; i < coords.length; i += 2) {
    const place = [coords[i], coords[i + 1]] as const;
    if (!Number.isFinite(place[0]) || !holds(i === coords.length - 2 ? area : wider, place)) return false;
  }
  return true;
}

function sizeOf(coords: readonly number[]): number {
  const [x, y] = [0, 1].map((first) => [0, 2, 4, 6].map((i) => coords[i + first]));
  return (Math.max(...x) - Math.min(...x)) * (Math.max(...y) - Math.min(...y));
}

/** The message about a file without a reference system whose coordinates are not degrees. */
export function notDegrees(extent: Extent): string {
  const number = (value: number): string => Math.round(value).toLocaleString('en-US');
  const codes = guesses(extent);
  return (
    `it names no reference system, and x from ${number(extent.west)} to ${number(extent.east)}, y from ` +
    `${number(extent.south)} to ${number(extent.north)} are not degrees` +
    `${codes.length === 0 ? ': name its system with --crs EPSG:…' : `: ${codes.join('? ')}? Name its system: --crs ${codes[0]}`}`
  );
}
