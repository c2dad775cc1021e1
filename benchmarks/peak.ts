import { existsSync, readFileSync } from 'node:fs';

/** The largest resident memory of a process so far (VmHWM of Linux), in MB of 2^20 bytes; 0 where it has ended. */
export function peakOf(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return 0;
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) / 1024;
}
