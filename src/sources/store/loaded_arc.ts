import type { KeySet } from '../../../workers/arcs/key_set.ts';
import { ENDS_PER_ARC } from '../../../workers/contract.ts';
import type { TierResult } from '../../../workers/tasks/tiers.ts';
import { defined } from '../../common/elements.ts';
import type { StoredArc } from './topology.ts';

/** The tiers of an arc; see ArcHeap in workers/contract.ts. */
export interface ArcTiers {
  readonly weights: Uint8Array;
  readonly ends: Uint16Array;
  readonly exact: number;
}

/** An arc in memory. */
export interface LoadedArc {
  readonly coords: Int32Array;
  readonly class: number;
  readonly main: number;
  /** Null for a new arc. */
  readonly stored: StoredArc | null;
  /** The tiers as stored; for a new arc, as the build computed them in isolation. */
  readonly before: ArcTiers;
  tiers: ArcTiers;
  /** The keys that `tiers` depend on; null when the arc was not recomputed. */
  keys: KeySet | null;
  /** Whether all holes are known of the shells that use this arc. */
  linked: boolean;
}

/** The tiers of arc `i` of a worker's result; its vertices are `from … to - 1`. */
export function tiersAt(
  { weights, ends, exact }: Pick<TierResult, 'weights' | 'ends' | 'exact'>,
  i: number,
  from: number,
  to: number,
): ArcTiers {
  const own = ends.slice(ENDS_PER_ARC * i, ENDS_PER_ARC * (i + 1));
  return { weights: weights.slice(from, to), ends: own, exact: defined(exact[i]) };
}

/** The tiers of a stored arc. */
export function tiersOf({ weights, ends, exact }: StoredArc): ArcTiers {
  const own = new Uint16Array(ends.buffer.slice(ends.byteOffset, ends.byteOffset + ends.byteLength));
  return { weights, ends: own, exact };
}
