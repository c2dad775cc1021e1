import type { FormatDeclaration } from '../format.ts';

/** A table of a crosswalk, without shapes. */
export const parquet = {
  contentType: 'application/vnd.apache.parquet',
  extension: 'parquet',
} as const satisfies FormatDeclaration;
