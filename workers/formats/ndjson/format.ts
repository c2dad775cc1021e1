import type { FormatDeclaration } from '../format.ts';
import { writeGeojsonFeature } from '../geojson/write.ts';

export const ndjson = {
  contentType: 'application/x-ndjson',
  extension: 'ndjson',
  otherExtensions: ['geojsonl', 'jsonl'],
  text: { head: () => '', separator: '\n', write: writeGeojsonFeature, tail: '\n' },
  reader: { text: async () => (await import('./read.ts')).readGeojsonLines },
  isDrawn: true,
  attributes: { isJson: true },
} as const satisfies FormatDeclaration;
