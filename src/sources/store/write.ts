import { createHash } from 'node:crypto';
import type { Rings } from '../../../workers/contract.ts';
import { NOWHERE } from '../../../workers/osm/model.ts';
import type { BuildResult, BuiltBoundary } from '../../../workers/tasks.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { countryAt } from '../countries.ts';
import { kindOf } from '../kinds.ts';
import { dropReplaced, findReplaced } from '../replace.ts';
import type { SourceBoundary } from '../types.ts';
import { deriveHierarchy } from '../unshaped/unshaped.ts';
import { type BuiltArrangement, buildWithout } from './arrangement.ts';
import type { Plan, RawNode, RawRelation, Run, Trouble, WrittenBoundary } from './model.ts';
import type { Tiered } from './tiers.ts';
import { settleTombstones } from './tombstones.ts';
import {
  type ArcRow,
  bytesOf,
  jsonBytes,
  ownersOf,
  putArcs,
  putConflicts,
  putJson,
  putShapes,
  recutShapes,
  setRoles,
  setTiers,
  usersOf,
} from './topology.ts';

const hashAt = (hashes: Uint8Array, i: number) => Buffer.from(hashes.buffer, hashes.byteOffset + 16 * i, 16);

/** Boundaries whose rows are in memory together. */
const BOUNDARIES_AT_ONCE = 2_000;

/** Writes a built arrangement and what is derived from it (parents, kinds, aliases), in the caller's transaction. */
export async function write(run: Run, tx: Queryable, { plan, built, tiered }: BuiltArrangement): Promise<void> {
  const ids = await putBuiltArcs(run, tx, built, tiered);
  const arcs = { signed: ids.signed, ringHash: ringHasher(built.arcs, tiered) };
  const made: WrittenBoundary[] = [];
  for (let from = 0; from < plan.boundaries.length; from += BOUNDARIES_AT_ONCE) {
    const slice = plan.boundaries.slice(from, from + BOUNDARIES_AT_ONCE);
    made.push(...(await putBoundaries(run, tx, slice, built.boundaries.slice(from), arcs)));
  }
  await settle(run, tx, { plan, built, tiered }, ids);
  run.progress('parents, countries and kinds');
  await deriveHierarchy(tx, run.engine, made, run.later, run.progress);
  await settleTombstones(tx, made);
  if (run.input.source.seed) return;
  const { replacement, doubles } = await findReplaced(tx, run.engine, made);
  run.summary.aliased += replacement.size;
  run.summary.doubles += doubles;
  if (replacement.size === 0) return;
  await remove(run, tx, [...replacement.keys()], () => dropReplaced(tx, replacement));
}

/** Removes boundaries, whose rows `drop` deletes. The remaining arrangement is as if they had never been imported. */
export async function remove(
  run: Run,
  tx: Queryable,
  ids: readonly string[],
  drop: () => Promise<void>,
): Promise<void> {
  const without = await buildWithout(run, tx, ids);
  await drop();
  await settle(run, tx, without, await putBuiltArcs(run, tx, without.built, without.tiered));
}

interface StoredIds {
  /** The id of each built arc. */
  readonly ids: readonly number[];
  /** Converts a signed reference to a built arc into a signed arc id. */
  readonly signed: (ref: number) => number;
}

/** Inserts the arcs that are not stored yet. Returns the ids of all built arcs. */
async function putBuiltArcs(run: Run, tx: Queryable, { arcs }: BuildResult, tiered: Tiered): Promise<StoredIds> {
  const { ids, added } = await putArcs(tx, arcRows(arcs, tiered), run.id);
  run.summary.arcs += added;
  return { ids, signed: (ref) => (ref < 0 ? -defined(ids[~ref]) : defined(ids[ref])) };
}

/** The row of each built arc, made when it is taken: all of them together would be hundreds of megabytes. */
function* arcRows(arcs: BuildResult['arcs'], tiered: Tiered): Generator<ArcRow> {
  for (const [i, first] of arcs.first.entries()) {
    const { weights, ends, exact, reach } = defined(tiered.built[i]);
    yield {
      hash: hashAt(arcs.hashes, i),
      coords: bytesOf(arcs.coords.subarray(2 * first, 2 * (first + defined(arcs.length[i])))),
      weights,
      ends: bytesOf(ends),
      exact,
      area: defined(arcs.area[i]),
      turn: defined(arcs.turn[i]),
      box: arcs.box.subarray(4 * i, 4 * i + 4),
      class: defined(arcs.arcClass[i]),
      main: arcs.main[i] === 1,
      reach,
    };
  }
}

/** What the rows of a boundary need of its arcs. */
interface ArcsOfRows {
  readonly signed: StoredIds['signed'];
  /** The ring_hash of a built boundary. */
  readonly ringHash: (rings: Rings) => Uint8Array;
}

/**
 * Returns a function that computes the ring_hash of a built boundary, as the statement store_set_ring_hashes does of a
 * stored one: over its arcs and everything that determines a tier, regardless of where rings start.
 */
function ringHasher({ hashes }: BuildResult['arcs'], tiered: Tiered): ArcsOfRows['ringHash'] {
  const known: Buffer[] = [];
  const tierHash = (arc: number): Buffer => {
    const { weights, ends, exact } = defined(tiered.built[arc]);
    return createHash('sha256').update(weights).update(bytesOf(ends)).update(int8(exact)).digest();
  };
  return ({ refs, ringEnd, polygonEnd }) => {
    const used = Array.from(refs, (ref) => {
      const arc = ref < 0 ? ~ref : ref;
      return { arc, sign: int8(ref < 0 ? -1 : 1), hash: hashAt(hashes, arc) };
    });
    const all = createHash('sha256').update(`${ringEnd.length} ${polygonEnd.length}`);
    for (const { arc, sign, hash } of used.sort((a, b) => Buffer.compare(a.hash, b.hash))) {
      known[arc] ??= tierHash(arc);
      all.update(hash).update(sign).update(known[arc]);
    }
    return all.digest();
  };
}

/** An integer as int8send() of PostgreSQL writes it. */
function int8(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

/**
 * Updates the stored arrangement after a build: tiers, cuts, unused arcs, conflicts, and the ring hashes of stored
 * boundaries that are affected.
 */
async function settle(
  run: Run,
  tx: Queryable,
  { plan, built, tiered }: BuiltArrangement,
  { ids, signed }: StoredIds,
): Promise<void> {
  const retiered = await retier(run, tx, { plan, built, tiered }, ids);
  const split = await recut(tx, plan, built, signed);
  const suspects = [...new Set([...plan.former.keys(), ...split.gone])];
  if (suspects.length > 0) await tx.query(loadQuery('store_drop_dead_arcs'), [suspects]);
  await putConflicts(
    tx,
    built.conflicts.map((conflict) => ({ ...conflict, a: defined(ids[conflict.a]), b: defined(ids[conflict.b]) })),
  );
  run.summary.retiered += retiered.length;
  run.summary.loaded += tiered.loaded;
  run.summary.conflicts += built.conflicts.length;
  const touched = new Set([...split.boundaries, ...(await usersOf(tx, retiered))]);
  if (touched.size > 0) await tx.query(loadQuery('store_set_ring_hashes'), [[...touched]]);
}

/** Updates the tiers and roles of stored arcs where they changed. Returns the ids of the arcs whose tiers changed. */
async function retier(
  run: Run,
  tx: Queryable,
  { plan, built, tiered }: BuiltArrangement,
  ids: readonly number[],
): Promise<number[]> {
  const stored = new Map([...plan.former.values(), ...plan.around].map((arc) => [arc.id, arc]));
  const { arcClass, main } = built.arcs;
  const all = [
    ...tiered.built.flatMap((tiers, i) => {
      const had = stored.get(defined(ids[i]));
      return had ? [{ had, tiers, class: defined(arcClass[i]), main: main[i] === 1 }] : [];
    }),
    ...tiered.others.map(({ stored: had, tiers }) => ({ had, tiers, class: had.class, main: had.main })),
  ];
  const changed = all
    .map(({ had, tiers }) => ({
      had,
      id: had.id,
      weights: tiers.weights,
      ends: bytesOf(tiers.ends),
      exact: tiers.exact,
    }))
    .filter(
      ({ had, weights, ends, exact }) =>
        !sameBytes(had.weights, weights) || !sameBytes(had.ends, ends) || had.exact !== exact,
    );
  if (changed.length > 0) await setTiers(tx, changed, run.id);
  const recast = all.filter(
    ({ had, tiers, ...now }) => tiers.reach !== null || had.class !== now.class || had.main !== now.main,
  );
  await setRoles(
    tx,
    recast.map(({ had, tiers, ...now }) => ({ ...now, id: had.id, reach: tiers.reach })),
  );
  return changed.map(({ id }) => id);
}

/**
 * Rewrites the shapes that use stored arcs that were cut or joined. Returns the ids of these arcs (`gone`) and of the
 * boundaries whose shapes were rewritten.
 */
async function recut(
  tx: Queryable,
  plan: Plan,
  built: BuildResult,
  signed: (ref: number) => number,
): Promise<{ gone: number[]; boundaries: string[] }> {
  const walks = new Map<number, BuildResult['storedArcs'][number]>();
  plan.around.forEach(({ id }, i) => {
    const walk = defined(built.storedArcs[i]);
    const [part, ...others] = walk.parts;
    if (part === undefined || others.length > 0 || signed(part) !== id) walks.set(id, walk);
  });
  const gone = [...walks.keys()];
  const walk = (ref: number) => {
    const over = walks.get(Math.abs(ref));
    return over ? [...(ref > 0 ? over.forward : over.backward)].map(signed) : [ref];
  };
  const shapes = (await ownersOf(tx, gone, plan.remade)).map((shape) => {
    const arcs: number[] = [];
    let from = 0;
    const ringEnd = shape.ring_end.map((end) => {
      arcs.push(...shape.arcs.slice(from, end).flatMap(walk));
      from = end;
      return arcs.length;
    });
    return { id: shape.id, arcs, ringEnd };
  });
  await recutShapes(tx, shapes);
  return { gone, boundaries: shapes.map(({ id }) => id) };
}

/** Writes the rows, versions and shapes of boundaries as they were built. Returns the boundaries written. */
async function putBoundaries(
  run: Run,
  tx: Queryable,
  planned: Plan['boundaries'],
  results: BuildResult['boundaries'],
  { signed, ringHash }: ArcsOfRows,
): Promise<WrittenBoundary[]> {
  const now = new Date().toISOString();
  const rows: object[] = [];
  const geometry: object[] = [];
  const stale: object[] = [];
  const versions: object[] = [];
  const shapes: ReturnType<typeof shapeRow>[] = [];
  const made: WrittenBoundary[] = [];
  planned.forEach(({ candidate, trouble }, i) => {
    const result = trouble ?? defined(results[i]);
    const { id, input, stored, metaHash } = candidate;
    const shape = 'rings' in result ? result : null;
    const broken = 'trouble' in result ? placeOf(result) : null;
    if (broken) run.summary.broken.push({ id, name: input?.name ?? stored?.name ?? id, ...broken });
    // An extract often cuts boundaries at its edge: one that does not assemble never replaces another source's shape.
    if (broken && stored?.has_geometry && stored.source !== run.input.source.id) return;
    const version = (stored?.version ?? 0) + 1;
    const row = input && {
      ...boundaryRow(id, input, run.input.source.id, version, now, metaHash),
      ...presumed(id, input, shape?.center),
    };
    const columns = geometryColumns(shape, broken, shape && ringHash(shape.rings));
    // A new boundary is written once, with its shape: an update would leave a dead row in the table and every index.
    if (row && !stored) rows.push({ ...row, ...columns });
    else {
      if (row) rows.push(row);
      if (broken && stored?.has_geometry)
        stale.push({ id, version, stale: { ...broken, since: stored.stale_since ?? now } });
      else geometry.push({ id, version, ...columns });
    }
    if (shape) shapes.push(shapeRow(id, shape, signed));
    versions.push({
      boundary_id: id,
      version,
      source: run.input.source.id,
      source_version: input?.version ?? stored?.source_version,
      imported_at: now,
      live: shape !== null,
      geometry_hash: shape && jsonBytes(shape.geometryHash),
      area_km2: shape?.areaKm2 ?? null,
      trouble: broken,
    });
    made.push({ id, input });
  });
  await putJson(tx, loadQuery('store_put_boundaries'), rows);
  await putJson(tx, loadQuery('store_put_geometry'), geometry);
  await putJson(tx, loadQuery('store_set_stale'), stale);
  await putJson(tx, loadQuery('store_put_versions'), versions);
  await putShapes(tx, shapes);
  return made;
}

function placeOf(trouble: Trouble) {
  const degrees = (value: number | null) => (value === null ? null : value / 1e7);
  return { reason: trouble.trouble, lat: degrees(trouble.y), lon: degrees(trouble.x) };
}

function shapeRow(id: string, shape: BuiltBoundary, signed: (ref: number) => number) {
  return {
    boundaryId: id,
    arcs: Array.from(shape.rings.refs, signed),
    ringEnd: [...shape.rings.ringEnd],
    polygonEnd: [...shape.rings.polygonEnd],
    largest: shape.largest,
    ewkb: shape.ewkb,
  };
}

/** The columns of table boundary that describe its shape. */
function geometryColumns(shape: BuiltBoundary | null, broken: object | null, ringHash: Uint8Array | null) {
  const [west, south, east, north] = shape?.box ?? [null, null, null, null];
  return {
    west,
    south,
    east,
    north,
    lat: shape?.center[1] ?? null,
    lon: shape?.center[0] ?? null,
    area_km2: shape?.areaKm2 ?? null,
    has_geometry: shape !== null,
    broken,
    stale: null,
    geometry_hash: shape && jsonBytes(shape.geometryHash),
    ring_hash: jsonBytes(ringHash),
  };
}

/**
 * The country and the kind that a boundary most likely has. They are derived once its parents are known; where these
 * are the same, its row is not written again.
 */
function presumed(id: string, input: SourceBoundary, center: BuiltBoundary['center'] | undefined) {
  const there = center ? countryAt(center[1] / 1e7, center[0] / 1e7) : null;
  const country = input.countryCode ?? input.country ?? there;
  const { kind, known } = input.kind ? { kind: input.kind, known: true } : kindOf({ ...input, id, country });
  return { kind, kind_known: known, country, countries: country ? [country] : [] };
}

/** A row of table boundary without its shape, its country and its kind. */
function boundaryRow(
  id: string,
  input: SourceBoundary,
  source: string,
  version: number,
  now: string,
  metaHash: string,
) {
  return {
    id,
    source,
    source_id: input.sourceId,
    source_version: input.version,
    version,
    imported_at: now,
    type: input.type,
    name: input.name,
    names: input.names,
    kind_given: input.kind,
    admin_level: input.adminLevel,
    disputed: false,
    country_given: input.country,
    country_code: input.countryCode,
    iso: input.iso,
    wikidata: input.wikidata,
    population: input.population,
    tags: input.tags,
    place: input.place,
    subareas: input.subareas,
    other_names: input.otherNames,
    codes: input.codes,
    ways: 'ways' in input.border ? input.border.ways : [],
    meta_hash: `\\x${metaHash}`,
    has_geometry: false,
  };
}

/** Upserts label and admin_centre nodes as OpenStreetMap has them. */
export async function putNodes(tx: Queryable, nodes: Iterable<RawNode>): Promise<void> {
  await putJson(
    tx,
    loadQuery('store_put_nodes'),
    Array.from(nodes, ({ id, version, tags, x, y }) => ({ id, version, tags, ...(x === NOWHERE ? {} : { x, y }) })),
  );
}

/** Upserts relations with their members and roles as OpenStreetMap has them. */
export async function putRelations(tx: Queryable, relations: readonly RawRelation[]): Promise<void> {
  await putJson(
    tx,
    loadQuery('store_put_relations'),
    relations.map(({ id, version, tags, members }) => ({
      id,
      version,
      tags,
      member_types: members.map(({ type }) => type).join(''),
      member_refs: members.map(({ ref }) => ref),
      member_roles: members.map(({ role }) => role),
    })),
  );
}

const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
