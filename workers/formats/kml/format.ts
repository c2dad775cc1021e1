import type { FormatDeclaration } from '../format.ts';
import { COLUMN_NAMES } from './names.ts';
import { KML_COLLECTION, kmlColumns, writeKml } from './write.ts';

export const kml = {
  contentType: 'application/vnd.google-earth.kml+xml',
  extension: 'kml',
  document: writeKml,
  // "0,0 "
  minVertexBytes: 4,
  text: KML_COLLECTION,
  isStart: (start) => start.startsWith('<') && /<(?:\w+:)?kml[\s/>]/.test(start),
  reader: { text: async () => (await import('./read.ts')).readKml, isXml: true },
  isReadInZip: true,
  columnNames: COLUMN_NAMES,
  columns: kmlColumns,
  attributes: { isXml: true },
} as const satisfies FormatDeclaration;
