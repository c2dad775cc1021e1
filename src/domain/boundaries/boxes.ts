import { singleFlight } from '../../common/single_flight.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { type Boxes, type PackBoxes, readBoxes } from './box_index.ts';
import type { RevisionWatch } from './revision.ts';

/** Maximum fraction of time spent reading boxes. Where the data changes often, the database answers instead. */
const BOXES_SHARE = 0.1;

/** The boxes of all boundaries at the newest revision that was read. */
export interface BoxesInMemory {
  /** The boxes of a revision; null if they are not in memory. */
  of(revision: number): Boxes | null;
  /** Reads the boxes; returns whether they are in memory afterwards. */
  warm(): Promise<boolean>;
  /** Starts to read the boxes in the background, unless they were read a moment ago. */
  warmInBackground(): void;
  /** Bytes that the boxes take in memory, and how many boundaries they cover. */
  size(): { readonly bytes: number; readonly boundaries: number };
}

/** Reads of boxes that share a part of the time, as those of all dates of one database do: one at a time. */
export interface BoxReads {
  running: number;
  /** By performance.now(): no read in the background starts before. */
  nextAt: number;
  /** Whether there are more boundaries than boxes may be read of, at a revision; counted once for each. */
  tooMany(revision: number): Promise<boolean>;
}

/** @param most the most boundaries of today and of editions, which are what the boxes of any date are read from */
export function createBoxReads(db: Queryable, most: number): BoxReads {
  let known: { readonly revision: number; readonly answer: Promise<boolean> } | null = null;
  async function count(): Promise<boolean> {
    if (most === Number.POSITIVE_INFINITY) return false;
    const [row] = await db.query(loadQuery('boundary_count_all'), [most + 1]);
    return (row?.boundaries ?? 0) > most;
  }
  return {
    running: 0,
    nextAt: 0,
    tooMany(revision) {
      if (known?.revision === revision) return known.answer;
      const answer = count();
      known = { revision, answer };
      answer.catch(() => {
        known = null;
      });
      return answer;
    },
  };
}

/** When boxes are read in the background. */
export interface BoxesLimits {
  /** After how many calls that lacked them; a read of all boundaries is not worth it for a few. */
  readonly after: number;
  readonly reads: BoxReads;
}

/** Caches the boxes of all boundaries. Without `packBoxes` it never has any. */
export function createBoxes(
  db: Database,
  revisions: RevisionWatch,
  packBoxes: PackBoxes | undefined,
  { after, reads }: BoxesLimits = { after: 0, reads: createBoxReads(db, Number.POSITIVE_INFINITY) },
): BoxesInMemory {
  let lacked = 0;
  let boxes: Boxes | null = null;

  const warm = singleFlight(readAllBoxes);

  async function readAllBoxes(): Promise<boolean> {
    if (!packBoxes) return false;
    reads.running++;
    const started = performance.now();
    try {
      const revision = await revisions.current();
      if (boxes?.revision === revision) return true;
      if (await reads.tooMany(revision)) return false;
      const read = await readBoxes(db, packBoxes, revision);
      if (read) boxes = read;
      return read !== null;
    } finally {
      const ended = performance.now();
      reads.running--;
      reads.nextAt = ended + (ended - started) / BOXES_SHARE;
    }
  }

  return {
    of: (revision) => (boxes?.revision === revision ? boxes : null),
    warm,
    warmInBackground() {
      if (!packBoxes || ++lacked <= after) return;
      if (reads.running === 0 && performance.now() >= reads.nextAt) warm().catch(() => undefined);
    },
    size: () => ({ bytes: boxes?.bytes ?? 0, boundaries: boxes?.boundaries ?? 0 }),
  };
}
