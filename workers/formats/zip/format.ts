import type { FormatDeclaration } from '../format.ts';

/** A zip with a file of one area for each feature. A KMZ is a zip with a KML, an SHZ one with a Shapefile. */
export const zip = {
  contentType: 'application/zip',
  extension: 'zip',
  readExtensions: ['kmz', 'shz'],
  isStart: (start) => start.startsWith('PK'),
  file: async () => (await import('./write.ts')).writeZip,
} as const satisfies FormatDeclaration;
