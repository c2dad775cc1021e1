import { basename } from 'node:path';
import { NOWHERE } from '../../../workers/osm/elements.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { intsOf } from '../ints.ts';
import { readOsmFile } from '../osm/read.ts';
import { OSM_SOURCE } from '../osm/source.ts';
import { toSourceBoundaries } from '../osm/tags.ts';
import { storeBoundaries } from '../store/boundaries.ts';
import type { StoreSummary } from '../store/summary.ts';
import type { WayRow } from '../store/topology_writes.ts';
import type { Deps } from './apply.ts';
import { type StoredWayRow, storedWayRows } from './plan.ts';

/** A boundary that cannot be assembled because stored objects are missing. */
export interface IncompleteBoundary {
  readonly id: string;
  readonly name: string;
  readonly ways: readonly number[];
}

/** OpenStreetMap boundaries that lack ways or nodes that were never stored, by id. */
export function incompleteBoundaries(db: Queryable): Promise<IncompleteBoundary[]> {
  return db.query(loadQuery('update_waiting'));
}

/**
 * Completes boundaries that wait for objects with those that a file has: ways that are not stored, newer versions of
 * incomplete ways, and places of nodes that stored ways lack. Complete stored ways stay as they are.
 * @returns the summary of the store; `supplied`: ids of boundaries that no longer wait; `waiting`: ids that still do
 * @throws Error when the file cannot be read
 */
export async function supply(deps: Deps, path: string, progress: (message: string) => void = () => {}) {
  const extract = await readOsmFile(path, (done, total, phase) => progress(`${phase} ${done}/${total}`));
  const waiting = await incompleteBoundaries(deps.db);
  const ids = new Set<string | null>(waiting.map(({ id }) => id));
  const boundaries = toSourceBoundaries(extract).boundaries.filter(({ id }) => ids.has(id));
  const needed = new Set(waiting.flatMap(({ ways }) => ways));
  for (const { border } of boundaries) if ('ways' in border) for (const way of border.ways) needed.add(way);

  const stored = await storedWayRows(deps.db, [...needed]);
  const incomplete = [...stored.values()].filter(({ coords }) => coords === null);
  const places = placesOf(extract.ways.values(), incomplete);
  const ways = new Map<number, WayRow>();
  for (const id of needed) {
    const had = stored.get(id);
    const given = extract.ways.get(id);
    // Nodes may have moved since the file was made, so a complete stored way stays.
    if (had?.coords) continue;
    const newer = given?.coords && given.version > (had?.version ?? -1) ? given : null;
    const way = newer ?? (had ? fillIn(had, places) : null) ?? (given?.version === had?.version ? given : null);
    if (way?.coords) ways.set(id, way);
  }
  const relations = extract.relations.filter(({ id }) => ids.has(`r${id}`));
  const summary: StoreSummary = await storeBoundaries(
    deps,
    { source: OSM_SOURCE, file: basename(path), boundaries, relations, ways, current: true, few: true },
    progress,
  );
  const left = new Set((await incompleteBoundaries(deps.db)).map(({ id }) => id));
  return { ...summary, supplied: waiting.map(({ id }) => id).filter((id) => !left.has(id)), waiting: [...left] };
}

/** Places in the file of the nodes that incomplete ways lack, by node id. */
function placesOf(given: Iterable<WayRow>, incomplete: readonly StoredWayRow[]): Map<number, [number, number]> {
  const wanted = new Set<number>();
  for (const { node_refs, places } of incomplete) {
    const xy = places && intsOf(places);
    node_refs?.forEach((ref, i) => {
      if (!xy || xy[2 * i] === NOWHERE) wanted.add(ref);
    });
  }
  const found = new Map<number, [number, number]>();
  for (const { refs, coords } of wanted.size > 0 ? given : []) {
    if (!coords) continue;
    refs?.forEach((ref, i) => {
      if (wanted.has(ref)) found.set(ref, [defined(coords[2 * i]), defined(coords[2 * i + 1])]);
    });
  }
  return found;
}

/** The way with the places found; null if one is still missing. */
function fillIn(way: StoredWayRow, found: ReadonlyMap<number, [number, number]>): WayRow | null {
  const { id, version, tags, node_refs } = way;
  if (!node_refs) return null;
  const known = way.places && intsOf(way.places);
  const coords = new Int32Array(2 * node_refs.length);
  for (const [i, ref] of node_refs.entries()) {
    const place =
      known && known[2 * i] !== NOWHERE ? [defined(known[2 * i]), defined(known[2 * i + 1])] : found.get(ref);
    if (!place) return null;
    coords.set(place, 2 * i);
  }
  return { id, version, tags, refs: Float64Array.from(node_refs), coords, missing: null };
}
