import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** One point of a curve. */
export interface Point {
  readonly x: number;
  /** Milliseconds of the work. */
  readonly ms: number;
  /** Most memory that the processes at work held, in bytes; null where it cannot be seen (it is read from /proc). */
  readonly bytes: number | null;
}

/** Ours and a rival over one quantity. */
export interface Growth {
  /** What grows: the label of the axis. */
  readonly of: string;
  /** What is timed: the title of the upper panel, so about forty letters. */
  readonly work: string;
  /** Whose memory it is: the title of the lower panel. */
  readonly memory: string;
  readonly ours: readonly Point[];
  readonly rival: string;
  readonly theirs: readonly Point[];
}

/** The memory that processes hold and share with no one (RssAnon), in bytes; null where /proc does not tell. */
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

/** Does the work while watching the memory of processes; gives their most. */
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
