import type { AnyOp } from '../op.ts';
import { createApiKey } from './account/create_api_key.ts';
import { getAccount } from './account/get_account.ts';
import { getPricing } from './account/get_pricing.ts';
import { getUsage } from './account/get_usage.ts';
import { listApiKeys } from './account/list_api_keys.ts';
import { revokeApiKey } from './account/revoke_api_key.ts';
import { exportBoundary } from './boundaries/export_boundary.ts';
import { getBoundary } from './boundaries/get_boundary.ts';
import { listChildren } from './boundaries/list_children.ts';
import { reverseBoundaries } from './boundaries/reverse_boundaries.ts';
import { searchBoundariesOp } from './boundaries/search_boundaries.ts';
import { unionBoundaries } from './boundaries/union_boundaries.ts';

/** Every operation there is, in the order listings show. */
export const ops: readonly AnyOp[] = [
  searchBoundariesOp,
  reverseBoundaries,
  listChildren,
  getBoundary,
  unionBoundaries,
  exportBoundary,
  getPricing,
  getAccount,
  getUsage,
  listApiKeys,
  createApiKey,
  revokeApiKey,
];
