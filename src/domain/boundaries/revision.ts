import { only } from '../../common/elements.ts';
import { singleFlight } from '../../common/single_flight.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';

/**
 * Returns the revision of the boundary data. Every transaction that changes a boundary, its parents, an alias or the
 * description of a source raises it on commit, so data read after this call is at least as new as the number.
 */
export async function dataRevision(db: Queryable): Promise<number> {
  return (await dataState(db)).revision;
}

/** The revision, and the moment from which on it could be read. */
async function dataState(db: Queryable): Promise<{ readonly revision: number; readonly recordedAt: string | null }> {
  const { revision, recorded_at: recordedAt } = only(await db.query(loadQuery('data_revision')));
  return { revision: Number(revision), recordedAt };
}

/** Compacts the log of old changes; run periodically. The revision stays the same. */
export async function compactRevision(db: Queryable): Promise<void> {
  await db.query(loadQuery('data_revision_fold'));
}

/** Watches the data revision for this process. */
export interface RevisionWatch {
  /**
   * Returns the current revision. Exact if only this process changes the data, or changed it last; a commit of another
   * process shows at most TRUST_MS later. Returns a promise only if the database must be queried.
   */
  current(): number | Promise<number>;
  /** Like current(), but returns null if the database must be queried; the query is then started. */
  atOnce(): number | null;
  /** As current(): the moment from which on that revision could be read, `2026-11-25T10:00:00.000Z`; null: not recorded. */
  recordedAt(): string | null | Promise<string | null>;
  /** Marks the known revision as possibly outdated: the next call queries the database. */
  invalidate(): void;
}

/** How long a revision read from a shared database is trusted, in milliseconds. */
const TRUST_MS = 800;
/** Age at which a revision is refreshed in the background while it is still trusted, in milliseconds. */
const REFRESH_MS = 300;

/** Watches the revision without a timer: calls trigger refreshes, at most one every LOOK_MS. */
export function watchRevision(db: Database, now: () => number = () => performance.now()): RevisionWatch {
  const shared = db.kind === 'native';
  let known: { readonly revision: number; readonly recordedAt: string | null; readonly at: number } | null = null;
  let invalidations = 0;

  async function look(): Promise<number> {
    for (;;) {
      const [before, at] = [invalidations, now()];
      const state = await dataState(db);
      if (before !== invalidations) continue;
      known = { ...state, at };
      return state.revision;
    }
  }

  const ask = singleFlight(look);

  function invalidate(): void {
    invalidations++;
    known = null;
  }

  function current(): number | Promise<number> {
    if (known === null) return ask();
    if (!shared) return known.revision;
    const age = now() - known.at;
    if (age >= TRUST_MS) return ask();
    // A failure surfaces when the number is too old to be trusted.
    if (age >= REFRESH_MS) ask().catch(() => undefined);
    return known.revision;
  }

  db.listen('boundary_data', invalidate);
  return {
    current,
    recordedAt() {
      const present = current();
      const recordedAt = () => known?.recordedAt ?? null;
      return typeof present === 'number' ? recordedAt() : present.then(recordedAt);
    },
    atOnce() {
      const present = current();
      if (typeof present === 'number') return present;
      // The next caller queries again and gets the error then.
      present.catch(() => undefined);
      return null;
    },
    invalidate,
  };
}
