import type { FormatDeclaration } from '../format.ts';

export const topojson = {
  contentType: 'application/topo+json',
  extension: 'topojson',
  topology: true,
  reader: { text: async () => (await import('./read.ts')).readTopojson },
  parts: ['layer'],
  isDrawn: true,
  attributes: { isJson: true },
} as const satisfies FormatDeclaration;
