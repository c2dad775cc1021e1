import type { NameRules } from '../column_names.ts';

/** Limits of column names. */
export const COLUMN_NAMES: NameRules = { maxBytes: 1_000, reserved: ['geometry', 'bbox'] };
