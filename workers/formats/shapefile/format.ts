import type { FormatDeclaration } from '../format.ts';
import { COLUMN_NAMES } from './names.ts';

/** A Shapefile has several files and is written as a zip. */
export const shapefile = {
  contentType: 'application/zip',
  extension: 'zip',
  readExtensions: ['shp'],
  file: async () => (await import('./write.ts')).writeShapefile,
  isStart: (start) => start.startsWith('\0\0\x27\x0a'),
  reader: { files: async () => (await import('./read.ts')).readShapefile },
  columnNames: COLUMN_NAMES,
  attributes: { emptyIsNull: true },
} as const satisfies FormatDeclaration;
