/** States of a job: queued, then running (queued again if its process releases it), then one of the others. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Whether a job is still queued or running. */
export const isLive = (state: JobState): boolean => state === 'queued' || state === 'running';

/** A range of the items of a job: from … to - 1. */
export interface JobPart {
  readonly from: number;
  readonly to: number;
}

/** Splits `total` items into parts of `size`, the last one smaller; one empty part if there are none. */
export function partsOf(total: number, size: number): JobPart[] {
  const count = Math.max(1, Math.ceil(total / size));
  return Array.from({ length: count }, (_, i) => ({ from: i * size, to: Math.min(total, (i + 1) * size) }));
}

/** Speed of a job. */
export interface Pace {
  /** Items per second since the start; null before the first item. */
  readonly rate: number | null;
  /** Seconds until all items are done at that rate; null before the first item. */
  readonly left_s: number | null;
}

/** The pace of a job that has done `done` of `total` items in `ms` milliseconds. */
export function paceOf({ done, total }: { readonly done: number; readonly total: number }, ms: number): Pace {
  if (done <= 0 || ms <= 0) return { rate: null, left_s: null };
  const rate = (done * 1000) / ms;
  return { rate: Math.round(rate * 10) / 10, left_s: Math.ceil(Math.max(0, total - done) / rate) };
}

/** Claims of a job without a new part after which it fails. */
export const MOST_ATTEMPTS = 5;
/** Times that the data may change while a job runs; after that it fails. */
export const MOST_RESETS = 5;

/** Whether a job whose work failed is retried. `fault`: the cause; `attempts`: claims since a part was last stored. */
export function verdictOf(fault: 'request' | 'passing' | 'unknown', attempts: number): 'fail' | 'retry' {
  if (fault === 'request') return 'fail';
  return attempts >= MOST_ATTEMPTS ? 'fail' : 'retry';
}

/** Units charged for a job: those of what it made, at most those reserved. */
export function chargedUnits(reserved: number, made: number): number {
  return Math.max(0, Math.min(reserved, made));
}
