import { defined } from '../../common/elements.ts';
import { waysOf } from './candidates.ts';
import type { Candidate, Trouble } from './model.ts';
import type { WayRow } from './topology.ts';

/**
 * Reports the first way of a border that is missing or incomplete, or null if all are complete. The place is an open
 * end of the other ways, so it is at the edge of a gap.
 */
export function missingOf(candidate: Candidate, ways: ReadonlyMap<number, WayRow>): Trouble | null {
  if (candidate.input && 'rings' in candidate.input.border) return null;
  const ids = waysOf(candidate);
  if (ids.length === 0) return { trouble: 'it has no ways', x: null, y: null };
  const lacking = ids.find((id) => !ways.get(id)?.coords);
  if (lacking === undefined) return null;
  const node = ways.get(lacking)?.missing;
  const [x, y] = openEnd(ids.flatMap((id) => ways.get(id)?.coords ?? [])) ?? [null, null];
  return { trouble: node ? `way ${lacking}: missing node ${node}` : `missing way ${lacking}`, x, y };
}

/** The first end point that an odd number of chains share; null if there is none. */
function openEnd(chains: readonly Int32Array[]): [number, number] | null {
  const open = new Map<string, [number, number]>();
  for (const chain of chains) {
    for (const i of [0, chain.length - 2]) {
      const place: [number, number] = [defined(chain[i]), defined(chain[i + 1])];
      if (!open.delete(place.join())) open.set(place.join(), place);
    }
  }
  return open.values().next().value ?? null;
}
