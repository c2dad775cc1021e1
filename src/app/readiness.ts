import { only } from '../common/elements.ts';
import type { Database } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Engine } from '../geometry/engine.ts';
import type { Readiness } from '../services.ts';

const READY_MS = 2_000;

/** Number of stored boundaries, counted up to 1000. Times out after two seconds. */
export async function countIn(db: Database, signal?: AbortSignal): Promise<number> {
  const options = { timeoutMs: READY_MS, signal };
  return only(await db.query(loadQuery('boundary_count'), [], options)).count;
}

/**
 * Reports whether the process can serve. Takes at most two seconds: a database that has not answered by then counts as
 * not answering, whatever the cause.
 */
export async function readiness(
  countBoundaries: (signal: AbortSignal) => Promise<number>,
  pool: Pick<Engine['pool'], 'isFull'>,
): Promise<Readiness> {
  const checks: Record<string, string> = { database: 'ok', pool: 'ok', data: 'ok' };
  const giveUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      giveUp.abort(new Error('the database does not answer'));
      reject(giveUp.signal.reason);
    }, READY_MS);
  });
  try {
    if ((await Promise.race([countBoundaries(giveUp.signal), late])) === 0)
      checks.data = 'No boundary is stored: run boundary seed or boundary import.';
  } catch {
    checks.database = 'The database does not answer.';
    checks.data = 'unknown';
  } finally {
    clearTimeout(timer);
  }
  if (pool.isFull) checks.pool = 'The queue of the geometry workers is full.';
  return { ready: Object.values(checks).every((check) => check === 'ok'), checks };
}
