import { endClassOf } from '../../workers/kernels/levels.ts';
import { findTileMembers, type TileMember } from '../domain/boundaries/tiles.ts';
import type { Tile } from '../geometry/cached.ts';
import type { Services } from '../services.ts';
import { drawTile, levelOfZoom, type TilePlace, tileBox, tileOf } from './boundary_tiles.ts';

/** The most labels of one tile. The largest boundaries come first; others get theirs at later zooms. */
const MOST_LABELS = 2_000;
/** Bytes of memory per member, without its texts. */
const MEMBER_BYTES = 400;
/** The end class of "every boundary": levels are mixed, so the ends of all arcs that meet are kept. */
const END_CLASS = endClassOf([null]);

/** A selection to draw tiles of. */
export interface DrawnSelection {
  /** Hexadecimal. */
  readonly sha256: string;
  /** Languages for names, best first. */
  readonly prefer: readonly string[];
  /** The canonical ids of its boundaries at a revision of the data. @throws DataMoved if that is not the current one */
  idsAt(revision: number, signal: AbortSignal): Promise<readonly string[]>;
}

type Given = Pick<Services, 'boundaries' | 'db' | 'engine'>;

/** The boundaries of a selection with a polygon, in drawing order. Cached in memory by revision. */
export function selectionMembers(services: Given, selection: DrawnSelection, signal?: AbortSignal) {
  return services.boundaries.withSnapshot(({ revision }) => membersAt(services, selection, revision, signal));
}

async function membersAt(
  { db, engine }: Given,
  { sha256, prefer, idsAt }: DrawnSelection,
  revision: number,
  signal?: AbortSignal,
): Promise<readonly TileMember[]> {
  const { members } = await engine.cache.getOrMake(
    'selections',
    `${sha256} ${revision} ${prefer.join()}`,
    async (stop) => {
      const found = await findTileMembers(db, revision, { ids: await idsAt(revision, stop), prefer }, stop);
      const texts = found.reduce((sum, { name, attribution }) => sum + 2 * (name.length + attribution.length), 0);
      return { members: found, size: MEMBER_BYTES * found.length + texts };
    },
    signal,
  );
  return members;
}

/**
 * The tile of a selection. Like boundaryTile(), but with all selected boundaries at every zoom. It comes from the
 * memory cache (by data revision), else it is drawn, single-flight.
 * @throws as idsAt() does; rate_limited when the queue is full
 */
export function selectionTile(
  services: Given,
  selection: DrawnSelection,
  place: TilePlace,
  signal?: AbortSignal,
): Promise<Tile> {
  const { boundaries, engine } = services;
  const { sha256, prefer } = selection;
  const { z, x, y } = place;
  return boundaries.withSnapshot(({ revision }) =>
    engine.cache.getOrMake(
      'tiles',
      `selection ${sha256} ${revision} ${z}/${x}/${y} ${prefer.join()}`,
      async (stop) => {
        const members = await membersAt(services, selection, revision, stop);
        const found = labelled(members.filter(({ box }) => meets(box, tileBox(place))));
        if (found.length === 0) return tileOf(new Uint8Array(0));
        return tileOf(await drawTile(engine, found, { ...place, level: levelOfZoom(z), endClass: END_CLASS }, stop));
      },
      signal,
    ),
  );
}

/** Whether a box in 1e-7 degrees meets a box in degrees; both may cross the antimeridian (west > east). */
function meets(box: TileMember['box'], tile: readonly [number, number, number, number]): boolean {
  const [west, south, east, north] = box;
  const [left, low, right, high] = [1e7 * tile[0], 1e7 * tile[1], 1e7 * tile[2], 1e7 * tile[3]];
  if (south > high || north < low) return false;
  if (west > east) return left > right || west <= right || east >= left;
  return left > right ? east >= left || west <= right : east >= left && west <= right;
}

const labelled = (members: readonly TileMember[]): readonly TileMember[] =>
  members.map((member, i) => (i < MOST_LABELS ? member : { ...member, label: null }));
