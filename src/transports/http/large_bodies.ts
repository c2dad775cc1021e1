/** Large bodies that are received at once: one organization, or one network without an account, has a share of them. */
import type { IncomingMessage } from 'node:http';
import { problem } from '../../core/errors.ts';
import type { Caller } from '../../core/op.ts';

/** Bytes from which a body is large, and so many of one owner at once. */
const LARGE = 1024 * 1024;
const MOST_OF_ONE = 8;

/** The place of one request among those with large bodies, which it has once its body is known to be one. */
export interface BodyPlace {
  /**
   * Notes how long the body is, or how much of it has been received.
   * @throws rate_limited where it is large, and its owner has as many as it may
   */
  note(bytes: number): void;
  /** Gives the place back. */
  leave(): void;
}

/** Counts large bodies by whose they are. */
export class LargeBodies {
  private readonly counts = new Map<string, number>();

  /**
   * The place of a request's body: taken here if the body is said to be large, otherwise by note().
   * @param network whose body it is where the caller has no account
   * @throws rate_limited as BodyPlace.note()
   */
  placeFor(request: IncomingMessage, caller: Caller, network: string): BodyPlace {
    const owner = caller.org?.id ?? caller.account?.id ?? network;
    let isTaken = false;
    const place: BodyPlace = {
      note: (bytes) => {
        if (isTaken || bytes <= LARGE) return;
        this.take(owner);
        isTaken = true;
      },
      leave: () => {
        if (isTaken) this.release(owner);
        isTaken = false;
      },
    };
    place.note(Number(request.headers['content-length'] ?? 0));
    return place;
  }

  private take(owner: string): void {
    const count = this.counts.get(owner) ?? 0;
    if (count >= MOST_OF_ONE) {
      const message = `At most ${MOST_OF_ONE} bodies of more than 1 MiB are received at once. Try again.`;
      throw problem('rate_limited', message, { retry_after: 5 });
    }
    this.counts.set(owner, count + 1);
  }

  private release(owner: string): void {
    const left = (this.counts.get(owner) ?? 1) - 1;
    if (left === 0) this.counts.delete(owner);
    else this.counts.set(owner, left);
  }
}
