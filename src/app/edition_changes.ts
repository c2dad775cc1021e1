import { LOCAL_OPERATOR } from '../core/access.ts';
import { ProblemError } from '../core/errors.ts';
import type { Change } from '../domain/history/changes.ts';
import { changesBetween } from '../ops/boundaries/list_changes.ts';
import type { Services } from '../services.ts';

const DAY_MS = 86_400_000;

/**
 * What list_changes answers of a source between the day before a date and that date; null where it fails for good, as for
 * more boundaries than it compares.
 * @throws rate_limited, and whatever is not a problem of the call
 */
export async function editionChanges(
  services: Services,
  source: string,
  date: string,
  signal: AbortSignal,
): Promise<readonly Change[] | null> {
  const ctx = {
    ...{ caller: LOCAL_OPERATOR, requestId: `edition ${source} ${date}`, address: null, signal },
    ...{ deadline: Number.MAX_SAFE_INTEGER, transport: 'rpc' as const },
    services: { ...services, engine: services.engine.inBackground() },
    ...{ baseUrl: services.config.BASE_URL, headers: {} },
  };
  const from = new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10);
  try {
    return await changesBetween(ctx, { from, to: date, source });
  } catch (error) {
    if (error instanceof ProblemError && error.code !== 'rate_limited') return null;
    throw error;
  }
}
