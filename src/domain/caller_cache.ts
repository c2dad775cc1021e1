import NodeCache from 'node-cache';
import type { Database } from '../db/connect.ts';

/** Maximum seconds until a change by another process is noticed if its announcement is lost. */
const SECONDS = 5;
/** Maximum credentials in the cache, which is cleared when full: made-up credentials must not exhaust memory. */
const ENTRIES = 10_000;

/** Caches the callers that credentials authenticate, for five seconds. Credentials are keyed by their SHA-256. */
export class CallerCache<C> {
  private readonly callers = new NodeCache({ stdTTL: SECONDS, useClones: false, checkperiod: 0 });

  /** Clears the cache when `db` announces that a credential, a role or a membership has changed. */
  constructor(db: Pick<Database, 'listen'>) {
    db.listen('boundary_callers', () => this.clear());
  }

  /**
   * The caller of a credential: from memory, or looked up single-flight. `expiresAt` takes the moment (milliseconds
   * since the epoch) at which the credential expires; its entry expires then too. Failures and null are not cached: a
   * credential works from the moment it is created. Throws what `lookUp` throws.
   */
  find(hash: string, lookUp: (expiresAt: (moment: number) => void) => Promise<C>): Promise<C> {
    const known = this.callers.get<Promise<C>>(hash);
    if (known !== undefined) return known;
    if (this.callers.getStats().keys >= ENTRIES) this.callers.flushAll();
    let expires = Infinity;
    const caller = lookUp((moment) => {
      expires = moment;
    });
    // Cached before the lookup ends: a revocation in the meantime removes it.
    this.callers.set(hash, caller);
    const isMine = () => this.callers.get(hash) === caller;
    caller.then(
      (found) => {
        const left = (expires - Date.now()) / 1000;
        if (found === null || left <= 0) this.drop(hash, isMine);
        else if (left < SECONDS && isMine()) this.callers.ttl(hash, left);
      },
      () => this.drop(hash, isMine),
    );
    return caller;
  }

  /** Clears the cache: a credential, a role or a membership has changed. */
  clear(): void {
    this.callers.flushAll();
  }

  private drop(hash: string, isMine: () => boolean): void {
    if (isMine()) this.callers.del(hash);
  }
}
