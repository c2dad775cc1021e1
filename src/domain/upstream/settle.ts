/** Waiting for questions to an upstream that other callers may be waiting for too. */
import { setTimeout as sleep } from 'node:timers/promises';
import { asProblem, ProblemError } from '../../core/errors.ts';
import type { CallerKind } from './budget.ts';
import { pendingProblem } from './questions.ts';
import type { Flight, FlightResult } from './single_flight.ts';
import type { UpstreamCaller } from './upstream.ts';

/** How a question ended. */
export type Result = FlightResult | ProblemError;

/**
 * Returns the results of questions. One that has not ended within `waitMs` milliseconds is a problem that says whether
 * its request was sent or waits for a slot.
 * @throws the reason of the caller's signal
 */
export async function settle(
  questions: ReadonlyMap<string, () => Flight>,
  asker: UpstreamCaller,
  waitMs: number,
): Promise<Map<string, Result>> {
  const results = new Map<string, Result>();
  const running = [...questions].flatMap(([key, start]) => {
    const joined = join(start, asker.who);
    if (joined instanceof ProblemError) {
      results.set(key, joined);
      return [];
    }
    const done = joined.ended.then(
      (answer) => void results.set(key, answer),
      (error: unknown) => {
        const known = asProblem(error);
        if (!known) throw error;
        results.set(key, known);
      },
    );
    done.catch(() => undefined);
    return [{ key, flight: joined.flight, done }];
  });
  const enough = new AbortController();
  asker.signal?.addEventListener('abort', () => enough.abort(), { once: true, signal: enough.signal });
  const waited = sleep(waitMs, undefined, { signal: enough.signal }).catch(() => undefined);
  await Promise.race([Promise.all(running.map(({ done }) => done)), waited]).finally(() => enough.abort());
  asker.signal?.throwIfAborted();
  for (const { key, flight } of running) if (!results.has(key)) results.set(key, pendingProblem(flight));
  return results;
}

/** Starts or joins work on a question. A caller with more rights than the starter retries a refusal once. */
function join(start: () => Flight, who: CallerKind): { flight: Flight; ended: Promise<FlightResult> } | ProblemError {
  try {
    const flight = start();
    const ended =
      who === 'known' && flight.who !== 'known'
        ? flight.ended.catch((error: unknown) => {
            if (asProblem(error)?.code !== 'upstream_busy') throw error;
            return start().ended;
          })
        : flight.ended;
    return { flight, ended };
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}
