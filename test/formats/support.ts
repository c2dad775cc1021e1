import { defined } from '../../src/common/elements.ts';
import type { Document, Polygons } from '../../workers/contract.ts';

/** Polygons from GeoJSON MultiPolygon coordinates in degrees. */
export function polygonsOf(multi: readonly (readonly (readonly (readonly number[])[])[])[]): Polygons {
  const coords: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  for (const polygon of multi) {
    for (const ring of polygon) {
      for (const [x, y] of ring) coords.push(Math.round(defined(x) * 1e7), Math.round(defined(y) * 1e7));
      ringEnd.push(coords.length / 2);
    }
    polygonEnd.push(ringEnd.length);
  }
  return {
    coords: Int32Array.from(coords),
    ringEnd: Uint32Array.from(ringEnd),
    polygonEnd: Uint32Array.from(polygonEnd),
  };
}

/** A document with seven digits, and defaults for what is not given. */
export function documentOf(given: Partial<Document> = {}): Document {
  return {
    id: 'r1',
    name: 'Area',
    properties: {},
    bbox: null,
    attribution: '© OpenStreetMap contributors',
    digits: 7,
    ...given,
  };
}

export function text(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** A square ring of half-width r around x, y: counterclockwise, or clockwise for a hole. */
export function square(x: number, y: number, r: number, hole = false): number[][] {
  const ring = [
    [x - r, y - r],
    [x + r, y - r],
    [x + r, y + r],
    [x - r, y + r],
    [x - r, y - r],
  ];
  return hole ? ring.reverse() : ring;
}

/** An area with two parts: one with a hole, and an island in that hole. */
export const NESTED = polygonsOf([[square(0, 0, 10), square(0, 0, 6, true)], [square(0, 0, 2.5)]]);

/** A hostile name. XML cannot contain the control character and the lone surrogates. */
export const HOSTILE = `"/><script>alert('1')</script>]]>&amp;\u0007\u200f\u202eعربي\ufffe \ud83d\ude80\ud800x\udc00\t\n\r`;

/** The value that an XML reader returns for it. */
export const HOSTILE_READ = HOSTILE.replace('\u0007', '\ufffd')
  .replace('\ufffe', '\ufffd')
  .replace('\ud800x', '\ufffdx')
  .replace('x\udc00', 'x\ufffd');
