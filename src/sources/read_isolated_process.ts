/** The process that reads one file of areas for a server (read_isolated.ts). It has no database. */

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type { Coords } from '../../workers/contract.ts';
import { limitMemory } from '../common/memory_limit.ts';
import { readCoverage } from './coverage/read.ts';
import { type OfficialChains, tileCoverage } from './coverage/tiling.ts';
import { lookAt } from './look.ts';
import type { Asked, AskedLook, AsksBorders, Told } from './read_isolated.ts';
import type { SourceBoundary } from './types.ts';

const tell = (answer: Told | AsksBorders) =>
  new Promise<void>((resolve) => process.send?.(answer, undefined, {}, () => resolve()));

/** Official borders, from the process that asked. */
const official: OfficialChains = async (boxes) => {
  const answer = once(process, 'message');
  await tell({ boxes });
  const [chains] = await answer;
  return chains as Coords[];
};

async function read({ path, options, tiling: asked, mostBytes, mostAreas, mostVertices }: Asked): Promise<void> {
  limitMemory(mostBytes);
  // One more than are taken: so that too many are refused, not cut off.
  const coverage = await readCoverage(path, options, undefined, undefined, mostAreas + 1);
  const { length: areas } = coverage.boundaries;
  const vertices = distinctVertices(coverage.boundaries);
  if (areas > mostAreas || vertices > mostVertices) return tell({ read: { areas, vertices } });
  if (asked === undefined) return tell({ read: { areas, vertices, coverage } });
  const tiled = await tileCoverage(coverage, asked, official);
  await tell({ read: { areas, vertices: distinctVertices(tiled.coverage.boundaries), ...tiled } });
}

async function look({ path, look: asked, mostBytes }: AskedLook): Promise<void> {
  limitMemory(mostBytes);
  await tell({ looked: await lookAt(path, asked) });
}

/** The vertices of areas, those that several have once: no more than the arcs that are cut of them have. */
function distinctVertices(areas: readonly SourceBoundary[]): number {
  const rings = areas.flatMap(({ border }) => ('rings' in border ? border.rings : []));
  const all = new BigInt64Array(rings.reduce((sum, { length }) => sum + length / 2, 0));
  let n = 0;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      all[n++] = (BigInt(ring[i] as number) << 32n) + BigInt(ring[i + 1] as number);
    }
  }
  all.sort();
  return all.reduce((count, one, i) => (i > 0 && one === all[i - 1] ? count : count + 1), 0);
}

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
try {
  // Linux ends this process first when the machine has no memory left.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Another system, or one that does not allow it: the limit of memory remains.
}
process.once('message', (message) => {
  const asked = message as Asked | AskedLook;
  ('look' in asked ? look(asked) : read(asked)).catch((error: unknown) => tell({ failure: (error as Error).message }));
});
process.once('disconnect', () => process.exit(0));
