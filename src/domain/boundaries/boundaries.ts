import { SingleFlight } from '../../common/single_flight.ts';
import { SizedLru } from '../../common/sized_lru.ts';
import { atCapacity, problem } from '../../core/errors.ts';
import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import type { ResolvedBoundary } from './boundary.ts';
import { createBoxes } from './boxes.ts';
import { createFinders, keyOf } from './finders.ts';
import { type BoundaryId, parseBoundaryId, unreadableId } from './ids.ts';
import { inMemory } from './in_memory.ts';
import { type Boundaries, type BoundariesOptions, DataMoved, type Snapshot, type State } from './reads.ts';
import { watchRevision } from './revision.ts';
import { describeEditions, describeTombstone, RESOLVED_BYTES, SharedObjects } from './rows.ts';
import { createSnapshot } from './snapshot.ts';

/** Default size of the cache in bytes, boxes not included. */
const HELD_BYTES = 16e6;

/** Attempts of one call while the data keeps changing; then it fails with rate_limited. */
const MAX_ATTEMPTS = 20;

/** Boundaries that readAhead() reads per statement. */
const AHEAD = 250;

/** Reads boundaries from `db` through a cache of `bytes` bytes; with `packBoxes` it caches all boxes as well. */
export function createBoundaries(
  db: Database,
  { bytes = HELD_BYTES, packBoxes, boxesLimits, present = db, ofSets = false }: BoundariesOptions = {},
): Boundaries {
  const revisions = watchRevision(present);
  let state = emptyState(-1);
  const boxes = createBoxes(db, revisions, packBoxes, boxesLimits);
  const counts = { hits: 0, misses: 0 };

  function emptyState(revision: number): State {
    return {
      revision,
      documents: new SizedLru(0.36 * bytes),
      // At the default CACHE_BYTES this holds the communes of France, which one call may merge.
      shapes: new SizedLru(0.12 * bytes),
      names: new SizedLru(0.06 * bytes),
      written: new SizedLru(0.18 * bytes),
      tiles: new SizedLru(0.06 * bytes),
      answers: new SizedLru(0.12 * bytes),
      inFlight: new SingleFlight(),
      postcodes: new Map(),
      lookups: null,
      shared: new SharedObjects(0.1 * bytes),
      snapshot: null,
      order: null,
      maritime: null,
    };
  }

  function snapshotOf(revision: number): Snapshot {
    const held = stateOf(revision);
    held.snapshot ??= createSnapshot(held, sources);
    return held.snapshot;
  }

  function stateOf(revision: number): State {
    if (state.revision !== revision) state = emptyState(revision);
    return state;
  }

  /** The objects that boundaries of a revision share with the cached ones. */
  const sharedIn = (revision: number): SharedObjects =>
    state.revision === revision ? state.shared : new SharedObjects(0);

  const finders = createFinders(db, sharedIn);

  async function requireFound(
    texts: readonly string[],
    found: readonly (ResolvedBoundary | null)[],
  ): Promise<ResolvedBoundary[]> {
    const ids = texts.filter((_, i) => !found[i]).map(parseBoundaryId);
    if (ids.length === 0) return found as ResolvedBoundary[];
    await requireSchemes(ids);
    const unknown = [...new Set(ids.map(shown))];
    const tombstones = await db.query(loadQuery('tombstone_find'), [unknown]);
    const editions = await db.query(loadQuery('history_known'), [unknown]);
    const later = await db.query(loadQuery('history_later'), [unknown]);
    const words = [
      ...tombstones.map(describeTombstone),
      ...editions.map(describeEditions),
      ...later.map(
        ({ id, valid_from }) => `${id} is stored since ${valid_from}: ask for it without as_of, or as of a later date.`,
      ),
    ];
    throw problem('not_found', [`No boundary ${unknown.join(', ')}.`, ...words].join(' '));
  }

  /** @throws invalid_id for a text such as `abc:12` when no boundary has a code of the scheme abc */
  async function requireSchemes(ids: readonly BoundaryId[]): Promise<void> {
    const schemes = new Set(ids.flatMap((id) => (id.kind === 'code' ? [id.id.slice(0, id.id.indexOf(':') + 1)] : [])));
    if (schemes.size === 0) return;
    const known = await db.query(loadQuery('boundary_code_schemes'), [[...schemes]]);
    for (const { scheme } of known) schemes.delete(scheme ?? '');
    const strange = ids.find((id) => id.kind === 'code' && schemes.has(id.id.slice(0, id.id.indexOf(':') + 1)));
    if (strange?.kind === 'code') throw unreadableId(strange.text, 'No boundary has codes of this scheme.');
  }

  const sources = { db, finders, boxes, counts, requireFound, ofSets };

  async function withSnapshot<T>(work: (reading: Snapshot) => Promise<T>): Promise<T> {
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
      const present = revisions.current();
      const revision = typeof present === 'number' ? present : await present;
      try {
        return await work(snapshotOf(revision));
      } catch (error) {
        if (!(error instanceof DataMoved)) throw error;
        revisions.invalidate();
      }
    }
    throw atCapacity();
  }

  async function readAhead(ids: readonly string[]): Promise<number> {
    const revision = await withSnapshot(async (one) => one.revision);
    for (let from = 0; from < ids.length; from += AHEAD) {
      if (state.revision !== revision || state.documents.freeBytes < AHEAD * RESOLVED_BYTES) return from;
      const some = ids.slice(from, from + AHEAD);
      await withSnapshot(async (one) => {
        await one.byIds(some);
        // A point asks what it is on, and a boundary how much of it is land.
        await one.landOf(some);
      });
    }
    return ids.length;
  }

  return {
    withSnapshot,
    currentRevision: revisions.atOnce,
    recordedAt: revisions.recordedAt,
    inMemory() {
      const revision = revisions.atOnce();
      if (revision === null) return null;
      const known = boxes.of(revision);
      return known === null ? null : inMemory(stateOf(revision), known, counts);
    },
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
        land: state.shared.landBytes,
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
    landOf: (ids) => withSnapshot((one) => one.landOf(ids)),
    sourceOrder: () => withSnapshot((one) => one.sourceOrder()),
    hasPostcodes: (countries) => withSnapshot((one) => one.hasPostcodes(countries)),
    around: (lat, lon) => withSnapshot((one) => one.around(lat, lon)),
    tileBoundaries: (view, signal) => withSnapshot((one) => one.tileBoundaries(view, signal)),
    maritimeLines: () => withSnapshot((one) => one.maritimeLines()),
  };
}

function shown(id: BoundaryId): string {
  if (id.kind === 'code') return id.text;
  return id.kind === 'osm' ? id.id : `${id.kind}:${keyOf(id)}`;
}
