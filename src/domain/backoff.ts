const FIRST_RETRY_S = 5;
/** job_claim takes what is due in twice that time for due. */
const LONGEST_RETRY_S = 3600;

/** Seconds to wait after `attempts` failures (1 or more): 5, doubled each time, at most an hour. */
export function backoffSeconds(attempts: number): number {
  return Math.min(LONGEST_RETRY_S, FIRST_RETRY_S * 2 ** Math.min(30, Math.max(0, attempts - 1)));
}
