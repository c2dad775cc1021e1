import type { FormatDeclaration } from '../format.ts';

/** A table of a crosswalk, without shapes. */
export const json = { contentType: 'application/json', extension: 'json' } as const satisfies FormatDeclaration;
