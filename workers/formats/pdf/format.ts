import type { FormatDeclaration } from '../format.ts';

/** A map of figures, for print. */
export const pdf = { contentType: 'application/pdf', extension: 'pdf' } as const satisfies FormatDeclaration;
