import { atCapacity, problem } from '../../core/errors.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { SizedLru } from '../read_model/sized_lru.ts';
import type { ResolvedBoundary } from './boundary.ts';
import { createBoxes } from './boxes.ts';
import { createFinders, keyOf } from './finders.ts';
import { type BoundaryId, parseBoundaryId } from './ids.ts';
import { type Boundaries, type BoundariesOptions, DataMoved, type Snapshot, type State } from './model.ts';
import { watchRevision } from './revision.ts';
import { describeTombstone, RESOLVED_BYTES, SharedObjects, type Tombstone } from './rows.ts';
import { createSnapshot } from './snapshot.ts';

/** Default size of the cache in bytes, boxes not included. */
const HELD_BYTES = 16e6;

/** Attempts of one call while the data keeps changing; then it fails with rate_limited. */
const MAX_ATTEMPTS = 20;

/** Boundaries that readAhead() reads per statement. */
const AHEAD = 250;

/** Reads boundaries from `db` through a cache of `bytes` bytes; with `packBoxes` it caches all boxes as well. */
export function createBoundaries(db: Database, { bytes = HELD_BYTES, packBoxes }: BoundariesOptions = {}): Boundaries {
  const revisions = watchRevision(db);
  let state = emptyState(-1);
  const boxes = createBoxes(db, revisions, packBoxes);
  const counts = { hits: 0, misses: 0 };

  function emptyState(revision: number): State {
    return {
      revision,
      documents: new SizedLru(0.3 * bytes),
      // At the default CACHE_BYTES this holds the communes of France, which one call may merge.
      shapes: new SizedLru(0.24 * bytes),
      names: new SizedLru(0.08 * bytes),
      written: new SizedLru(0.1 * bytes),
      tiles: new SizedLru(0.1 * bytes),
      answers: new SizedLru(0.18 * bytes),
      inFlight: new Map(),
      postcodes: new Map(),
      shared: new SharedObjects(),
    };
  }

  function stateOf(revision: number): State {
    if (state.revision !== revision) state = emptyState(revision);
    return state;
  }

  /** The objects that boundaries of a revision share with the cached ones. */
  const sharedIn = (revision: number): SharedObjects =>
    state.revision === revision ? state.shared : new SharedObjects();

  const finders = createFinders(db, sharedIn);

  async function requireFound(
    texts: readonly string[],
    found: readonly (ResolvedBoundary | null)[],
  ): Promise<ResolvedBoundary[]> {
    const unknown = [...new Set(texts.filter((_, i) => !found[i]).map((text) => shown(parseBoundaryId(text))))];
    if (unknown.length === 0) return found as ResolvedBoundary[];
    const tombstones = await db.query<Tombstone>(loadQuery('tombstone_find'), [unknown]);
    const words = tombstones.map(describeTombstone);
    throw problem('not_found', [`No boundary ${unknown.join(', ')}.`, ...words].join(' '));
  }

  const sources = { db, finders, boxes, counts, requireFound };

  async function withSnapshot<T>(work: (reading: Snapshot) => Promise<T>): Promise<T> {
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
      const present = revisions.current();
      const revision = typeof present === 'number' ? present : await present;
      try {
        return await work(createSnapshot(stateOf(revision), sources));
      } catch (error) {
        if (!(error instanceof DataMoved)) throw error;
        revisions.invalidate();
      }
    }
    throw atCapacity();
  }

  async function readAhead(ids: readonly string[]): Promise<void> {
    const revision = await withSnapshot(async (one) => one.revision);
    for (let from = 0; from < ids.length; from += AHEAD) {
      if (state.revision !== revision || state.documents.freeBytes < AHEAD * RESOLVED_BYTES) return;
      await withSnapshot((one) => one.byIds(ids.slice(from, from + AHEAD)));
    }
  }

  return {
    withSnapshot,
    currentRevision: revisions.atOnce,
    requireFound,
    warm: boxes.warm,
    readAhead,
    held: () => ({
      bytes: {
        documents: state.documents.bytes,
        shapes: state.shapes.bytes,
        names: state.names.bytes,
        written: state.written.bytes,
        tiles: state.tiles.bytes,
        answers: state.answers.bytes,
        boxes: boxes.size().bytes,
      },
      boxes: boxes.size().boundaries,
      counts,
    }),
    resolve: (ids) => withSnapshot((one) => one.resolve(ids)),
    lookup: (ids) => withSnapshot((one) => one.lookup(ids)),
    shapes: (ids) => withSnapshot((one) => one.shapes(ids)),
    get: (id) => withSnapshot((one) => one.get(id)),
    byIds: (ids) => withSnapshot((one) => one.byIds(ids)),
    show: (list, naming) => withSnapshot((one) => one.show(list, naming)),
    written: (list, naming) => withSnapshot((one) => one.written(list, naming)),
    hasPostcodes: (countries) => withSnapshot((one) => one.hasPostcodes(countries)),
    around: (lat, lon) => withSnapshot((one) => one.around(lat, lon)),
    tileBoundaries: (view, signal) => withSnapshot((one) => one.tileBoundaries(view, signal)),
  };
}

function shown(id: BoundaryId): string {
  return id.kind === 'osm' ? id.id : `${id.kind}:${keyOf(id)}`;
}
