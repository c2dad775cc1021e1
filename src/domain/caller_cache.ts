import NodeCache from 'node-cache';
import type { Database } from '../db/connect.ts';

/** Maximum milliseconds until a change by another process is noticed if its announcement is lost. */
const KEPT_MS = 5000;
/** Maximum credentials in the cache, which is cleared when full: made-up credentials must not exhaust memory. */
const ENTRIES = 10_000;

interface Entry<C> {
  readonly caller: Promise<C>;
  /** On the monotonic clock: node-cache goes by that of the system, which can be set back. */
  readonly until: number;
}

/**
 * Caches the callers that credentials authenticate, for five seconds, whatever happens to the clock of the system.
 * Credentials are keyed by their SHA-256.
 */
export class CallerCache<C> {
  private readonly callers = new NodeCache({ stdTTL: KEPT_MS / 1000, useClones: false, checkperiod: 0 });

  /** Clears the cache when `db` announces that a credential, a role or a membership has changed. */
  constructor(db: Pick<Database, 'listen'>) {
    db.listen('boundary_callers', () => this.clear());
  }

  /**
   * The caller of a credential: from memory, or looked up single-flight. `expiresAt` takes the moment (milliseconds
   * since the epoch) at which the credential expires; its entry expires then too. Failures and null are not cached: a
   * credential works from the moment it is created.
   * @throws what `lookUp` throws
   */
  find(hash: string, lookUp: (expiresAt: (moment: number) => void) => Promise<C>): Promise<C> {
    const known = this.callers.get<Entry<C>>(hash);
    if (known !== undefined && known.until > performance.now()) return known.caller;
    if (this.callers.getStats().keys >= ENTRIES) this.callers.flushAll();
    let expires = Infinity;
    const caller = lookUp((moment) => {
      expires = moment;
    });
    // Cached before the lookup ends: a revocation in the meantime removes it.
    this.keep(hash, caller, KEPT_MS);
    const isMine = () => this.callers.get<Entry<C>>(hash)?.caller === caller;
    caller.then(
      (found) => {
        const left = expires - Date.now();
        if (found === null || left <= 0) this.drop(hash, isMine);
        else if (left < KEPT_MS && isMine()) this.keep(hash, caller, left);
      },
      () => this.drop(hash, isMine),
    );
    return caller;
  }

  /** Clears the cache: a credential, a role or a membership has changed. */
  clear(): void {
    this.callers.flushAll();
  }

  private keep(hash: string, caller: Promise<C>, ms: number): void {
    const entry: Entry<C> = { caller, until: performance.now() + ms };
    this.callers.set(hash, entry, ms / 1000);
  }

  private drop(hash: string, isMine: () => boolean): void {
    if (isMine()) this.callers.del(hash);
  }
}
