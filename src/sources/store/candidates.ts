import { createHash } from 'node:crypto';
import { defined } from '../../common/elements.ts';
import { loadQuery } from '../../db/query.ts';
import { allCodeIds } from '../codes.ts';
import { storedPlaces } from '../stored_places.ts';
import type { SourceBoundary } from '../types.ts';
import type { Candidate, Run, StoredBoundary } from './source_rows.ts';
import { bytesOf, storedWays, withImportTimeout } from './topology.ts';
import type { WayRow } from './topology_writes.ts';

/**
 * Compares the ways of the input with the stored ones. Returns `ways`: the better of the two by id; `changed`: ids of
 * ways whose coordinates are new or different; `renewed`: ids of ways to write again with the same coordinates.
 */
export async function chooseWays(
  run: Run,
): Promise<{ ways: Map<number, WayRow>; changed: Set<number>; renewed: Set<number> }> {
  const { current } = run.input;
  const ways = new Map<number, WayRow>();
  const changed = new Set<number>();
  const renewed = new Set<number>();
  const used = new Set<number>();
  for (const { border } of run.input.boundaries) if ('ways' in border) for (const id of border.ways) used.add(id);
  if (current) for (const id of run.input.ways?.keys() ?? []) used.add(id);
  const stored = await storedWays(withImportTimeout(run.db), [...used]);
  for (const id of used) {
    const given = run.input.ways?.get(id);
    const had = stored.get(id);
    if (!given) continue;
    const keep = had && (had.version > given.version || (!current && had.coords !== null && given.coords === null));
    if (keep) ways.set(id, { ...given, coords: had.coords, version: had.version, missing: had.missing });
    else ways.set(id, given);
    if (!had || (!keep && !sameInts(had.coords, given.coords))) changed.add(id);
    // A new version with the same coordinates (other nodes or tags), or more known nodes of an incomplete way.
    else if (!keep && (had.version < given.version || given.places)) renewed.add(id);
  }
  return { ways, changed, renewed };
}

/** The boundaries to build: new and newer ones, and stored ones with a changed way or an area that is accepted now. */
export async function chooseBoundaries(run: Run, changedWays: ReadonlySet<number>): Promise<Candidate[]> {
  const { source, boundaries } = run.input;
  const ids = boundaries.flatMap(({ id }) => (id ? [id] : []));
  const sourceIds = boundaries.map(({ sourceId }) => sourceId);
  const rows = await withImportTimeout(run.db).query(loadQuery('store_boundaries'), [
    [...ids, ...(run.input.accept ?? [])],
    source.id,
    sourceIds,
    [...changedWays],
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const bySourceId = new Map(rows.filter((row) => row.source === source.id).map((row) => [row.source_id, row]));
  const candidates: Candidate[] = [];
  const named = new Set<string>(run.input.deleted?.map(({ id }) => id));
  const tombstones = await withImportTimeout(run.db).query(loadQuery('tombstone_find'), [ids]);
  const deletedVersions = new Map(tombstones.map(({ id, version }) => [id, version]));
  const unnamed: SourceBoundary[] = [];
  const add = (input: SourceBoundary, id: string, stored: StoredBoundary | null) => {
    named.add(id);
    const metaHash = metaHashOf(input);
    if (stored ? isOlder(run, input, stored) : Number(input.version) <= (deletedVersions.get(id) ?? -1)) {
      run.summary.older++;
      return;
    }
    const { border } = input;
    const touched = 'ways' in border && border.ways.some((way) => changedWays.has(way));
    if (
      stored &&
      stored.source === source.id &&
      stored.meta_hash === metaHash &&
      !touched &&
      !isAccepted(run, stored)
    ) {
      run.summary.unchanged++;
      return;
    }
    if (stored) run.summary.replaced++;
    else run.summary.added++;
    const { type, adminLevel, places } = input;
    candidates.push({ id, input, metaHash, stored, type, adminLevel, places });
  };
  const away = new Set(await replacedOf(run, sourceIds));
  for (const boundary of boundaries) {
    if (away.has(boundary.sourceId)) {
      run.summary.older++;
      continue;
    }
    const stored = (boundary.id ? byId.get(boundary.id) : undefined) ?? bySourceId.get(boundary.sourceId) ?? null;
    const id = boundary.id ?? stored?.id;
    if (id) add(boundary, id, stored);
    else unnamed.push(boundary);
  }
  if (unnamed.length > 0) {
    const known = await idsOfEditions(run, unnamed);
    const fresh = unnamed.filter((boundary) => !known.has(boundary));
    for (const [boundary, id] of known) add(boundary, id, null);
    const numbers = await run.db.query(loadQuery('store_new_ids'), [fresh.length]);
    fresh.forEach((boundary, i) => {
      add(boundary, `r${defined(numbers[i]).number}`, null);
    });
  }
  const again = rows.filter(
    (row) => !named.has(row.id) && (row.ways.some((way) => changedWays.has(way)) || isAccepted(run, row)),
  );
  const places = await storedPlaces(
    withImportTimeout(run.db),
    again.map(({ id }) => id),
  );
  for (const row of again) {
    run.summary.reassembled++;
    candidates.push({
      id: row.id,
      input: null,
      metaHash: row.meta_hash,
      stored: row,
      type: row.type,
      adminLevel: row.admin_level,
      places: places.get(row.id),
    });
  }
  return candidates;
}

/** The ids that editions of the source have for boundaries of the same type, level and code. */
async function idsOfEditions(
  { db, input: { source } }: Run,
  boundaries: readonly SourceBoundary[],
): Promise<ReadonlyMap<SourceBoundary, string>> {
  const codes = boundaries.map(({ sourceId }) => sourceId);
  const types = boundaries.map(({ type }) => type);
  const levels = boundaries.map(({ adminLevel }) => adminLevel);
  const rows = await withImportTimeout(db).query(loadQuery('edition_ids'), [source.id, codes, types, levels]);
  return new Map(
    rows.flatMap(({ number, id }) => (number === null || id === null ? [] : [[defined(boundaries[number - 1]), id]])),
  );
}

/** The ids, within the source, of seed boundaries whose place another boundary took: they come back when it is removed. */
async function replacedOf({ db, input: { source } }: Run, sourceIds: readonly string[]): Promise<readonly string[]> {
  if (!source.seed) return [];
  const rows = await withImportTimeout(db).query(loadQuery('replace_away'), [source.id, sourceIds]);
  return rows.flatMap(({ source_id }) => source_id ?? []);
}

/**
 * Whether the stored boundary wins over the input: its version is newer or, if it is of another source, it is not seed
 * data, or the input is.
 */
function isOlder(run: Run, input: SourceBoundary, stored: StoredBoundary): boolean {
  if (stored.source !== run.input.source.id) return !stored.seed || run.input.source.seed;
  const [given, had] = [Number(input.version), Number(stored.source_version)];
  return Number.isFinite(given) && Number.isFinite(had) && given < had;
}

/** Whether a boundary is stale and its area is accepted now, so it must be built again. */
function isAccepted(run: Run, stored: StoredBoundary): boolean {
  return stored.stale_since !== null && run.input.accept?.has(stored.id) === true;
}

/** Adds to `ways` the stored ways that the candidates need and the input does not have. */
export async function completeWays(
  run: Run,
  candidates: readonly Candidate[],
  ways: Map<number, WayRow>,
): Promise<void> {
  const missing = new Set<number>();
  for (const candidate of candidates) for (const id of waysOf(candidate)) if (!ways.has(id)) missing.add(id);
  for (const [id, way] of await storedWays(withImportTimeout(run.db), [...missing])) {
    ways.set(id, { id, tags: {}, refs: null, ...way });
  }
}

/** The way ids of its border: those of the input or, without an input, the stored ones. */
export function waysOf(candidate: Candidate): readonly number[] {
  if (!candidate.input) return candidate.stored?.ways ?? [];
  return 'ways' in candidate.input.border ? candidate.input.border.ways : [];
}

/** A SHA-256 (hex) of all that the source says about a boundary; an equal hash means nothing changed. */
function metaHashOf(boundary: SourceBoundary): string {
  const { border, ...meta } = boundary;
  const hash = createHash('sha256').update(JSON.stringify(meta)).update(allCodeIds(boundary).join());
  if ('ways' in border) hash.update(border.ways.join());
  else for (const ring of border.rings) hash.update(bytesOf(ring));
  return hash.digest('hex');
}

function sameInts(a: Int32Array | null, b: Int32Array | null): boolean {
  if (!a || !b) return a === b;
  return sameBytes(bytesOf(a), bytesOf(b));
}

const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
