import type { FormatDeclaration } from '../format.ts';
import { CSV_COLLECTION } from './write.ts';

export const csv = {
  contentType: 'text/csv; charset=utf-8',
  extension: 'csv',
  readExtensions: ['tsv'],
  text: CSV_COLLECTION,
  reader: { text: async () => (await import('./read.ts')).readCsv },
  parts: ['geometry'],
  columnNames: { maxBytes: 1_000, reserved: ['wkt'] },
  attributes: { isTextOnly: true, emptyIsNull: true },
} as const satisfies FormatDeclaration;
