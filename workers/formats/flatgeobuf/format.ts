import type { FormatDeclaration } from '../format.ts';

export const flatgeobuf = {
  contentType: 'application/flatgeobuf',
  extension: 'fgb',
  file: async () => (await import('./write.ts')).writeFlatgeobuf,
  isStart: (start) => start.startsWith('fgb'),
  reader: { bytes: async () => (await import('./read.ts')).readFlatgeobuf },
  columnNames: { maxBytes: 1_000, reserved: [] },
} as const satisfies FormatDeclaration;
