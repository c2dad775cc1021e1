import type { FormatDeclaration } from '../format.ts';
import { GML_COLLECTION, writeGml } from './write.ts';

export const gml = {
  contentType: 'application/gml+xml; version=3.2',
  extension: 'gml',
  otherExtensions: ['xml'],
  document: writeGml,
  // "0 0 "
  minVertexBytes: 4,
  text: GML_COLLECTION,
  isStart: (start) => start.startsWith('<') && /opengis\.net\/gml/.test(start),
  reader: { text: async () => (await import('./read.ts')).readGml, isXml: true },
  isReadInZip: true,
  attributes: { isTextOnly: true, dropsNull: true, isXml: true },
} as const satisfies FormatDeclaration;
