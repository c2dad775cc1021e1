import type { FormatDeclaration } from '../format.ts';
import { SVG_COLLECTION } from './collection.ts';
import { writeSvg } from './write.ts';

export const svg = {
  contentType: 'image/svg+xml',
  extension: 'svg',
  document: writeSvg,
  // Vertices that coincide are dropped.
  minVertexBytes: 0,
  text: SVG_COLLECTION,
  attributes: { keptOfOne: ['name', 'attribution'], isTextOnly: true, dropsNull: true, isXml: true },
} as const satisfies FormatDeclaration;
