import { singleFlight } from '../../common/single_flight.ts';
import type { Database } from '../../db/connect.ts';
import { type Boxes, type PackBoxes, readBoxes, TooManyBoxes } from './box_index.ts';
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

/** When boxes are read in the background. */
export interface BoxesLimits {
  /** After how many calls that lacked them; a read of all boundaries is not worth it for a few. */
  readonly after: number;
  /** For how many boundaries at most. */
  readonly most: number;
}

/** Caches the boxes of all boundaries. Without `packBoxes` it never has any. */
export function createBoxes(
  db: Database,
  revisions: RevisionWatch,
  packBoxes: PackBoxes | undefined,
  { after, most }: BoxesLimits = { after: 0, most: Number.POSITIVE_INFINITY },
): BoxesInMemory {
  let lacked = 0;
  let tooMany = false;
  let boxes: Boxes | null = null;
  let nextReadAt = 0;

  const warm = singleFlight(readAllBoxes);

  async function readAllBoxes(): Promise<boolean> {
    if (!packBoxes) return false;
    const started = performance.now();
    try {
      const revision = await revisions.current();
      if (boxes?.revision === revision) return true;
      const read = await readBoxes(db, packBoxes, revision, most);
      if (read) boxes = read;
      return read !== null;
    } catch (error) {
      if (!(error instanceof TooManyBoxes)) throw error;
      tooMany = true;
      return false;
    } finally {
      const ended = performance.now();
      nextReadAt = ended + (ended - started) / BOXES_SHARE;
    }
  }

  return {
    of: (revision) => (boxes?.revision === revision ? boxes : null),
    warm,
    warmInBackground() {
      if (!packBoxes || tooMany || ++lacked <= after) return;
      if (performance.now() >= nextReadAt) warm().catch(() => undefined);
    },
    size: () => ({ bytes: boxes?.bytes ?? 0, boundaries: boxes?.boundaries ?? 0 }),
  };
}
