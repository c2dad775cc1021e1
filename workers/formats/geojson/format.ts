import type { FormatDeclaration } from '../format.ts';
import { GEOJSON_COLLECTION, writeGeojson } from './write.ts';

export const geojson = {
  contentType: 'application/geo+json',
  extension: 'geojson',
  otherExtensions: ['json'],
  document: writeGeojson,
  // "[0,0],"
  minVertexBytes: 6,
  text: GEOJSON_COLLECTION,
  // TopoJSON is often named .json too.
  isStart: (start) => start.startsWith('{'),
  reader: { text: async () => (await import('../topojson/read.ts')).readJson },
  parts: ['layer'],
  isReadInZip: true,
  isDrawn: true,
  attributes: { isJson: true },
} as const satisfies FormatDeclaration;
