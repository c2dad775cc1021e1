import NodeCache from 'node-cache';
import type { Database } from '../db/connect.ts';

/** What another process revoked, ended or changed is noticed after this at the latest, where its announcement is lost. */
const SECONDS = 5;
/** Beyond so many credentials all are looked up again: a sweep of made-up ones must not take memory. */
const ENTRIES = 10_000;

/** Whom credentials stand for, remembered for five seconds. Credentials are named by their SHA-256. */
export class CallerCache<C> {
  private readonly callers = new NodeCache({ stdTTL: SECONDS, useClones: false, checkperiod: 0 });

  /** Forgets all as soon as `db` announces that a credential, a role or a membership has changed. */
  constructor(db: Pick<Database, 'listen'>) {
    db.listen('boundary_callers', () => this.clear());
  }

  /**
   * Whom a credential stands for: from memory, or looked up once however many ask at the same time. `expiresAt` takes
   * the moment (milliseconds since the epoch) at which the credential ends, for it to be forgotten then. A failure is
   * not remembered, nor is null: a credential works from the moment it is made. Throws what `lookUp` throws.
   */
  find(hash: string, lookUp: (expiresAt: (moment: number) => void) => Promise<C>): Promise<C> {
    const known = this.callers.get<Promise<C>>(hash);
    if (known !== undefined) return known;
    if (this.callers.getStats().keys >= ENTRIES) this.callers.flushAll();
    let expires = Infinity;
    const caller = lookUp((moment) => {
      expires = moment;
    });
    // Remembered before it is known: what is revoked meanwhile makes it forgotten.
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

  /** Forgets all: a credential, a role or a membership has changed. */
  clear(): void {
    this.callers.flushAll();
  }

  private drop(hash: string, isMine: () => boolean): void {
    if (isMine()) this.callers.del(hash);
  }
}
