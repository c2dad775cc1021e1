import type { BuildResult } from '../../../workers/arrangement.ts';
import type { Rings } from '../../../workers/contract.ts';
import { NOWHERE } from '../../../workers/osm/elements.ts';
import { defined } from '../../common/elements.ts';
import type { Queryable } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { putJson } from '../batches.ts';
import { inherit } from '../inherit.ts';
import { dropReplaced, findReplaced } from '../replace.ts';
import { deriveHeirs, deriveHierarchy } from '../unshaped/unshaped.ts';
import { type BuiltArrangement, buildWithout } from './arrangement.ts';
import { arcRows, boundaryRow, geometryColumns, placeOf, presumed, ringHasher, shapeRow } from './rows.ts';
import type { BuildPlan, BuildRun, RawNode, RawRelation, Run, WrittenBoundary } from './source_rows.ts';
import { settleTombstones } from './tombstones.ts';
import { bytesOf, jsonBytes, ownersOf, usersOf } from './topology.ts';
import { putArcs, putConflicts, putShapes, recutShapes, type ShapeRow, setRoles, setTiers } from './topology_writes.ts';
import { validFrom } from './valid_from.ts';

/** Boundaries whose rows are in memory together. */
const BOUNDARIES_AT_ONCE = 2_000;

/** So many arcs are deleted only after statistics about conflicts are refreshed. */
const MANY_ARCS = 500;

/** Writes a built arrangement and what is derived from it (parents, kinds, aliases), in the caller's transaction. */
export async function write(run: Run, tx: Queryable, { plan, built, tiered }: BuiltArrangement): Promise<void> {
  const ids = await putBuiltArcs(run, tx, { plan, built, tiered });
  const arcs = { signed: ids.signed, ringHash: ringHasher(built.arcs, tiered, ids.signed) };
  const made: WrittenBoundary[] = [];
  for (let from = 0; from < plan.boundaries.length; from += BOUNDARIES_AT_ONCE) {
    const slice = plan.boundaries.slice(from, from + BOUNDARIES_AT_ONCE);
    made.push(...(await putBoundaries(run, tx, slice, built.boundaries.slice(from), arcs)));
  }
  const { superseded } = plan;
  if (superseded.size > 0) await dropReplaced(tx, superseded);
  run.summary.aliased += superseded.size;
  await settle(run, tx, { plan, built, tiered }, ids);
  run.progress('parents, countries and kinds');
  const { seed } = run.input.source;
  if (!seed) await inherit(tx, idsOf(made));
  await deriveHierarchy(tx, run.engine, made, run.later, run.progress);
  await settleTombstones(tx, made);
  if (superseded.size > 0) await deriveHeirs(tx, run.engine, [...new Set(superseded.values())], run.later);
  if (!seed) await replaceSeeds(run, tx, idsOf(made));
  await tx.query(loadQuery('land_mark'), [idsOf(made)]);
  await tx.query(loadQuery('inland_mark'), [idsOf(made)]);
}

const idsOf = (made: readonly WrittenBoundary[]) => made.map(({ id }) => id);

/**
 * Removes the seed boundaries whose place the given boundaries take, which inherit what their source does not state.
 */
export async function replaceSeeds(run: Run, tx: Queryable, ids: readonly string[]): Promise<void> {
  const { replace = true } = run.input;
  const { replacement, namesakes, doubles } = await findReplaced(tx, run.engine, ids, replace);
  run.summary.aliased += replacement.size;
  run.summary.doubles += doubles;
  run.summary.namesakes.push(...namesakes);
  if (replacement.size === 0) return;
  await remove(run, tx, [...replacement.keys()], () => dropReplaced(tx, replacement));
  const heirs = await inherit(tx, [...new Set(replacement.values())]);
  await deriveHeirs(tx, run.engine, heirs, run.later);
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
  await settle(run, tx, without, await putBuiltArcs(run, tx, without));
}

/** The ids of arcs that were built. */
export interface StoredIds {
  /** The id of each built arc. */
  readonly ids: readonly number[];
  /** Converts a signed reference to a built arc into a signed arc id. */
  readonly signed: (ref: number) => number;
}

/** Inserts the arcs that are not stored yet. Returns the ids of all built arcs. */
export async function putBuiltArcs(
  run: BuildRun,
  tx: Queryable,
  { plan, built: { arcs }, tiered }: BuiltArrangement,
): Promise<StoredIds> {
  const { ids, added } = await putArcs(tx, plan.arrangement, arcRows(arcs, tiered));
  run.summary.arcs += added;
  return { ids, signed: (ref) => (ref < 0 ? -defined(ids[~ref]) : defined(ids[ref])) };
}

/** What the rows of a boundary need of its arcs. */
interface ArcsOfRows {
  readonly signed: StoredIds['signed'];
  /** The ring_hash of a built boundary. */
  readonly ringHash: (rings: Rings) => Uint8Array;
}

/**
 * Updates the stored arrangement after a build: tiers, cuts, unused arcs, conflicts, and the ring hashes of stored
 * boundaries that are affected.
 */
export async function settle(
  run: BuildRun,
  tx: Queryable,
  { plan, built, tiered }: BuiltArrangement,
  { ids, signed }: StoredIds,
): Promise<void> {
  const retiered = await retier(tx, { plan, built, tiered }, ids);
  const split = await recut(tx, plan, built, signed);
  const suspects = [...new Set([...plan.former.keys(), ...split.recut])];
  if (suspects.length > MANY_ARCS) await tx.query(loadQuery('store_analyze_conflicts'));
  if (suspects.length > 0) await tx.query(loadQuery('store_drop_dead_arcs'), [suspects]);
  await putConflicts(
    tx,
    built.conflicts.map((conflict) => ({ ...conflict, a: defined(ids[conflict.a]), b: defined(ids[conflict.b]) })),
  );
  run.summary.retiered += retiered.length;
  run.summary.loaded += tiered.loaded;
  run.summary.conflicts += built.conflicts.length;
  const touched = new Set([...split.boundaries, ...(await usersOf(tx, retiered))]);
  if (touched.size > 0) await tx.query(loadQuery('store_set_ring_hashes'), [[...touched], plan.arrangement]);
}

/** Updates the tiers and roles of stored arcs where they changed. Returns the ids of the arcs whose tiers changed. */
async function retier(
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
  if (changed.length > 0) await setTiers(tx, changed);
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
 * Rewrites the shapes that use stored arcs that were cut or joined. Returns the ids of these arcs (`recut`) and of the
 * boundaries whose shapes were rewritten.
 */
async function recut(
  tx: Queryable,
  plan: BuildPlan,
  built: BuildResult,
  signed: (ref: number) => number,
): Promise<{ recut: number[]; boundaries: string[] }> {
  const walks = new Map<number, BuildResult['storedArcs'][number]>();
  plan.around.forEach(({ id }, i) => {
    const walk = defined(built.storedArcs[i]);
    const [part, ...others] = walk.parts;
    if (part === undefined || others.length > 0 || signed(part) !== id) walks.set(id, walk);
  });
  const recut = [...walks.keys()];
  const walk = (ref: number) => {
    const over = walks.get(Math.abs(ref));
    return over ? [...(ref > 0 ? over.forward : over.backward)].map(signed) : [ref];
  };
  const shapes = (await ownersOf(tx, recut, plan.remade)).map((shape) => {
    const arcs: number[] = [];
    let from = 0;
    const ringEnd = shape.ring_end.map((end) => {
      arcs.push(...shape.arcs.slice(from, end).flatMap(walk));
      from = end;
      return arcs.length;
    });
    return { id: shape.id, arcs, ringEnd };
  });
  await recutShapes(tx, plan.arrangement, shapes);
  return { recut, boundaries: shapes.map(({ id }) => id) };
}

/** Writes the rows, versions and shapes of boundaries as they were built. Returns the boundaries written. */
async function putBoundaries(
  run: Run,
  tx: Queryable,
  planned: BuildPlan['boundaries'],
  results: BuildResult['boundaries'],
  { signed, ringHash }: ArcsOfRows,
): Promise<WrittenBoundary[]> {
  const now = new Date().toISOString();
  const rows: object[] = [];
  const geometry: object[] = [];
  const stale: object[] = [];
  const versions: object[] = [];
  const shapes: ShapeRow[] = [];
  const made: WrittenBoundary[] = [];
  /** Seed boundaries that are written over by a boundary with the same id. */
  const taken: string[] = [];
  const validity = await validFrom(
    run,
    tx,
    planned.map(({ candidate }) => candidate),
    now,
  );
  planned.forEach(({ candidate, trouble }, i) => {
    const result = trouble ?? defined(results[i]);
    const { id, input, stored, metaHash } = candidate;
    const shape = 'rings' in result ? result : null;
    const broken = 'trouble' in result ? placeOf(result) : null;
    if (broken) run.summary.broken.push({ id, name: input?.name ?? stored?.name ?? id, ...broken });
    // An extract often cuts boundaries at its edge: one that does not assemble never replaces another source's shape.
    if (broken && stored?.has_geometry && stored.source !== run.input.source.id) return;
    if (stored?.seed && input && !run.input.source.seed) taken.push(id);
    const version = (stored?.version ?? 0) + 1;
    const since = defined(validity[i]);
    const row = input && {
      ...boundaryRow(id, input, run.input.source.id, version, since, metaHash),
      ...presumed(id, input, shape?.center),
    };
    const columns = geometryColumns(shape, broken, shape && ringHash(shape.rings));
    // A new boundary is written once, with its shape: an update would leave a dead row in the table and every index.
    if (row && !stored) rows.push({ ...row, ...columns });
    else {
      if (row) rows.push(row);
      if (broken && stored?.has_geometry)
        stale.push({ id, version, stale: { ...broken, since: stored.stale_since ?? now } });
      else geometry.push({ id, version, imported_at: since, ...columns });
    }
    if (shape) shapes.push(shapeRow(id, shape, signed));
    const { id: source } = run.input.source;
    versions.push({
      ...{ boundary_id: id, version, source, source_version: input?.version ?? stored?.source_version },
      ...{ imported_at: now, valid_from: since === now ? null : since, live: shape !== null, trouble: broken },
      ...{ geometry_hash: shape && jsonBytes(shape.geometryHash), area_km2: shape?.areaKm2 ?? null },
    });
    made.push({ id, input });
  });
  if (taken.length > 0) await tx.query(loadQuery('replace_keep'), [taken, taken]);
  await putJson(tx, loadQuery('store_put_boundaries'), rows);
  await putJson(tx, loadQuery('store_put_geometry'), geometry);
  await putJson(tx, loadQuery('store_set_stale'), stale);
  await putJson(tx, loadQuery('store_put_versions'), versions);
  await putShapes(tx, shapes);
  return made;
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
