/** What a job may be: it is queued, then running (and queued again when its process ends), then one of the others. */
export const JOB_STATES = ['queued', 'running', 'done', 'failed', 'canceled'] as const;
export type JobState = (typeof JOB_STATES)[number];

/** Whether a job will still change. */
export const isLive = (state: JobState): boolean => state === 'queued' || state === 'running';

/** A stretch of the things that a job is made of, from … to - 1. */
export interface JobPart {
  readonly from: number;
  readonly to: number;
}

/** `total` things in parts of `size`, the last one smaller; one empty part for nothing. */
export function partsOf(total: number, size: number): JobPart[] {
  const count = Math.max(1, Math.ceil(total / size));
  return Array.from({ length: count }, (_, i) => ({ from: i * size, to: Math.min(total, (i + 1) * size) }));
}

/** How fast a job goes. */
export interface Pace {
  /** Things a second since it was started; null before the first. */
  readonly rate: number | null;
  /** Seconds until all are done, at that rate; null before the first. */
  readonly left_s: number | null;
}

/** The pace of a job that has done so many of its things in so many milliseconds. */
export function paceOf({ done, total }: { readonly done: number; readonly total: number }, ms: number): Pace {
  if (done <= 0 || ms <= 0) return { rate: null, left_s: null };
  const rate = (done * 1000) / ms;
  return { rate: Math.round(rate * 10) / 10, left_s: Math.ceil(Math.max(0, total - done) / rate) };
}

const FIRST_RETRY_S = 5;
const LONGEST_RETRY_S = 3600;

/** Seconds to wait before what has failed `attempts` times (1 or more) is tried again: doubled each time, an hour at most. */
export function backoffSeconds(attempts: number): number {
  return Math.min(LONGEST_RETRY_S, FIRST_RETRY_S * 2 ** Math.min(30, Math.max(0, attempts - 1)));
}

/** Times that a job is taken up again without getting any further. */
export const MOST_ATTEMPTS = 5;
/** Times that the data may change under a job. */
export const MOST_RESETS = 5;

/** What becomes of a job whose work failed. `fault`: what failed it; `attempts`: claims since a part was last kept. */
export function verdictOf(fault: 'request' | 'passing' | 'unknown', attempts: number): 'fail' | 'retry' {
  if (fault === 'request') return 'fail';
  return attempts >= MOST_ATTEMPTS ? 'fail' : 'retry';
}

/** Units that a job is charged: those of what it made, and never more than were reserved for it. */
export function chargedUnits(reserved: number, made: number): number {
  return Math.max(0, Math.min(reserved, made));
}
