/**
 * What the parts of boundaries have in common: their land, their water, and their land without inland water are shapes in
 * arrangements of their own (apart.ts). Where the lines that cut them change, the boundaries around are marked `pending`,
 * and later worked out again with those that share a border, a parent or a child with one, so that neighbors always fit.
 */
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { batches } from '../batches.ts';
import { intsOf } from '../ints.ts';
import { type StoredApart, storeApart } from './apart.ts';
import type { BuildRun } from './source_rows.ts';
import { type Extent, mergeBoxes } from './topology.ts';

/** The most boxes in which lines, or boundaries, are looked up at once. */
const MOST_BOXES = 500;

/** The sides of a box, in 1e-7 degrees (west > east across the antimeridian). */
export type Box = { readonly west: number; readonly south: number; readonly east: number; readonly north: number };

type Sides = [west: number[], south: number[], east: number[], north: number[]];

/** The west, south, east and north sides of boxes. */
export function sides(boxes: readonly Extent[]): Sides {
  const side = (k: number) => boxes.map((box) => defined(box[k]));
  return [side(0), side(1), side(2), side(3)];
}

/** The sides of at most MOST_BOXES boxes that cover these. One across the antimeridian is as wide as the map. */
export function sidesAround(boxes: readonly Box[]): Sides {
  const extents = boxes.map(
    ({ west, south, east, north }): Extent =>
      west > east ? [-1_800_000_000, south, 1_800_000_000, north] : [west, south, east, north],
  );
  return sides(mergeBoxes(extents, MOST_BOXES));
}

/** Marks the boundaries whose box meets one of these as pending, with the statement for this part. */
export async function markAround(
  tx: Queryable,
  statement: 'land_mark_around' | 'inland_mark_around',
  changed: readonly Box[],
): Promise<void> {
  if (changed.length > 0) await tx.query(loadQuery(statement), sidesAround(changed));
}

/** The boundaries whose part is to be worked out, by their ids. */
export interface Renewal {
  readonly pending: readonly string[];
  /** Not there any more, but their part is. */
  readonly orphans: readonly string[];
  /** Those that get a new part: the pending ones, and the ones around them. */
  readonly renewed: ReadonlySet<string>;
  /** Those that are cut together with them: these, and the ones around them. */
  readonly around: readonly string[];
}

/**
 * The boundaries whose part is to be worked out; null when there are none.
 * @param part its arrangements, the statement that reads what is pending, and whether boundaries of sources that end at
 *   the shore have it
 */
export async function boundariesToRenew(
  db: Queryable,
  part: {
    readonly arrangements: readonly number[];
    readonly pending: 'land_pending' | 'inland_pending';
    readonly atShore: boolean;
  },
): Promise<Renewal | null> {
  const pending = (await db.query(loadQuery(part.pending))).map(({ id }) => id);
  const orphans = (await db.query(loadQuery('part_orphans'), [part.arrangements])).map(({ id }) => id);
  if (pending.length + orphans.length === 0) return null;
  const scopeOf = async (ids: readonly string[]) =>
    ids.length === 0 ? [] : (await db.query(loadQuery('part_scope'), [ids, part.atShore])).map(({ id }) => id);
  const renewed = await scopeOf(pending);
  return { pending, orphans, renewed: new Set(renewed), around: await scopeOf(renewed) };
}

/** A boundary and the rings of its part; none when it has no such part. */
export interface PartOf {
  readonly id: string;
  readonly type: 'administrative' | 'postal_code';
  readonly adminLevel: number | null;
  readonly rings: readonly Int32Array[];
}

/** Stores the parts of boundaries in an arrangement, and removes those of boundaries and `orphans` that have none. */
export function storeParts(
  run: BuildRun,
  tx: Queryable,
  arrangement: number,
  parts: readonly PartOf[],
  orphans: readonly string[],
): Promise<StoredApart> {
  const shapes = parts.filter(({ rings }) => rings.length > 0);
  const without = parts.flatMap(({ id, rings }) => (rings.length > 0 ? [] : [id]));
  return storeApart(run, tx, arrangement, shapes, [...without, ...orphans]);
}

/** Why a part is unknown, and where (1e-7 degrees), for its row, of a boundary whose rings do not assemble. */
export function brokenColumns({ reason, lat, lon }: StoredApart['broken'][number]) {
  const units = (degrees: number | null) => (degrees === null ? null : Math.round(degrees * 1e7));
  return { state: 'unknown', reason, lat: units(lat), lon: units(lon) } as const;
}

/** The distinct arcs of shapes, and those of each shape: indexes of arcs, which end at `refEnd`. */
export async function readArcs(db: Queryable, shapes: readonly { readonly arcs: readonly number[] | null }[]) {
  const indexOf = new Map<number, number>();
  const refs: number[] = [];
  const refEnd = Uint32Array.from(shapes, ({ arcs }) => {
    for (const ref of arcs ?? []) {
      const id = Math.abs(ref);
      const index = indexOf.get(id) ?? indexOf.size;
      indexOf.set(id, index);
      refs.push(index);
    }
    return refs.length;
  });
  const arcs: Int32Array[] = new Array(indexOf.size);
  for (const some of batches([...indexOf.keys()], () => 1_000)) {
    for (const { id, coords } of await db.query(loadQuery('area_arc_coords'), [some]))
      arcs[defined(indexOf.get(id))] = intsOf(coords);
  }
  const arcsOf = (i: number) => refs.slice(i === 0 ? 0 : refEnd[i - 1], refEnd[i]).map((index) => defined(arcs[index]));
  return { arcs, refs: Uint32Array.from(refs), refEnd, arcsOf };
}
