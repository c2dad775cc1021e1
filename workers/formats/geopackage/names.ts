import type { NameRules } from '../column_names.ts';

/** Limits of column names. */
export const COLUMN_NAMES: NameRules = { maxBytes: 250, reserved: ['fid', 'geom'] };
