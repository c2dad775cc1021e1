import { SingleFlight } from '../../common/single_flight.ts';
import { SizedLru } from '../../common/sized_lru.ts';
import { problem } from '../../core/errors.ts';
import type { Kind } from '../../core/schemas.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { PackBoxes } from '../boundaries/box_index.ts';
import { DataMoved } from '../boundaries/reads.ts';

/** Selects the boundaries that points are located in: those of any of the levels or kinds; all if both are empty. */
export interface LocateFilter {
  readonly levels: readonly number[];
  readonly kinds: readonly Kind[];
}

/** A boundary as the answer for a point reports it. */
export interface LocateMember {
  /** Canonical. */
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly admin_level: number | null;
  readonly country: string | null;
  readonly iso: string | null;
  readonly wikidata: string | null;
  readonly population: number | null;
  readonly area_km2: number | null;
  /** Hexadecimal. */
  readonly ringHash: string;
}

/** The boundaries of a filter with their bounding boxes, at one revision. */
export interface LocateSet {
  readonly revision: number;
  /** Outermost first: administrative ones by admin_level, then other types; the larger one first. */
  readonly members: readonly LocateMember[];
  /** Made by PackBoxes; null if there are no boxes. */
  readonly tree: ArrayBufferLike | null;
  /** West, south, east, north of each box in 1e-7 degrees, in shared memory. */
  readonly boxes: Int32Array;
  /** Index in `members` for each box; a boundary across the antimeridian has two boxes. */
  readonly memberOf: Uint32Array;
}

/** Maximum boundaries of one set: some 60 MB. */
const MOST_MEMBERS = 200_000;
/** Bytes of memory for the cached sets of all databases, those of dates and area sets among them: two of the largest. */
const MOST_BYTES = 2 ** 27;
/** Approximate bytes of a member, and of a box with its entry in the tree. */
const MEMBER_BYTES = 300;
const BOX_BYTES = 40;
/** Rows per statement. */
const PAGE = 20_000;
/** 180 degrees east, in 1e-7 degrees. */
const EAST_END = 1_800_000_000;

/** The sets that are being read, and those that were, by database and filter. */
const reading = new SingleFlight<LocateSet>();
const cached = new SizedLru<LocateSet>(MOST_BYTES);
const numbers = new WeakMap<Queryable, number>();
let databases = 0;

/** The number of a database among those of this process. */
function numberOf(db: Queryable): number {
  const number = numbers.get(db) ?? ++databases;
  numbers.set(db, number);
  return number;
}

/**
 * The set of a filter at a revision: read single-flight, then cached in memory that all databases share.
 * @throws DataMoved if the data has another revision by now, and too_large over MOST_MEMBERS boundaries
 */
export async function locateSet(
  db: Queryable,
  pack: PackBoxes,
  filter: LocateFilter,
  revision: number,
): Promise<LocateSet> {
  const key = JSON.stringify([numberOf(db), revision, [...filter.levels].sort(), [...filter.kinds].sort()]);
  return (
    cached.get(key) ??
    reading.run(key, async () => {
      const read = await readLocateSet(db, pack, filter, revision);
      cached.set(key, read, MEMBER_BYTES * read.members.length + BOX_BYTES * read.memberOf.length);
      return read;
    })
  );
}

interface Row extends Omit<LocateMember, 'ringHash'> {
  readonly administrative: boolean;
  readonly ring_hash: string;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

async function readLocateSet(
  db: Queryable,
  pack: PackBoxes,
  { levels, kinds }: LocateFilter,
  revision: number,
): Promise<LocateSet> {
  const some = levels.length + kinds.length > 0;
  const rows: Row[] = [];
  for (let after = '', more = true; more; after = rows.at(-1)?.id ?? '') {
    const values = [after, PAGE, some ? [...levels] : null, some ? [...kinds] : null] as const;
    const page = await db.query(loadQuery('locate_set'), values);
    if (page.some((row) => Number(row.revision) !== revision)) throw new DataMoved();
    for (const row of page) if (row.id !== null) rows.push(row as unknown as Row);
    if (rows.length > MOST_MEMBERS) {
      throw problem('too_large', `More than ${MOST_MEMBERS} boundaries are stored. Choose levels or kinds.`);
    }
    more = page.length === PAGE;
  }
  rows.sort(outermostFirst);
  const count = rows.reduce((sum, { west, east }) => sum + (west > east ? 2 : 1), 0);
  const boxes = new Int32Array(new SharedArrayBuffer(16 * count));
  const memberOf = new Uint32Array(count);
  let n = 0;
  rows.forEach(({ west, south, east, north }, place) => {
    const put = (...box: number[]): void => {
      memberOf[n] = place;
      boxes.set(box, 4 * n++);
    };
    if (west <= east) put(west, south, east, north);
    else {
      put(west, south, EAST_END, north);
      put(-EAST_END, south, east, north);
    }
  });
  const members = rows.map(
    ({ id, name, kind, admin_level, country, iso, wikidata, population, area_km2, ring_hash }): LocateMember => ({
      id,
      name,
      kind,
      admin_level,
      country,
      iso,
      wikidata,
      population,
      area_km2,
      ringHash: ring_hash,
    }),
  );
  return { revision, members, boxes, memberOf, tree: count === 0 ? null : await pack(boxes) };
}

function outermostFirst(a: Row, b: Row): number {
  const rank = (row: Row) => (row.administrative ? (row.admin_level ?? 98) : 99);
  return rank(a) - rank(b) || (b.area_km2 ?? 0) - (a.area_km2 ?? 0) || (a.id < b.id ? -1 : 1);
}
