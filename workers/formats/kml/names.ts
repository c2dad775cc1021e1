import type { NameRules } from '../column_names.ts';

/** Limits of column names. GDAL compares the names of KML's fields without regard to case. */
export const COLUMN_NAMES: NameRules = { maxBytes: 10_000, reserved: [] };
