import { endClassOf } from '../../workers/arcs/levels.ts';
import type { Part } from '../domain/boundaries/land.ts';
import { tileOfParts } from '../domain/boundaries/parts.ts';
import { MAX_SELECTED } from '../domain/boundaries/selection.ts';
import {
  findSetAreas,
  findSetExtent,
  findTileMembers,
  findTileNames,
  type TileMember,
  type TileMembers,
} from '../domain/boundaries/tiles.ts';
import { tagsFor } from '../domain/names/languages.ts';
import type { Tile } from '../geometry/cached.ts';
import type { Services } from '../services.ts';
import { drawTile, levelOfZoom, maritimeOf, type TilePlace, tileBox, tileOf } from './boundary_tiles.ts';

/** The most labels of one tile. The largest boundaries come first; others get theirs at later zooms. */
const MOST_LABELS = 2_000;
/** Bytes of memory per member without its name, measured on a heap, and per character of a name. */
const MEMBER_BYTES = 700;
const BYTES_A_CHARACTER = 2;
/** The end class of "every boundary": levels are mixed, so the ends of all arcs that meet are kept. */
const END_CLASS = endClassOf([null]);

/** A selection to draw tiles of. */
export interface DrawnSelection {
  /** Hexadecimal. */
  readonly sha256: string;
  /** Languages for names, best first. */
  readonly prefer: readonly string[];
  readonly part: Part;
  /**
   * The source of an area set with more areas than a selection may have: each tile is then drawn of the largest that meet
   * it, as many as a selection may have.
   */
  readonly largeSet: string | null;
  /** The canonical ids of its boundaries at a revision of the data. @throws DataMoved if that is not the current one */
  idsAt(revision: number, signal: AbortSignal): Promise<readonly string[]>;
  /** Counts a tile that must be drawn from so many members. @throws rate_limited */
  weigh(members: number): Promise<void>;
}

type Given = Pick<Services, 'boundaries' | 'cache' | 'db' | 'engine'>;

/**
 * The boxes and attributions of the boundaries of a selection with a polygon, in drawing order, cached in memory by
 * revision; of a large set, the box of all.
 */
export async function selectionMembers(
  services: Given,
  selection: DrawnSelection,
  signal?: AbortSignal,
): Promise<readonly Pick<TileMember, 'box' | 'attribution'>[]> {
  const { boundaries, db } = services;
  const { largeSet } = selection;
  if (largeSet !== null) {
    const extent = await boundaries.withSnapshot(({ revision }) => findSetExtent(db, revision, largeSet, signal));
    return extent === null ? [] : [extent];
  }
  const found = await boundaries.withSnapshot(({ revision }) => membersAt(services, selection, revision, signal));
  return found.members;
}

/** The members of a selection, once for all languages. */
function membersAt(
  { db, cache }: Given,
  { sha256, idsAt }: DrawnSelection,
  revision: number,
  signal?: AbortSignal,
): Promise<TileMembers & { readonly size: number }> {
  return cache.getOrMake(
    'selections',
    `${sha256} ${revision}`,
    async (stop) => {
      const found = await findTileMembers(db, revision, await idsAt(revision, stop), stop);
      const texts = found.members.reduce((sum, { name }) => sum + BYTES_A_CHARACTER * name.length, 0);
      return { ...found, size: MEMBER_BYTES * found.members.length + texts };
    },
    signal,
  );
}

/** What a tile shows: its members, and how many others meet it. */
interface ShownMembers {
  readonly members: readonly TileMember[];
  readonly leftOut: number;
}

/** The members of a large set that a tile shows: no more than a selection may have. */
async function largestMembers(
  { db }: Given,
  source: string,
  { place, revision }: { readonly place: TilePlace; readonly revision: number },
  signal: AbortSignal,
): Promise<ShownMembers> {
  const { ids, leftOut } = await findSetAreas(
    db,
    revision,
    { source, box: tileBox(place), most: MAX_SELECTED },
    signal,
  );
  return { members: ids.length === 0 ? [] : (await findTileMembers(db, revision, ids, signal)).members, leftOut };
}

/**
 * The tile of a selection. Like boundaryTile(), but with all selected boundaries at every zoom. It comes from the
 * memory cache (by data revision), else it is drawn, single-flight. Languages that no member has a name in share the
 * tile without a language.
 * @throws as idsAt() and weigh() do; rate_limited when the queue is full
 */
export function selectionTile(
  services: Given,
  selection: DrawnSelection,
  place: TilePlace,
  signal?: AbortSignal,
): Promise<Tile> {
  const { boundaries, cache, engine, db } = services;
  const { sha256, prefer, part, largeSet } = selection;
  const { z, x, y } = place;
  return boundaries.withSnapshot(async (reading) => {
    const { revision } = reading;
    const all = largeSet === null ? await membersAt(services, selection, revision, signal) : null;
    const membersIn = async (stop: AbortSignal): Promise<ShownMembers> => {
      if (largeSet !== null) return largestMembers(services, largeSet, { place, revision }, stop);
      return { members: (all?.members ?? []).filter(({ box }) => meets(box, tileBox(place))), leftOut: 0 };
    };
    // Areas of sets have no names in other languages.
    const tags = tagsFor(prefer, all?.languages ?? []);
    const key = `selection ${sha256} ${revision} ${z}/${x}/${y} ${tags.join()}`;
    if (!cache.has('tiles', key)) await selection.weigh(all?.members.length ?? MAX_SELECTED);
    return cache.getOrMake(
      'tiles',
      key,
      async (stop) => {
        const { members, leftOut } = await membersIn(stop);
        const shown = await tileOfParts(reading, labelled(members), part);
        if (shown.length === 0) return tileOf(new Uint8Array(0));
        const ids = shown.map(({ id }) => id);
        const names = tags.length === 0 ? null : await findTileNames(db, revision, ids, tags, stop);
        const found = names === null ? shown : shown.map((one) => ({ ...one, name: names.get(one.id) ?? one.name }));
        const frame = { ...place, level: levelOfZoom(z), endClass: END_CLASS };
        return {
          ...tileOf(await drawTile(engine, found, frame, await maritimeOf(reading, place, part), stop)),
          leftOut,
        };
      },
      signal,
    );
  });
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
