import type { Polygons } from '../contract.ts';
import { orient } from './orient.ts';

const WKB_POLYGON = 3;
const WKB_MULTIPOLYGON = 6;

/** Polygons as a WKB MultiPolygon, little-endian. */
export function encode({ coords, ringEnd, polygonEnd }: Polygons): Uint8Array {
  const bytes = new Uint8Array(9 + 9 * polygonEnd.length + 4 * ringEnd.length + 8 * coords.length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const header = (type: number, count: number) => {
    view.setUint8(at, 1);
    view.setUint32(at + 1, type, true);
    view.setUint32(at + 5, count, true);
    at += 9;
  };
  header(WKB_MULTIPOLYGON, polygonEnd.length);
  let ring = 0;
  let vertex = 0;
  for (const end of polygonEnd) {
    header(WKB_POLYGON, end - ring);
    for (; ring < end; ring++) {
      view.setUint32(at, ringEnd[ring] - vertex, true);
      at += 4;
      for (; vertex < ringEnd[ring]; vertex++) {
        view.setFloat64(at, coords[2 * vertex], true);
        view.setFloat64(at + 8, coords[2 * vertex + 1], true);
        at += 16;
      }
    }
  }
  return bytes;
}

/** The polygons in little-endian WKB, including those in nested collections. Shells are turned counterclockwise. */
export function decode(bytes: Uint8Array): Polygons {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const coords: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  let at = 0;
  const u32 = () => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const geometry = () => {
    at += 1;
    const type = u32();
    if (type === 1) {
      at += 16;
    } else if (type === 2) {
      // Read first: `at += 16 * u32()` would use the value that `at` had before the call.
      const points = u32();
      at += 16 * points;
    } else if (type === WKB_POLYGON) {
      const rings = u32();
      for (let r = 0; r < rings; r++) {
        const start = coords.length;
        for (let left = u32(); left > 0; left--, at += 16) {
          coords.push(Math.round(view.getFloat64(at, true)), Math.round(view.getFloat64(at + 8, true)));
        }
        if (ringSign(coords, start) < 0 === (r === 0)) reverseRing(coords, start);
        ringEnd.push(coords.length / 2);
      }
      if (rings > 0) polygonEnd.push(ringEnd.length);
    } else {
      for (let parts = u32(); parts > 0; parts--) geometry();
    }
  };
  geometry();
  return {
    coords: Int32Array.from(coords),
    ringEnd: Uint32Array.from(ringEnd),
    polygonEnd: Uint32Array.from(polygonEnd),
  };
}

/** The orientation of a simple closed ring from `start` to the end of `coords`: the turn at its smallest vertex. */
function ringSign(coords: readonly number[], start: number): -1 | 0 | 1 {
  const n = (coords.length - start) / 2 - 1;
  let low = 0;
  const x = (k: number) => coords[start + 2 * ((k + n) % n)];
  const y = (k: number) => coords[start + 2 * ((k + n) % n) + 1];
  for (let k = 1; k < n; k++) if (x(k) < x(low) || (x(k) === x(low) && y(k) < y(low))) low = k;
  return orient(x(low - 1), y(low - 1), x(low), y(low), x(low + 1), y(low + 1));
}

function reverseRing(coords: number[], start: number): void {
  for (let i = start, j = coords.length - 2; i < j; i += 2, j -= 2) {
    [coords[i], coords[j]] = [coords[j], coords[i]];
    [coords[i + 1], coords[j + 1]] = [coords[j + 1], coords[i + 1]];
  }
}
