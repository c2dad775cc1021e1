import type { Corner } from '../drawing/inside.ts';

type Ring = readonly (readonly number[])[];
/** An outline and its holes, as GeoJSON has them: closed rings in degrees. */
export type Rings = readonly Ring[];

/** Why a line does not make two of a polygon, as the key of its text. */
type NotSplit = 'sets.splitTwice' | 'sets.splitCorner' | 'sets.splitItself';

/** The two parts of a polygon, or why a line does not make two of it. */
export type Split = readonly [Rings, Rings] | NotSplit;

/** Where a line crosses a ring: how far along the line (edge and part of it), and after which vertex of the ring. */
interface Crossing {
  readonly along: number;
  readonly ring: number;
  readonly after: number;
  /** How far along the edge of the ring. */
  readonly part: number;
  readonly at: Corner;
}

const TWICE = 'sets.splitTwice';
const CORNER = 'sets.splitCorner';
/** Coordinates are kept to 1e-7 degrees. */
const rounded = (value: number): number => Math.round(value * 1e7) / 1e7;

/**
 * Splits a polygon by a line through it, in the plane of longitude and latitude. Both parts have exactly the same border
 * along the line; a hole goes to the part that it is in.
 */
export function split(rings: Rings, line: readonly Corner[]): Split {
  if (meetsItself(line)) return 'sets.splitItself';
  const found = crossings(rings, line);
  if (typeof found === 'string') return found;
  const [first, last, ...more] = [...found].sort((a, b) => a.along - b.along);
  const [outline = []] = rings;
  const [start] = line;
  if (!first || !last || more.length > 0 || first.ring !== 0 || last.ring !== 0 || !start) return TWICE;
  // From outside to outside: what is between the two crossings is inside.
  if (contains(outline, start)) return TWICE;
  const middle = line.slice(Math.floor(first.along) + 1, Math.floor(last.along) + 1);
  const way = [first.at, ...middle.map(([x, y]): Corner => [rounded(x), rounded(y)]), last.at];
  const one = [...way, ...walked(outline, last, first), first.at];
  const other = [...[...way].reverse(), ...walked(outline, first, last), last.at];
  const holes = rings.slice(1);
  const isIn = (hole: Ring): boolean => contains(one, hole[0] as unknown as Corner);
  return [
    [one, ...holes.filter(isIn)],
    [other, ...holes.filter((hole) => !isIn(hole))],
  ];
}

/** The vertices of a ring from one crossing on to another, in its direction. */
function walked(ring: Ring, from: Crossing, to: Crossing): Ring {
  const count = ring.length - 1;
  const isBefore = from.after < to.after || (from.after === to.after && from.part < to.part);
  const steps = to.after - from.after + (isBefore ? 0 : count);
  return Array.from({ length: steps }, (_, i) => ring[(from.after + 1 + i) % count] ?? []);
}

function crossings(rings: Rings, line: readonly Corner[]): Crossing[] | NotSplit {
  const found: Crossing[] = [];
  for (let i = 0; i + 1 < line.length; i++) {
    const [a, b] = [line[i] as Corner, line[i + 1] as Corner];
    for (const [number, ring] of rings.entries()) {
      for (let k = 0; k + 1 < ring.length; k++) {
        const [c, d] = [ring[k] as unknown as Corner, ring[k + 1] as unknown as Corner];
        const [sideC, sideD] = [side(a, b, c), side(a, b, d)];
        const [sideA, sideB] = [side(c, d, a), side(c, d, b)];
        if (sideC * sideD > 0 || sideA * sideB > 0) continue;
        if (sideC === 0 || sideD === 0 || sideA === 0 || sideB === 0) {
          if (sideC === 0 && sideD === 0 && !boxesMeet(a, b, c, d)) continue;
          return CORNER;
        }
        const part = sideA / (sideA - sideB);
        const at: Corner = [rounded(a[0] + part * (b[0] - a[0])), rounded(a[1] + part * (b[1] - a[1]))];
        found.push({ along: i + part, ring: number, after: k, part: sideC / (sideC - sideD), at });
        if (found.length > 2) return TWICE;
      }
    }
  }
  return found;
}

const side = ([ax, ay]: Corner, [bx, by]: Corner, [px, py]: Corner): number =>
  (bx - ax) * (py - ay) - (by - ay) * (px - ax);

/** Whether two edges of a line that are not neighbors meet. */
const meetsItself = (line: readonly Corner[]): boolean =>
  line.some((a, i) =>
    line.slice(i + 2).some((c, k) => {
      const [b, d] = [line[i + 1], line[i + 3 + k]];
      if (!b || !d) return false;
      return side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0 && boxesMeet(a, b, c, d);
    }),
  );

const boxesMeet = (a: Corner, b: Corner, c: Corner, d: Corner): boolean =>
  [0, 1].every(
    (axis) =>
      Math.max(a[axis] as number, b[axis] as number) >= Math.min(c[axis] as number, d[axis] as number) &&
      Math.max(c[axis] as number, d[axis] as number) >= Math.min(a[axis] as number, b[axis] as number),
  );

function contains(ring: Ring, [x, y]: Corner): boolean {
  let isIn = false;
  for (let k = 0; k + 1 < ring.length; k++) {
    const [[ax = 0, ay = 0] = [], [bx = 0, by = 0] = []] = [ring[k], ring[k + 1]];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn;
  }
  return isIn;
}

/**
 * Splits an area, of which the line must cross one part: what is on the left of the line keeps the other parts.
 * @returns the geometries of the two areas, or why there are none
 */
export function splitArea(
  geometry: GeoJSON.Polygon | GeoJSON.MultiPolygon,
  line: readonly Corner[],
): readonly [GeoJSON.MultiPolygon, GeoJSON.MultiPolygon] | NotSplit {
  const parts: Rings[] = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  let made: { readonly at: number; readonly two: readonly [Rings, Rings] } | null = null;
  for (const [at, rings] of parts.entries()) {
    const found = crossings(rings, line);
    if (typeof found !== 'string' && found.length === 0) continue;
    const two = split(rings, line);
    if (typeof two === 'string') return two;
    if (made !== null) return TWICE;
    made = { at, two };
  }
  if (made === null) return TWICE;
  const { at, two } = made;
  const multi = (all: readonly Rings[]): GeoJSON.MultiPolygon => ({
    type: 'MultiPolygon',
    coordinates: all.map((rings) => rings.map((ring) => ring.map((place) => [...place]))),
  });
  return [multi(parts.map((one, i) => (i === at ? two[0] : one))), multi([two[1]])];
}
