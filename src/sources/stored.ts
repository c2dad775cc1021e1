/** The sources that boundaries are stored of: their list, their order, and their removal. */
import { defined, only } from '../common/elements.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import type { Engine } from '../geometry/engine.ts';
import { OSM_SOURCE } from './osm/source.ts';
import { SEED_SOURCES } from './seed/all.ts';
import { storeWhole } from './store/boundaries.ts';
import { dropCoast } from './store/land.ts';
import type { SourceInfo } from './store/source_rows.ts';
import { TOPOLOGY_LOCK } from './store/topology.ts';

/** A stored source. */
export interface StoredSource {
  readonly id: string;
  readonly name: string;
  readonly license: string;
  readonly attribution: string;
  readonly seed: boolean;
  /** Its place in the order that the operator set, from 1; null: after those that have one. */
  readonly position: number | null;
  /** As its publisher names it; null when not stated. */
  readonly edition: string | null;
  readonly reference_system: string | null;
  readonly accuracy_m: number | null;
  readonly imported_at: string;
  readonly data_at: string | null;
  readonly boundaries: number;
  readonly countries: readonly string[];
}

/** All stored sources, the most preferred first, then by id. */
export async function storedSources(db: Pick<Database, 'query'>): Promise<StoredSource[]> {
  const rows = await db.query(loadQuery('source_list'));
  return rows.map(({ url: _, resolution: _resolution, ...row }) => ({
    ...row,
    boundaries: row.boundaries ?? 0,
    countries: row.countries ?? [],
    imported_at: row.imported_at.toISOString(),
    data_at: row.data_at?.toISOString() ?? null,
  }));
}

/**
 * Sets the order in which sources answer for the same place, the first before all others; those not named come after
 * them, in no stated order.
 * @throws Error for a source that is not stored or is named twice
 */
export async function preferSources(db: Database, ids: readonly string[]): Promise<StoredSource[]> {
  const stored = await storedSources(db);
  for (const id of ids) requireStored(stored, id);
  const double = ids.find((id, i) => ids.indexOf(id) !== i);
  if (double !== undefined) throw new Error(`${double} is named twice`);
  await db.query(loadQuery('source_prefer'), [ids]);
  return storedSources(db);
}

/** What the removal of a source did. */
export interface RemovedSource {
  readonly id: string;
  /** How many of its boundaries were removed. */
  readonly boundaries: number;
  /** How many seed boundaries came back to the places that they had taken. */
  readonly restored: number;
}

/**
 * Removes a source with all that is stored of it, in one transaction: its boundaries, their shapes and arcs that no other
 * boundary uses, their codes and names, its coast, and its imports. The seed boundaries whose places its boundaries had taken come
 * back. The ids of boundaries that another source has, too, are aliases of that one's.
 * @param also runs in the same transaction, when all is removed; if it throws, nothing is removed
 * @throws Error for a source that is not stored, and for seed data
 */
export async function removeSource(
  { db, engine }: { readonly db: Database; readonly engine: Engine },
  id: string,
  progress: (message: string) => void = () => {},
  also: (tx: Queryable, removed: RemovedSource) => Promise<void> = async () => {},
): Promise<RemovedSource> {
  return db.withLock(TOPOLOGY_LOCK, async () => {
    const rows = await db.query(loadQuery('source_list'));
    requireStored(rows, id);
    const row = defined(rows.find((one) => one.id === id));
    if (row.seed)
      throw new Error(
        `${id} is seed data, which each start loads again: the setting SEED decides (none, countries, all)`,
      );
    const ids = (await db.query(loadQuery('source_boundaries'), [id])).map((one) => one.id);
    const { name, url, license, attribution, resolution, seed } = row;
    const source: SourceInfo = { id, name, url, license, attribution, resolution, seed };
    const deleted = ids.map((one) => ({ id: one, version: 1 }));
    const input = { source, file: 'removal', boundaries: [], deleted };
    const summary = await storeWhole(
      { db, engine },
      input,
      async (tx, run) => {
        await dropCoast(run, id);
        // They were removed here and not on the map, so their ids leave no tombstones.
        await tx.query(loadQuery('source_drop_tombstones'), [ids]);
        if (id === 'osm') await tx.query(loadQuery('source_drop_map'));
        await tx.query(loadQuery('source_remove'), [id]);
        await tx.query(loadQuery('source_drop'), [id]);
        await also(tx, { id, boundaries: ids.length, restored: run.summary.restored });
      },
      progress,
    );
    return { id, boundaries: ids.length, restored: summary.restored };
  });
}

/**
 * Checks that a source to import is not the other kind already: land polygons would replace the description of a source
 * of boundaries, and its coast; boundaries that of a set of land polygons.
 * @throws Error that says to take another name
 */
export async function requireUse(
  db: Pick<Database, 'query'>,
  id: string,
  use: 'land' | 'water' | 'boundaries',
): Promise<void> {
  const { is_stored, is_land, is_water } = only(await db.query(loadQuery('land_use'), [id]));
  const isOther = use === 'land' ? is_water : is_land;
  if (isOther && id !== OSM_SOURCE.id)
    throw new Error(
      `${id} is a ${is_water ? 'file of inland water' : 'set of land polygons'}: take another name with --source`,
    );
  const isOfBoundaries = id === OSM_SOURCE.id || SEED_SOURCES.includes(id) || (is_stored && !is_land && !is_water);
  if (use !== 'boundaries' && isOfBoundaries)
    throw new Error(`${id} is a source of boundaries: give the polygons another name with --source`);
  if (use === 'boundaries' && is_water)
    throw new Error(`${id} is a file of inland water: give the boundaries another name with --source`);
}

/** @throws Error that lists the stored sources */
function requireStored(stored: readonly { readonly id: string }[], id: string): void {
  if (stored.some((one) => one.id === id)) return;
  const ids = stored.map((one) => one.id).join(', ');
  throw new Error(`no source ${id} is stored; the stored sources are ${ids === '' ? 'none' : ids}`);
}
