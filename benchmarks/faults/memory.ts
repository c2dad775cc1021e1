/** The memory of servers: how much they have, and a limit for it. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from './stage.ts';

/** Flags of a Node process whose threads and memory a fault can break. */
export const BREAKABLE = ['--import', './benchmarks/faults/breakable.mjs'];

/** Resident memory of a process in MB. */
export const memoryOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000);

/** Processes with a common memory limit, in a cgroup (version 1). */
interface Group {
  /** The command prefix with which a Node process joins the group before it loads anything. */
  readonly node: readonly string[];
  /** Peak memory of the group so far, in MB. */
  usedMb(): number;
  /** How many of its processes the kernel killed for lack of memory. */
  ended(): number;
}

/** Does harm to processes whose memory is limited together. */
export async function inGroup(bytes: number, harm: (group: Group) => Promise<Outcome>): Promise<Outcome> {
  const folder = '/sys/fs/cgroup/memory/boundary-faults';
  execFileSync('mkdir', ['-p', folder]);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  writeFileSync(join(folder, 'memory.limit_in_bytes'), String(bytes));
  const enters = `import{writeFileSync}from'node:fs';writeFileSync('${folder}/cgroup.procs',String(process.pid))`;
  try {
    return await harm({
      node: ['--import', `data:text/javascript,${encodeURIComponent(enters)}`, ...BREAKABLE],
      usedMb: () => Math.round(Number(read('memory.max_usage_in_bytes')) / 1e6),
      ended: () => Number(/oom_kill (\d+)/.exec(read('memory.oom_control'))?.[1]),
    });
  } finally {
    execFileSync('rmdir', [folder]);
  }
}
