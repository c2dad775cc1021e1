import type { FormatDeclaration } from '../format.ts';

export const pmtiles = {
  contentType: 'application/vnd.pmtiles',
  extension: 'pmtiles',
  file: async () => (await import('./write.ts')).writePmtiles,
} as const satisfies FormatDeclaration;
