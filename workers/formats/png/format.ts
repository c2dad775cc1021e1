import type { FormatDeclaration } from '../format.ts';

/** A map of figures, as pixels. */
export const png = { contentType: 'image/png', extension: 'png' } as const satisfies FormatDeclaration;
