import { createHash } from 'node:crypto';
import type { Rings } from '../../workers/contract.ts';
import type { BuildResult, BuiltBoundary } from '../../workers/tasks.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import {
  boxOf,
  bytesOf,
  formerArcs,
  intsOf,
  jsonBytes,
  patient,
  putArcs,
  putConflicts,
  putJson,
  putShapes,
  putWayArcs,
  putWays,
  recutShapes,
  type StoredArc,
  setTiers,
  standingShapes,
  storedWays,
  TOPOLOGY_LOCK,
  type WayRow,
  waysOfArcs,
} from '../domain/topology.ts';
import type { Engine } from '../geometry/engine.ts';
import { deriveLineage } from './lineage.ts';
import { replaceStarters } from './replace.ts';
import type { SourceBoundary } from './types.ts';

/** Where boundaries come from, as a row of table source. */
export interface SourceInfo {
  readonly id: string;
  readonly name: string;
  readonly url: string | null;
  readonly licence: string;
  readonly attribution: string;
  readonly resolution: string | null;
  /** Shapes that give way to OpenStreetMap's. */
  readonly starter: boolean;
}

/** A relation as the map has it, for the raw tables. */
export interface RawRelation {
  readonly id: number;
  readonly version: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly members: readonly { readonly type: 'n' | 'w' | 'r'; readonly ref: number; readonly role: string }[];
}

export interface StoreInput {
  readonly source: SourceInfo;
  /** The file or package, for the record. */
  readonly file: string;
  readonly boundaries: readonly SourceBoundary[];
  readonly relations?: readonly RawRelation[];
  readonly ways?: ReadonlyMap<number, WayRow>;
}

export interface Broken {
  readonly id: string;
  readonly name: string;
  readonly reason: string;
  /** Degrees; null when the trouble has no place. */
  readonly lat: number | null;
  readonly lon: number | null;
}

export interface StoreSummary {
  /** Boundaries in the source. */
  read: number;
  /** Written for the first time. */
  added: number;
  /** Written over an earlier version. */
  replaced: number;
  unchanged: number;
  /** Left alone because what is stored is newer, or from a better source. */
  older: number;
  /** Stored boundaries made anew because a way of theirs changed. */
  reassembled: number;
  /** Without a polygon, with the reason. */
  broken: Broken[];
  /** Starter shapes that gave way to a boundary of another id, which answers for theirs. */
  aliased: number;
  /** Starter shapes that overlap a boundary of the same kind and stay. */
  doubles: number;
  arcs: number;
  /** Stored arcs whose tiers changed because something near them did. */
  retiered: number;
  conflicts: number;
}

type Progress = (message: string) => void;

/** A row of table boundary that an import may touch. */
interface StoredBoundary {
  id: string;
  source: string;
  source_id: string;
  source_version: string;
  version: number;
  type: 'administrative' | 'postal_code';
  name: string;
  admin_level: number | null;
  ways: number[];
  has_geometry: boolean;
  meta_hash: string;
  geometry_hash: string | null;
  area_km2: number | null;
  starter: boolean;
}

/** A boundary to be made: from the source, or only re-assembled from what is stored (input null). */
interface Candidate {
  readonly id: string;
  readonly input: SourceBoundary | null;
  readonly metaHash: string;
  readonly stored: StoredBoundary | null;
  readonly type: 'administrative' | 'postal_code';
  readonly adminLevel: number | null;
}

/** A boundary that was written; input null: only its shape was made anew. */
export interface Made {
  readonly id: string;
  readonly input: SourceBoundary | null;
}

const NOT_ADMINISTRATIVE = 13;
const hashAt = (hashes: Uint8Array, i: number) => Buffer.from(hashes.buffer, hashes.byteOffset + 16 * i, 16);

/**
 * Stores boundaries of one source: their ways, the arcs those are cut into, rings, tiers, parents, kinds and names, in
 * one transaction. Again is idempotent; a newer version of a boundary or of a way replaces the older, and every stored
 * boundary that uses a changed way is made anew. A boundary that does not assemble keeps its last good shape, marked
 * stale, or is stored without one, with the reason.
 */
export async function storeBoundaries(
  { db, engine }: { db: Database; engine: Engine },
  input: StoreInput,
  progress: Progress = () => {},
): Promise<StoreSummary> {
  return db.withLock(TOPOLOGY_LOCK, async () => {
    const { source } = input;
    await db.query(loadQuery('store_put_source'), [
      source.id,
      source.name,
      source.url,
      source.licence,
      source.attribution,
      source.resolution,
      source.starter,
    ]);
    const [{ id: run }] = await db.query<{ id: number }>(loadQuery('store_begin_run'), [source.id, input.file]);
    const summary = await new Store(db, engine, input, run, progress).run();
    await patient(db).query(loadQuery('store_analyze'));
    await db.query(loadQuery('store_end_run'), [run, JSON.stringify({ ...summary, broken: summary.broken.length })]);
    return summary;
  });
}

/** One run of an import: what is to be made, the arrangement around it, and the transaction that writes it. */
class Store {
  private readonly db: Database;
  private readonly engine: Engine;
  private readonly input: StoreInput;
  private readonly importRun: number;
  private readonly progress: Progress;
  private readonly summary: StoreSummary;

  constructor(db: Database, engine: Engine, input: StoreInput, importRun: number, progress: Progress) {
    this.db = db;
    this.engine = engine;
    this.input = input;
    this.importRun = importRun;
    this.progress = progress;
    this.summary = {
      read: input.boundaries.length,
      added: 0,
      replaced: 0,
      unchanged: 0,
      older: 0,
      reassembled: 0,
      broken: [],
      aliased: 0,
      doubles: 0,
      arcs: 0,
      retiered: 0,
      conflicts: 0,
    };
  }

  async run(): Promise<StoreSummary> {
    const { ways, changed } = await this.chooseWays();
    const candidates = await this.chooseBoundaries(changed);
    if (candidates.length === 0 && changed.size === 0) return this.summary;
    this.progress(`${candidates.length} boundaries to make`);
    await this.completeWays(candidates, ways);
    let { plan, built } = await this.build(candidates, ways, new Set());
    // What does not assemble keeps the shape it has, which then belongs to the arrangement like any other.
    const kept = candidates.filter(
      ({ stored }, i) =>
        stored?.has_geometry && (plan.boundaries[i].trouble !== null || 'trouble' in built.boundaries[i]),
    );
    if (kept.length > 0) ({ plan, built } = await this.build(candidates, ways, new Set(kept.map(({ id }) => id))));
    this.progress(`${built.arcs.first.length} arcs; writing`);
    await this.db.transaction(async (transaction) => {
      const tx = patient(transaction);
      if (this.input.relations) await putRelations(tx, this.input.relations);
      await putWays(
        tx,
        [...changed].map((id) => ways.get(id)).filter((way) => way !== undefined),
      );
      await this.write(tx, plan, built);
    });
    return this.summary;
  }

  /** Cuts and assembles; `kept` are candidates whose stored shape stays. */
  private async build(candidates: readonly Candidate[], ways: ReadonlyMap<number, WayRow>, kept: ReadonlySet<string>) {
    const plan = await this.planChains(candidates, ways, kept);
    this.progress(`${plan.chains.length} chains to cut (${plan.standing.length} neighbours stand)`);
    const built = await this.engine.pool.run('build', {
      chains: plan.chains,
      storedFrom: plan.storedFrom,
      boundaries: plan.boundaries.map(({ chains, candidate }) => ({
        chains: Uint32Array.from(chains),
        adminLevel: tierLevel(candidate.type, candidate.adminLevel),
      })),
      standing: plan.standing.map(({ rings, shape }) => ({
        rings,
        adminLevel: tierLevel(shape.type, shape.admin_level),
      })),
    });
    return { plan, built };
  }

  /** The ways of the input that are newer than what is stored, or all it has for those that are not stored. */
  private async chooseWays(): Promise<{ ways: Map<number, WayRow>; changed: Set<number> }> {
    const ways = new Map<number, WayRow>();
    const changed = new Set<number>();
    const used = new Set<number>();
    for (const { border } of this.input.boundaries) if ('ways' in border) for (const id of border.ways) used.add(id);
    const stored = await storedWays(patient(this.db), [...used]);
    for (const id of used) {
      const given = this.input.ways?.get(id);
      const had = stored.get(id);
      if (!given) continue;
      const keep = had && (had.version > given.version || (had.coords !== null && given.coords === null));
      if (keep) ways.set(id, { ...given, coords: had.coords, version: had.version, missing: had.missing });
      else ways.set(id, given);
      if (!had || (!keep && !sameInts(had.coords, given.coords))) changed.add(id);
    }
    return { ways, changed };
  }

  /** What has to be made: new and newer boundaries, and stored ones that use a changed way. */
  private async chooseBoundaries(changedWays: ReadonlySet<number>): Promise<Candidate[]> {
    const { source, boundaries } = this.input;
    const ids = boundaries.flatMap(({ id }) => (id ? [id] : []));
    const sourceIds = boundaries.map(({ sourceId }) => sourceId);
    const rows = await patient(this.db).query<StoredBoundary>(loadQuery('store_boundaries'), [
      ids,
      source.id,
      sourceIds,
      [...changedWays],
    ]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const bySourceId = new Map(rows.filter((row) => row.source === source.id).map((row) => [row.source_id, row]));
    const candidates: Candidate[] = [];
    const named = new Set<string>();
    const unnamed: SourceBoundary[] = [];
    const add = (input: SourceBoundary, id: string, stored: StoredBoundary | null) => {
      named.add(id);
      const metaHash = metaHashOf(input);
      if (stored && this.isOlder(input, stored)) {
        this.summary.older++;
        return;
      }
      const { border } = input;
      const touched = 'ways' in border && border.ways.some((way) => changedWays.has(way));
      if (stored && stored.source === source.id && stored.meta_hash === metaHash && !touched) {
        this.summary.unchanged++;
        return;
      }
      if (stored) this.summary.replaced++;
      else this.summary.added++;
      candidates.push({ id, input, metaHash, stored, type: input.type, adminLevel: input.adminLevel });
    };
    for (const boundary of boundaries) {
      const stored = (boundary.id ? byId.get(boundary.id) : undefined) ?? bySourceId.get(boundary.sourceId) ?? null;
      const id = boundary.id ?? stored?.id;
      if (id) add(boundary, id, stored);
      else unnamed.push(boundary);
    }
    if (unnamed.length > 0) {
      const numbers = await this.db.query<{ number: number }>(loadQuery('store_new_ids'), [unnamed.length]);
      unnamed.forEach((boundary, i) => {
        add(boundary, `r${numbers[i].number}`, null);
      });
    }
    for (const row of rows) {
      if (named.has(row.id) || !row.ways.some((way) => changedWays.has(way))) continue;
      this.summary.reassembled++;
      candidates.push({
        id: row.id,
        input: null,
        metaHash: row.meta_hash,
        stored: row,
        type: row.type,
        adminLevel: row.admin_level,
      });
    }
    return candidates;
  }

  /** A stored boundary is better than the input when its version is newer, or it is the map's and the input a coverage's. */
  private isOlder(input: SourceBoundary, stored: StoredBoundary): boolean {
    if (stored.source !== this.input.source.id) return !stored.starter || this.input.source.starter;
    const [given, had] = [Number(input.version), Number(stored.source_version)];
    return Number.isFinite(given) && Number.isFinite(had) && given < had;
  }

  /** Loads the stored ways that boundaries to be re-assembled need beside those of the input. */
  private async completeWays(candidates: readonly Candidate[], ways: Map<number, WayRow>): Promise<void> {
    const missing = new Set<number>();
    for (const candidate of candidates) for (const id of waysOf(candidate)) if (!ways.has(id)) missing.add(id);
    for (const [id, way] of await storedWays(patient(this.db), [...missing])) {
      ways.set(id, { id, tags: {}, refs: null, ...way });
    }
  }

  /** The chains to be cut: those of the boundaries to make, then the stored arcs around them. */
  private async planChains(
    candidates: readonly Candidate[],
    ways: ReadonlyMap<number, WayRow>,
    kept: ReadonlySet<string>,
  ) {
    const chains: Int32Array[] = [];
    const chainOfWay = new Map<number, number>();
    const boundaries: { candidate: Candidate; chains: number[]; trouble: string | null }[] = [];
    for (const candidate of candidates) {
      const used: number[] = [];
      let trouble: string | null = null;
      if (candidate.input && 'rings' in candidate.input.border) {
        for (const ring of candidate.input.border.rings) used.push(chains.push(ring) - 1);
      } else {
        for (const id of waysOf(candidate)) {
          const way = ways.get(id);
          if (!way?.coords) {
            trouble ??= way?.missing ? `way ${id}: missing node ${way.missing}` : `missing way ${id}`;
            continue;
          }
          let chain = chainOfWay.get(id);
          if (chain === undefined) {
            chain = chains.push(way.coords) - 1;
            chainOfWay.set(id, chain);
          }
          used.push(chain);
        }
        if (waysOf(candidate).length === 0) trouble = 'it has no ways';
      }
      boundaries.push({ candidate, chains: trouble ? [] : used, trouble });
    }
    const storedFrom = chains.length;
    const remade = candidates.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
    const former = await formerArcs(patient(this.db), remade);
    // What lay around an arc that goes changes as much as what lies around one that comes.
    const coming = chains.filter((chain) => chain.length > 0);
    const going = Array.from(former.values(), ({ coords }) => intsOf(coords));
    const boxes = [...coming, ...going].map(boxOf);
    const around = await standingShapes(patient(this.db), boxes, remade);
    const chainOfArc = new Map<number, number>();
    for (const arc of around.arcs.values()) chainOfArc.set(arc.id, chains.push(intsOf(arc.coords)) - 1);
    const standing = around.shapes.map((shape) => ({
      shape,
      rings: {
        refs: Int32Array.from(shape.arcs, (ref) => {
          const chain = chainOfArc.get(Math.abs(ref)) as number;
          return ref < 0 ? ~chain : chain;
        }),
        ringEnd: Uint32Array.from(shape.ring_end),
        polygonEnd: Uint32Array.from(shape.polygon_end),
      } satisfies Rings,
    }));
    return { chains, storedFrom, boundaries, chainOfWay, standing, former, arcs: around.arcs, chainOfArc };
  }

  private async write(
    tx: Queryable,
    plan: Awaited<ReturnType<Store['planChains']>>,
    built: BuildResult,
  ): Promise<void> {
    const { arcs } = built;
    const rows = Array.from(arcs.first, (first, i) => ({
      hash: hashAt(arcs.hashes, i),
      coords: bytesOf(arcs.coords.subarray(2 * first, 2 * (first + arcs.length[i]))),
      weights: arcs.weights.subarray(first, first + arcs.length[i]),
      ends: bytesOf(
        arcs.ends.subarray(
          (i * arcs.ends.length) / arcs.first.length,
          ((i + 1) * arcs.ends.length) / arcs.first.length,
        ),
      ),
      exact: arcs.exact[i],
      area: arcs.area[i],
      turn: arcs.turn[i],
      box: arcs.box.subarray(4 * i, 4 * i + 4),
    }));
    const ids = await putArcs(tx, rows, this.importRun);
    const idOf = rows.map(({ hash }) => ids.get(hash.toString('hex')) as number);
    const signed = (ref: number) => (ref < 0 ? -idOf[~ref] : idOf[ref]);
    const retiered = await this.retier(tx, new Map([...plan.former, ...plan.arcs]), rows, idOf);

    const split = await this.recut(tx, plan, built, signed);
    const made = await this.putBoundaries(tx, plan.boundaries, built, signed);
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
    this.summary.arcs = idOf.length;
    this.summary.retiered = retiered.length;
    this.summary.conflicts = built.conflicts.length;
    const changedArcs = new Set([...retiered, ...split]);
    const touched = made.map(({ id }) => id);
    for (const { shape } of plan.standing) {
      if (shape.arcs.some((ref) => changedArcs.has(Math.abs(ref)))) touched.push(shape.id);
    }
    await tx.query(loadQuery('store_set_ring_hashes'), [touched]);
    this.progress('parents, countries and kinds');
    await deriveLineage(tx, this.engine, made, this.progress);
    if (!this.input.source.starter) {
      const { replaced, doubles } = await replaceStarters(tx, this.engine, made);
      this.summary.aliased = replaced;
      this.summary.doubles = doubles;
    }
  }

  /** Writes new tier bytes of stored arcs that have them; gives the ids of those arcs. */
  private async retier(
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
    if (changed.length > 0) await setTiers(tx, changed, this.importRun);
    return changed.map(({ id }) => id);
  }

  /** Rewrites the shapes and ways over stored arcs that were cut at new junctions; gives the arcs that are no more. */
  private async recut(
    tx: Queryable,
    plan: Awaited<ReturnType<Store['planChains']>>,
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
  private async putBoundaries(
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
      if (broken) this.summary.broken.push({ id, name: input?.name ?? stored?.name ?? id, ...broken });
      // An extract often cuts its neighbours: what does not assemble never takes the place of another source's shape.
      if (broken && stored?.has_geometry && stored.source !== this.input.source.id) return;
      const version = (stored?.version ?? 0) + 1;
      if (input) rows.push(boundaryRow(id, input, this.input.source.id, version, now, metaHash));
      if (broken && stored?.has_geometry) stale.push({ id, version, stale: { ...broken, since: now } });
      else geometry.push({ id, version, ...geometryColumns(shape, broken) });
      if (shape) shapes.push(shapeRow(id, shape, signed));
      versions.push({
        boundary_id: id,
        version,
        source: this.input.source.id,
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
}

/** Classes of admin_level as the tiers count them: 13 is "not administrative, or of no level". */
function tierLevel(type: string, adminLevel: number | null): number {
  return type === 'administrative' ? (adminLevel ?? NOT_ADMINISTRATIVE) : NOT_ADMINISTRATIVE;
}

function waysOf(candidate: Candidate): readonly number[] {
  if (!candidate.input) return candidate.stored?.ways ?? [];
  return 'ways' in candidate.input.border ? candidate.input.border.ways : [];
}

/** Everything a source says of a boundary, in one hash: equal means nothing is to be done. */
function metaHashOf(boundary: SourceBoundary): string {
  const { border, ...meta } = boundary;
  const hash = createHash('sha256').update(JSON.stringify(meta));
  if ('ways' in border) hash.update(border.ways.join());
  else for (const ring of border.rings) hash.update(bytesOf(ring));
  return hash.digest('hex');
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

async function putRelations(tx: Queryable, relations: readonly RawRelation[]): Promise<void> {
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

function sameInts(a: Int32Array | null, b: Int32Array | null): boolean {
  if (!a || !b) return a === b;
  return sameBytes(bytesOf(a), bytesOf(b));
}

const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
