import { endClassOf } from '../../workers/kernels/levels.ts';
import { findTileMembers, type TileMember } from '../domain/tiles.ts';
import type { Tile } from '../geometry/cached.ts';
import type { Services } from '../services.ts';
import { drawn, levelOfZoom, type TilePlace, tileBox, tileOf } from './boundary_tiles.ts';

/** Labels of one tile; those of the largest come first, the others at the zooms after it. */
const MOST_LABELS = 2_000;
/** What a member costs in memory, beside its texts. */
const MEMBER_BYTES = 400;
/** Boundaries of any level are drawn together, so that the ends of all arcs that meet are kept. */
const END_CLASS = endClassOf([null]);

/** A selection that tiles are drawn of. */
export interface DrawnSelection {
  /** Hexadecimal. */
  readonly sha256: string;
  /** Languages for names, best first. */
  readonly prefer: readonly string[];
  /** The canonical ids of its boundaries as of a revision of the data. Throws DataMoved. */
  idsAt(revision: number, signal: AbortSignal): Promise<readonly string[]>;
}

type Given = Pick<Services, 'boundaries' | 'db' | 'engine'>;

/** The boundaries of a selection that have a polygon, in the order in which they are drawn. From memory by the revision. */
export function selectionMembers(services: Given, selection: DrawnSelection, signal?: AbortSignal) {
  return services.boundaries.reading(({ revision }) => membersAt(services, selection, revision, signal));
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
 * The tile of a selection: as that of all boundaries, but with all that is selected at every zoom. From memory by the
 * revision of the data, else drawn, once however many ask. Throws what idsAt() throws, and rate_limited when there is no
 * room for the work.
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
  return boundaries.reading(({ revision }) =>
    engine.cache.getOrMake(
      'tiles',
      `selection ${sha256} ${revision} ${z}/${x}/${y} ${prefer.join()}`,
      async (stop) => {
        const members = await membersAt(services, selection, revision, stop);
        const found = labelled(members.filter(({ box }) => meets(box, tileBox(place))));
        if (found.length === 0) return tileOf(new Uint8Array(0));
        return tileOf(await drawn(engine, found, { ...place, level: levelOfZoom(z), endClass: END_CLASS }, stop));
      },
      signal,
    ),
  );
}

/** Whether two boxes meet: one in 1e-7 degrees, one in degrees; both may reach over the antimeridian (west > east). */
function meets(box: TileMember['box'], tile: readonly [number, number, number, number]): boolean {
  const [west, south, east, north] = box;
  const [left, low, right, high] = [1e7 * tile[0], 1e7 * tile[1], 1e7 * tile[2], 1e7 * tile[3]];
  if (south > high || north < low) return false;
  if (west > east) return left > right || west <= right || east >= left;
  return left > right ? east >= left || west <= right : east >= left && west <= right;
}

const labelled = (members: readonly TileMember[]): readonly TileMember[] =>
  members.map((member, i) => (i < MOST_LABELS ? member : { ...member, label: null }));
