import type { BuildResult, BuiltBoundary } from '../../../workers/tasks.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import {
  bytesOf,
  jsonBytes,
  putArcs,
  putConflicts,
  putJson,
  putShapes,
  putWayArcs,
  recutShapes,
  type StoredArc,
  setTiers,
  waysOfArcs,
} from '../../domain/topology.ts';
import { deriveLineage } from '../lineage.ts';
import { replaceStarters } from '../replace.ts';
import type { SourceBoundary } from '../types.ts';
import type { Plan } from './arrangement.ts';
import type { Candidate, Made, RawRelation, Run } from './model.ts';

const hashAt = (hashes: Uint8Array, i: number) => Buffer.from(hashes.buffer, hashes.byteOffset + 16 * i, 16);

/** Writes what was built, and everything that follows from it, in the caller's transaction. */
export async function write(run: Run, tx: Queryable, plan: Plan, built: BuildResult): Promise<void> {
  const { arcs } = built;
  const rows = Array.from(arcs.first, (first, i) => ({
    hash: hashAt(arcs.hashes, i),
    coords: bytesOf(arcs.coords.subarray(2 * first, 2 * (first + arcs.length[i]))),
    weights: arcs.weights.subarray(first, first + arcs.length[i]),
    ends: bytesOf(
      arcs.ends.subarray((i * arcs.ends.length) / arcs.first.length, ((i + 1) * arcs.ends.length) / arcs.first.length),
    ),
    exact: arcs.exact[i],
    area: arcs.area[i],
    turn: arcs.turn[i],
    box: arcs.box.subarray(4 * i, 4 * i + 4),
  }));
  const ids = await putArcs(tx, rows, run.id);
  const idOf = rows.map(({ hash }) => ids.get(hash.toString('hex')) as number);
  const signed = (ref: number) => (ref < 0 ? -idOf[~ref] : idOf[ref]);
  const retiered = await retier(run, tx, new Map([...plan.former, ...plan.arcs]), rows, idOf);

  const split = await recut(tx, plan, built, signed);
  const made = await putBoundaries(run, tx, plan.boundaries, built, signed);
  await putWayArcs(
    tx,
    new Map([...plan.chainOfWay].map(([way, chain]) => [way, [...built.chainArcs[chain]].map(signed)])),
  );
  const suspects = [...new Set([...plan.former.keys(), ...split])];
  if (suspects.length > 0) await tx.query(loadQuery('store_drop_dead_arcs'), [suspects]);
  await putConflicts(
    tx,
    built.conflicts.map((conflict) => ({ ...conflict, a: idOf[conflict.a], b: idOf[conflict.b] })),
  );
  run.summary.arcs = idOf.length;
  run.summary.retiered = retiered.length;
  run.summary.conflicts = built.conflicts.length;
  const changedArcs = new Set([...retiered, ...split]);
  const touched = made.map(({ id }) => id);
  for (const { shape } of plan.standing) {
    if (shape.arcs.some((ref) => changedArcs.has(Math.abs(ref)))) touched.push(shape.id);
  }
  await tx.query(loadQuery('store_set_ring_hashes'), [touched]);
  run.progress('parents, countries and kinds');
  await deriveLineage(tx, run.engine, made, run.progress);
  if (!run.input.source.starter) {
    const { replaced, doubles } = await replaceStarters(tx, run.engine, made);
    run.summary.aliased = replaced;
    run.summary.doubles = doubles;
  }
}

/** Writes new tier bytes of stored arcs that have them; gives the ids of those arcs. */
async function retier(
  run: Run,
  tx: Queryable,
  stored: ReadonlyMap<number, StoredArc>,
  rows: readonly { weights: Uint8Array; ends: Uint8Array; exact: number }[],
  idOf: readonly number[],
): Promise<number[]> {
  const changed = rows.flatMap((row, i) => {
    const had = stored.get(idOf[i]);
    const same =
      !had || (sameBytes(had.weights, row.weights) && sameBytes(had.ends, row.ends) && had.exact === row.exact);
    return same ? [] : [{ id: idOf[i], weights: row.weights, ends: row.ends, exact: row.exact }];
  });
  if (changed.length > 0) await setTiers(tx, changed, run.id);
  return changed.map(({ id }) => id);
}

/** Rewrites the shapes and ways over stored arcs that were cut at new junctions; gives the arcs that are no more. */
async function recut(
  tx: Queryable,
  plan: Plan,
  built: BuildResult,
  signed: (ref: number) => number,
): Promise<Set<number>> {
  const split = new Map<number, number[]>();
  for (const [id, chain] of plan.chainOfArc) {
    const now = Array.from(built.chainArcs[chain], signed);
    if (now.length !== 1 || now[0] !== id) split.set(id, now);
  }
  if (split.size === 0) return new Set();
  const walk = (refs: readonly number[]) =>
    refs.flatMap((ref) => {
      const parts = split.get(Math.abs(ref));
      if (!parts) return [ref];
      return ref > 0 ? parts : parts.map((part) => -part).reverse();
    });
  const shapes = plan.standing.flatMap(({ shape }) => {
    if (!shape.arcs.some((ref) => split.has(Math.abs(ref)))) return [];
    const arcs: number[] = [];
    let from = 0;
    const ringEnd = shape.ring_end.map((end) => {
      arcs.push(...walk(shape.arcs.slice(from, end)));
      from = end;
      return arcs.length;
    });
    return [{ id: shape.id, arcs, ringEnd }];
  });
  await recutShapes(tx, shapes);
  const ways = await waysOfArcs(tx, [...split.keys()]);
  await putWayArcs(tx, new Map([...ways].map(([id, refs]) => [id, walk(refs)])));
  return new Set(split.keys());
}

/** Writes rows, versions and shapes; gives the ids written. */
async function putBoundaries(
  run: Run,
  tx: Queryable,
  planned: readonly { candidate: Candidate; trouble: string | null }[],
  built: BuildResult,
  signed: (ref: number) => number,
): Promise<Made[]> {
  const now = new Date().toISOString();
  const rows: object[] = [];
  const geometry: object[] = [];
  const stale: object[] = [];
  const versions: object[] = [];
  const shapes: ReturnType<typeof shapeRow>[] = [];
  const made: Made[] = [];
  planned.forEach(({ candidate, trouble }, i) => {
    const result = trouble === null ? built.boundaries[i] : { trouble, x: null, y: null };
    const { id, input, stored, metaHash } = candidate;
    const shape = 'rings' in result ? result : null;
    const broken = 'trouble' in result ? placeOf(result) : null;
    if (broken) run.summary.broken.push({ id, name: input?.name ?? stored?.name ?? id, ...broken });
    // An extract often cuts its neighbours: what does not assemble never takes the place of another source's shape.
    if (broken && stored?.has_geometry && stored.source !== run.input.source.id) return;
    const version = (stored?.version ?? 0) + 1;
    if (input) rows.push(boundaryRow(id, input, run.input.source.id, version, now, metaHash));
    if (broken && stored?.has_geometry) stale.push({ id, version, stale: { ...broken, since: now } });
    else geometry.push({ id, version, ...geometryColumns(shape, broken) });
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
  await putJson(tx, 'store_put_boundaries', rows);
  await putJson(tx, 'store_put_geometry', geometry);
  await putJson(tx, 'store_set_stale', stale);
  await putJson(tx, 'store_put_versions', versions);
  await putShapes(tx, shapes);
  return made;
}

function placeOf(trouble: { trouble: string; x: number | null; y: number | null }) {
  const degrees = (value: number | null) => (value === null ? null : value / 1e7);
  return { reason: trouble.trouble, lat: degrees(trouble.y), lon: degrees(trouble.x) };
}

function shapeRow(id: string, shape: BuiltBoundary, signed: (ref: number) => number) {
  return {
    boundaryId: id,
    arcs: Array.from(shape.rings.refs, signed),
    ringEnd: [...shape.rings.ringEnd],
    polygonEnd: [...shape.rings.polygonEnd],
    ewkb: shape.ewkb,
  };
}

/** The columns that describe a shape. */
function geometryColumns(shape: BuiltBoundary | null, broken: object | null) {
  const [west, south, east, north] = shape?.box ?? [null, null, null, null];
  return {
    west,
    south,
    east,
    north,
    lat: shape?.centre[1] ?? null,
    lon: shape?.centre[0] ?? null,
    area_km2: shape?.areaKm2 ?? null,
    has_geometry: shape !== null,
    broken,
    stale: null,
    geometry_hash: shape && jsonBytes(shape.geometryHash),
    ring_hash: null,
  };
}

/** A row of table boundary, its shape aside. Country and kind are derived later, once its parents are known. */
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
    kind: input.kind ?? (input.type === 'postal_code' ? 'postal_code' : 'district'),
    kind_given: input.kind,
    kind_known: true,
    admin_level: input.adminLevel,
    country: input.country,
    countries: input.country ? [input.country] : [],
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

/** Members and roles as the map has them. */
export async function putRelations(tx: Queryable, relations: readonly RawRelation[]): Promise<void> {
  await putJson(
    tx,
    'store_put_relations',
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
