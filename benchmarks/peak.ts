import { existsSync, readFileSync } from 'node:fs';

/** Peak resident memory of a process so far (VmHWM on Linux), in MiB; 0 if it has ended. */
export function peakOf(pid: number): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return 0;
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) / 1024;
}
