/** The radius of the sphere of EPSG:3857, in meters. */
const RADIUS = 6_378_137;
/** The latitude at which the projected world is a square; shapes beyond it are drawn at it, as in tiles. */
const HIGHEST = 85.051_128_779_806_6;

interface Member {
  readonly bbox?: readonly number[];
  readonly geometry: { readonly coordinates: unknown };
}

/**
 * A GeoJSON feature in degrees (UTF-8), with the coordinates of its bbox and its geometry in meters of Web Mercator
 * (EPSG:3857) to the centimeter. Latitudes beyond 85.05 degrees become 85.05.
 */
export function inMercator(feature: Uint8Array): Uint8Array<ArrayBuffer> {
  const { bbox, ...rest } = JSON.parse(new TextDecoder().decode(feature)) as Member;
  const geometry = { ...rest.geometry, coordinates: projected(rest.geometry.coordinates) };
  const box = bbox && [...position([bbox[0], bbox[1]]), ...position([bbox[2], bbox[3]])];
  return new TextEncoder().encode(JSON.stringify({ ...rest, ...(box && { bbox: box }), geometry }));
}

/** Nested lists of positions, projected. */
function projected(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return typeof value[0] === 'number' ? position(value) : value.map(projected);
}

function position([x = 0, y = 0]: readonly (number | undefined)[]): readonly [number, number] {
  const radians = (Math.max(-HIGHEST, Math.min(HIGHEST, y)) * Math.PI) / 180;
  return [centimeters((x * Math.PI * RADIUS) / 180), centimeters(RADIUS * Math.asinh(Math.tan(radians)))];
}

const centimeters = (meters: number): number => Math.round(meters * 100) / 100;
