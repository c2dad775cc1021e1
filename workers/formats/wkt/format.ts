import type { FormatDeclaration } from '../format.ts';
import { writeWkt } from './write.ts';

export const wkt = {
  contentType: 'text/plain; charset=utf-8',
  extension: 'wkt',
  otherExtensions: ['txt'],
  document: writeWkt,
  // "0 0,"
  minVertexBytes: 4,
  isStart: (start) =>
    /^(?:SRID=\d+;\s*)?(?:(?:MULTI)?(?:POLYGON|SURFACE)|CURVEPOLYGON|GEOMETRYCOLLECTION)\b[^"]*\(/i.test(start),
  reader: { text: async () => (await import('./read.ts')).readWkt },
  isReadInZip: true,
  attributes: { kept: [] },
} as const satisfies FormatDeclaration;
