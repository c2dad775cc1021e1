/** Large bodies that are received at once: one organization, or one network without an account, has a share of them. */
import type { IncomingMessage } from 'node:http';
import { problem } from '../../core/errors.ts';
import type { Caller } from '../../core/op.ts';

/** Bytes from which a body is large, and so many of one owner at once. */
const LARGE = 1024 * 1024;
const MOST_OF_ONE = 8;

/** Counts large bodies by whose they are. */
export class LargeBodies {
  private readonly counts = new Map<string, number>();

  /**
   * Takes a place for the body of a request, if that is large or does not say its length.
   * @param network whose body it is where the caller has no account
   * @returns gives the place back; null for another body
   * @throws rate_limited while the owner has as many
   */
  take(request: IncomingMessage, caller: Caller, network: string): (() => void) | null {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (coding === undefined && !(Number(length) > LARGE)) return null;
    const owner = caller.org?.id ?? caller.account?.id ?? network;
    const count = this.counts.get(owner) ?? 0;
    if (count >= MOST_OF_ONE) {
      const message = `At most ${MOST_OF_ONE} bodies of more than 1 MiB, or of unknown length, are received at once. Try again.`;
      throw problem('rate_limited', message, { retry_after: 5 });
    }
    this.counts.set(owner, count + 1);
    return () => {
      const left = (this.counts.get(owner) ?? 1) - 1;
      if (left === 0) this.counts.delete(owner);
      else this.counts.set(owner, left);
    };
  }
}
