import type { FormatDeclaration } from '../format.ts';
import { COLUMN_NAMES } from './names.ts';

export const geoparquet = {
  contentType: 'application/vnd.apache.parquet',
  extension: 'parquet',
  otherExtensions: ['geoparquet'],
  file: async () => (await import('./write.ts')).writeGeoparquet,
  isStart: (start) => start.startsWith('PAR1'),
  reader: { bytes: async () => (await import('./read.ts')).readGeoparquet },
  parts: ['geometry'],
  columnNames: COLUMN_NAMES,
} as const satisfies FormatDeclaration;
