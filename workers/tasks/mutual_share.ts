import { materialize } from '../arcs/layout.ts';
import { intersectionShare } from '../arcs/overlay.ts';
import { assembleArrangement, NO_TIERS, NOTHING_STORED } from '../build.ts';
import { type Coords, FULL } from '../contract.ts';
import { polygonsFromWkb } from '../wkb.ts';

/** Compares a boundary that is not stored yet with a polygon. */
export interface MutualShareTask {
  /** The chains of its border, in 1e-7 degrees. */
  readonly chains: readonly Coords[];
  readonly adminLevel: number;
  /** The polygon: well-known binary in degrees. */
  readonly wkb: Uint8Array;
}

/**
 * The share (0 … 1) of the boundary's area that the polygon covers, or of the polygon's area that the boundary covers,
 * whichever is smaller; 0 for a boundary that does not assemble.
 * @throws Error as intersectionShare()
 */
export async function run({ chains, adminLevel, wkb }: MutualShareTask): Promise<number> {
  const boundary = { chains: Uint32Array.from(chains, (_, i) => i), adminLevel };
  const task = { chains: [...chains], storedFrom: chains.length, ...NOTHING_STORED, boundaries: [boundary] };
  const { arcs, boundaries } = assembleArrangement(task);
  const [built] = boundaries;
  if (!('rings' in built)) return 0;
  const own = materialize({ ...NO_TIERS, ...arcs }, built.rings, FULL, 0);
  const other = polygonsFromWkb(wkb, 1e7);
  const share = await intersectionShare(own, other);
  return share === 0 ? 0 : Math.min(share, await intersectionShare(other, own));
}
