import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** One point of a curve. */
export interface Point {
  readonly x: number;
  /** Duration in milliseconds. */
  readonly ms: number;
  /** Peak memory of the working processes in bytes; null if /proc does not show it. */
  readonly bytes: number | null;
}

/** Ours and a rival by one quantity. */
export interface Growth {
  /** The growing quantity: the label of the axis. */
  readonly of: string;
  /** The timed work: the title of the upper panel, at most about forty letters. */
  readonly work: string;
  /** The measured processes: the title of the lower panel. */
  readonly memory: string;
  readonly ours: readonly Point[];
  readonly rival: string;
  readonly theirs: readonly Point[];
}

/** Private memory of processes (RssAnon) in bytes; null if /proc does not show it. */
export function privateBytes(pids: readonly number[]): number | null {
  let sum = 0;
  for (const pid of pids) {
    try {
      const kilobytes = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      if (kilobytes === undefined) return null;
      sum += 1024 * Number(kilobytes);
    } catch {
      return null;
    }
  }
  return sum;
}

/** Runs work while sampling the memory of processes; returns its value and the peak. */
export async function watched<T>(
  pids: () => Promise<readonly number[]> | readonly number[],
  work: () => Promise<T>,
): Promise<{ value: T; bytes: number | null }> {
  const end = new AbortController();
  let most: number | null = null;
  const watch = async (): Promise<void> => {
    const watchedPids = await pids();
    while (!end.signal.aborted) {
      const now = privateBytes(watchedPids);
      if (now !== null) most = Math.max(most ?? 0, now);
      await sleep(50, null, { signal: end.signal }).catch(() => null);
    }
  };
  const watching = watch();
  try {
    return { value: await work(), bytes: most };
  } finally {
    end.abort();
    await watching;
  }
}
