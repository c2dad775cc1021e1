import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { only } from '../elements.ts';

/**
 * The number of the state of the boundaries. Every transaction that changes one, its parents, an alias or what is told
 * of a source raises it as it commits: what was read after the number is at least as new.
 */
export async function dataRevision(db: Queryable): Promise<number> {
  const { revision } = only(await db.query(loadQuery('data_revision')));
  return Number(revision);
}

/** Removes the record of old changes, from time to time; the number stays the same. */
export async function foldRevision(db: Queryable): Promise<void> {
  await db.query(loadQuery('data_revision_fold'));
}

/** The revision as this process knows it. */
export interface RevisionWatch {
  /**
   * The present revision. Exact where this process alone changes the data or has changed it last; what another process
   * commits is known at most TRUST_MS later. A promise only where the database has to be asked.
   */
  current(): number | Promise<number>;
  /** The present revision as current() gives it; null where the database has to be asked, which is begun. */
  atOnce(): number | null;
  /** What is known may be out of date: the next one to ask waits for the database. */
  doubt(): void;
}

/** For so long a number that was read from a database which others write to is believed, in milliseconds. */
const TRUST_MS = 800;
/** After so long it is read again, while the number that is known is still believed. */
const LOOK_MS = 300;

/** Watches the revision without a timer: who asks for it has it looked up, at most every LOOK_MS. */
export function watchRevision(db: Database, now: () => number = () => performance.now()): RevisionWatch {
  const shared = db.kind === 'native';
  let known: { readonly revision: number; readonly at: number } | null = null;
  let doubts = 0;
  let looking: Promise<number> | null = null;

  async function look(): Promise<number> {
    for (;;) {
      const [before, at] = [doubts, now()];
      const revision = await dataRevision(db);
      if (before !== doubts) continue;
      known = { revision, at };
      return revision;
    }
  }

  function ask(): Promise<number> {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  }

  function doubt(): void {
    doubts++;
    known = null;
  }

  function current(): number | Promise<number> {
    if (known === null) return ask();
    if (!shared) return known.revision;
    const age = now() - known.at;
    if (age >= TRUST_MS) return ask();
    // A failure shows once the number is too old to be believed.
    if (age >= LOOK_MS && looking === null) ask().catch(() => undefined);
    return known.revision;
  }

  db.listen('boundary_data', doubt);
  return {
    current,
    atOnce() {
      const present = current();
      if (typeof present === 'number') return present;
      // Who needs it asks again, and is told then.
      present.catch(() => undefined);
      return null;
    },
    doubt,
  };
}
