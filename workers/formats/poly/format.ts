import type { FormatDeclaration } from '../format.ts';
import { POLY_COLLECTION } from './write.ts';

export const poly = {
  contentType: 'text/plain; charset=utf-8',
  extension: 'poly',
  text: POLY_COLLECTION,
  reader: { text: async () => (await import('./read.ts')).readPoly },
  attributes: { kept: ['id', 'name'] },
} as const satisfies FormatDeclaration;
