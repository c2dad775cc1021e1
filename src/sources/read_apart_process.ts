/** The process that reads one file of areas for a server (read_apart.ts). It has no database. */
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { limitMemory } from '../common/memory_limit.ts';
import { readCoverage } from './coverage/read.ts';
import type { Asked, Told } from './read_apart.ts';

const tell = (answer: Told) => new Promise<void>((resolve) => process.send?.(answer, undefined, {}, () => resolve()));

async function read({ path, options, mostBytes, mostAreas }: Asked): Promise<void> {
  limitMemory(mostBytes);
  // One more than are taken: so that too many are refused, not cut off.
  const coverage = await readCoverage(path, options, undefined, undefined, mostAreas + 1);
  await tell({ coverage });
}

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
try {
  // Linux ends this process first when the machine has no memory left.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Another system, or one that does not allow it: the limit of memory remains.
}
process.on('message', (asked) => {
  read(asked as Asked).catch((error: unknown) => tell({ failure: (error as Error).message }));
});
process.once('disconnect', () => process.exit(0));
