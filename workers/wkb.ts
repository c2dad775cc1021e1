import type { Polygons } from './contract.ts';

const SCALE = 1e7;
const POLYGON = 3;
const MULTIPOLYGON = 6;
const HAS_SRID = 0x20000000;

/** Extended WKB (little-endian, SRID 4326) of a MultiPolygon in degrees: what PostGIS stores. */
export function polygonsToEwkb(polygons: Polygons): Uint8Array {
  const bytes = new Uint8Array(4 + wkbLength(polygons));
  putWkb(new DataView(bytes.buffer), 0, polygons, 4326);
  return bytes;
}

/** The size in bytes of a MultiPolygon as plain WKB. */
export function wkbLength({ coords, ringEnd, polygonEnd }: Polygons): number {
  return 9 + polygonEnd.length * 9 + ringEnd.length * 4 + coords.length * 8;
}

/**
 * Writes a MultiPolygon as little-endian WKB in degrees at offset `place`. Writes `wkbLength` bytes, or four more with
 * an SRID, which makes it extended WKB.
 */
export function putWkb(view: DataView, place: number, polygons: Polygons, srid?: number): void {
  const { coords, ringEnd, polygonEnd } = polygons;
  let at = place;
  const byte = (value: number) => {
    view.setUint8(at, value);
    at += 1;
  };
  const uint = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  byte(1);
  uint(srid === undefined ? MULTIPOLYGON : MULTIPOLYGON | HAS_SRID);
  if (srid !== undefined) uint(srid);
  uint(polygonEnd.length);
  let ring = 0;
  let vertex = 0;
  for (const ringsTo of polygonEnd) {
    byte(1);
    uint(POLYGON);
    uint(ringsTo - ring);
    for (; ring < ringsTo; ring++) {
      uint(ringEnd[ring] - vertex);
      for (; vertex < ringEnd[ring]; vertex++) {
        view.setFloat64(at, coords[2 * vertex] / SCALE, true);
        view.setFloat64(at + 8, coords[2 * vertex + 1] / SCALE, true);
        at += 16;
      }
    }
  }
}

/**
 * Polygons (1e-7 degrees) from the (E)WKB of a Polygon, a MultiPolygon or a collection of them, in the same units, as
 * PostGIS writes an overlay on the integer grid (every ordinate is a whole number); with `scale` 1e7, from one in degrees.
 * Lines and points, which an overlay leaves where areas only touch, are dropped. Shells come out counterclockwise, holes
 * clockwise.
 * @throws Error when the bytes are not such a geometry, or an ordinate is not a whole number
 */
export function polygonsFromWkb(bytes: Uint8Array, scale = 1): Polygons {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const xs: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  let at = 0;
  const geometry = (): void => {
    const little = view.getUint8(at) === 1;
    const head = view.getUint32(at + 1, little);
    at += 5;
    if (head & HAS_SRID) at += 4;
    const type = head & 0xff;
    const count = type === 1 ? 0 : view.getUint32(at, little);
    if (type === 1) at += 16;
    else at += 4;
    if (type === 2) at += 16 * count;
    else if (type === POLYGON) {
      for (let r = 0; r < count; r++) ring(little, r === 0);
      if (count > 0) polygonEnd.push(ringEnd.length);
    } else if (type >= 4 && type <= 7) for (let i = 0; i < count; i++) geometry();
    else if (type !== 1) throw new Error(`not an area: WKB type ${type}`);
  };
  const ring = (little: boolean, shell: boolean): void => {
    const count = view.getUint32(at, little);
    at += 4;
    const from = xs.length;
    for (let i = 0; i < 2 * count; i++) {
      const value = scale * view.getFloat64(at, little);
      const whole = Math.round(value);
      if (!(Math.abs(value - whole) < 1e-3)) throw new Error(`an ordinate off the grid: ${value}`);
      xs.push(whole);
      at += 8;
    }
    if (signedArea(xs, from) > 0 !== shell) reverse(xs, from);
    ringEnd.push(xs.length / 2);
  };
  geometry();
  return { coords: Int32Array.from(xs), ringEnd: Uint32Array.from(ringEnd), polygonEnd: Uint32Array.from(polygonEnd) };
}

/** Twice the signed planar area of the closed ring that starts at `from`, relative to its first vertex. */
function signedArea(xs: readonly number[], from: number): number {
  let sum = 0;
  for (let i = from + 2; i + 3 < xs.length; i += 2) {
    sum += (xs[i] - xs[from]) * (xs[i + 3] - xs[from + 1]) - (xs[i + 2] - xs[from]) * (xs[i + 1] - xs[from + 1]);
  }
  return sum;
}

function reverse(xs: number[], from: number): void {
  for (let i = from, j = xs.length - 2; i < j; i += 2, j -= 2) {
    const [x, y] = [xs[i], xs[i + 1]];
    xs[i] = xs[j];
    xs[i + 1] = xs[j + 1];
    xs[j] = x;
    xs[j + 1] = y;
  }
}
