import { DatabaseError } from './database_error.ts';

/** Lets one caller through at a time, in order of arrival. */
export interface Gate {
  /** Runs `work` when everyone before is done. Throws DatabaseError `queue_full` when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How many run or wait. */
  readonly size: number;
}

/** A gate whose queue holds at most `limit` callers beside the one that runs. */
export function createGate(limit: number): Gate {
  let size = 0;
  let tail: Promise<unknown> = Promise.resolve();
  return {
    get size() {
      return size;
    },
    run<T>(work: () => Promise<T>): Promise<T> {
      if (size > limit) {
        return Promise.reject(new DatabaseError('queue_full', `${limit} database calls are waiting already.`));
      }
      size++;
      const turn = tail.then(work).finally(() => {
        size--;
      });
      tail = turn.catch(() => undefined);
      return turn;
    },
  };
}
