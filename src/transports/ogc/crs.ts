/** The coordinate reference systems of answers and questions (OGC API - Features part 2). */

/** West, south, east, north in degrees; a point has no extent. */
export type Extent = readonly [west: number, south: number, east: number, north: number];

export const CRS84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
/** Web Mercator, in meters: what maps on the web use. */
export const MERCATOR = 'http://www.opengis.net/def/crs/EPSG/0/3857';
export const SYSTEMS = [CRS84, MERCATOR] as const;
export type System = (typeof SYSTEMS)[number];

/** The radius of the sphere of EPSG:3857, in meters. */
const RADIUS = 6_378_137;
/** Half of its extent, in meters, with room for what programs round. */
const MOST = Math.PI * RADIUS + 1;

/** A system by its URI, its CURIE in brackets or without, or `EPSG:3857`; null for any other. */
export function systemOf(text: string): System | null {
  const said = text.replace(/^\[(.*)\]$/, '$1').replace(/^https:/, 'http:');
  if (said === CRS84 || said === 'OGC:CRS84') return CRS84;
  return said === MERCATOR || said === 'EPSG:3857' ? MERCATOR : null;
}

/** A place in degrees, of one in a system; null when it is not in the world. */
export function inDegrees([west, south, east, north]: Extent, system: System): Extent | null {
  const sides = [west, south, east, north];
  if (system === MERCATOR) {
    if (sides.some((side) => Math.abs(side) > MOST)) return null;
    return [longitude(west), latitude(south), longitude(east), latitude(north)];
  }
  const isInside = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  return isInside ? [west, south, east, north] : null;
}

const longitude = (x: number): number => Math.max(-180, Math.min(180, (x / RADIUS) * (180 / Math.PI)));
const latitude = (y: number): number => (2 * Math.atan(Math.exp(y / RADIUS)) - Math.PI / 2) * (180 / Math.PI);
