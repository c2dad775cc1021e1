/** A place on the map in degrees; its longitude goes on beyond 180 where the map does. */
export type Corner = readonly [lon: number, lat: number];
type Position = readonly number[];

/** Longest time in milliseconds for which the page is kept from anything else. */
const TURN_MS = 20;
/** The map ends here; a border may reach the pole. */
const MOST_LAT = 89.9;

/** A place in the plane of the map (Web Mercator, in degrees of longitude), where what is drawn has straight edges. */
function flat([lon = 0, lat = 0]: Position): Corner {
  const rad = (Math.max(-MOST_LAT, Math.min(MOST_LAT, lat)) * Math.PI) / 180;
  return [lon, (Math.log(Math.tan(Math.PI / 4 + rad / 2)) * 180) / Math.PI];
}

const side = ([ax, ay]: Corner, [bx, by]: Corner, [px, py]: Corner): number =>
  (bx - ax) * (py - ay) - (by - ay) * (px - ax);

function cross(a: Corner, b: Corner, c: Corner, d: Corner): boolean {
  if (Math.max(a[0], b[0]) < Math.min(c[0], d[0]) || Math.max(c[0], d[0]) < Math.min(a[0], b[0])) return false;
  if (Math.max(a[1], b[1]) < Math.min(c[1], d[1]) || Math.max(c[1], d[1]) < Math.min(a[1], b[1])) return false;
  return side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0;
}

/** The edges of a ring whose last corner may, but need not, be its first. */
function edges(ring: readonly Corner[]): [Corner, Corner][] {
  return ring.flatMap((from, i): [Corner, Corner][] => {
    const to = ring[(i + 1) % ring.length] ?? from;
    return from[0] === to[0] && from[1] === to[1] ? [] : [[from, to]];
  });
}

/** Whether two edges of an outline meet other than at the corner between them. */
export function crossesItself(corners: readonly Corner[]): boolean {
  const all = edges(corners.map(flat));
  return all.some(([a, b], i) =>
    all.some(([c, d], j) => {
      if (j <= i) return false;
      if (j === i + 1 || (i === 0 && j === all.length - 1)) {
        // Neighbors meet at their corner; on the way back along one line they meet elsewhere, too.
        const [corner, before, after] = j === i + 1 ? [b, a, d] : [a, b, c];
        const dot = (before[0] - corner[0]) * (after[0] - corner[0]) + (before[1] - corner[1]) * (after[1] - corner[1]);
        return side(before, corner, after) === 0 && dot > 0;
      }
      return cross(a, b, c, d);
    }),
  );
}

function contains(outline: readonly [Corner, Corner][], [x, y]: Corner): boolean {
  let isIn = false;
  for (const [[ax, ay], [bx, by]] of outline) {
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
  }
  return isIn;
}

/** Whether a ring is inside the outline, seen from the turn of the earth in which the outline was drawn. */
function holds(outline: readonly [Corner, Corner][], [west, east]: Corner, ring: readonly Position[]): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [lon = 0] of ring) {
    least = Math.min(least, lon);
    most = Math.max(most, lon);
  }
  const turn = 360 * Math.ceil((west - least) / 360);
  if (most + turn > east) return false;
  const moved = ring.map(([lon = 0, lat = 0]) => flat([lon + turn, lat]));
  if (!moved.every((corner) => contains(outline, corner))) return false;
  return edges(moved).every(([a, b]) => outline.every(([c, d]) => !cross(a, b, c, d)));
}

/** The box of an outline as the service takes it: its west in -180 to 180. */
export function boxOf(corners: readonly Corner[]): { west: number; south: number; east: number; north: number } {
  const lons = corners.map(([lon]) => lon);
  const lats = corners.map(([, lat]) => lat);
  const wrapped = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;
  return {
    west: wrapped(Math.min(...lons)),
    south: Math.min(...lats),
    east: wrapped(Math.max(...lons)),
    north: Math.max(...lats),
  };
}

/**
 * The features that are entirely inside an outline of straight edges on the map, by their vertices; an outline touches
 * no other turn of the earth. Gives the page its turn meanwhile.
 */
export async function inside<F extends GeoJSON.Feature>(
  features: readonly F[],
  corners: readonly Corner[],
): Promise<F[]> {
  const outline = edges(corners.map(flat));
  const lons = corners.map(([lon]) => lon);
  const spread: Corner = [Math.min(...lons), Math.max(...lons)];
  const found: F[] = [];
  let since = performance.now();
  for (const feature of features) {
    if (performance.now() - since > TURN_MS) {
      await new Promise((next) => setTimeout(next));
      since = performance.now();
    }
    const { geometry } = feature;
    const polygons =
      geometry?.type === 'Polygon'
        ? [geometry.coordinates]
        : geometry?.type === 'MultiPolygon'
          ? geometry.coordinates
          : [];
    // An outline without holes that holds the outer ring holds all of it.
    if (polygons.length > 0 && polygons.every(([outer = []]) => holds(outline, spread, outer))) found.push(feature);
  }
  return found;
}
