import type { FormatDeclaration } from '../format.ts';
import { writeGeojsonFeature } from '../geojson/write.ts';

export const geojsonseq = {
  contentType: 'application/geo+json-seq',
  extension: 'geojsons',
  otherExtensions: ['geojsonseq'],
  text: {
    head: () => '',
    separator: '',
    write(out, feature, about) {
      out.ascii('\x1e');
      writeGeojsonFeature(out, feature, about);
      out.ascii('\n');
    },
    tail: '',
  },
  isStart: (start) => start.startsWith('\x1e'),
  reader: { text: async () => (await import('../ndjson/read.ts')).readGeojsonLines },
  isDrawn: true,
  attributes: { isJson: true },
} as const satisfies FormatDeclaration;
