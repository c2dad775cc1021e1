import type { FormatDeclaration } from '../format.ts';
import { COLUMN_NAMES } from './names.ts';

export const geopackage = {
  contentType: 'application/geopackage+sqlite3',
  extension: 'gpkg',
  file: async () => (await import('./write.ts')).writeGeopackage,
  isStart: (start) => start.startsWith('SQLite format 3'),
  reader: { bytes: async () => (await import('./read.ts')).readGeopackage },
  parts: ['layer'],
  columnNames: COLUMN_NAMES,
} as const satisfies FormatDeclaration;
