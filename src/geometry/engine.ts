import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Detail, Document, Format, Rings } from '../../workers/contract.ts';
import type { Border } from '../../workers/kernels/border.ts';
import { endClassOf } from '../../workers/kernels/levels.ts';
import type { PerPoint } from '../../workers/kernels/locate_many.ts';
import type { TileFrame } from '../../workers/kernels/tile.ts';
import type {
  CrosswalkResult,
  DissolvedAreas,
  DissolveResult,
  DissolveTask,
  MergeTask,
  OverlayTask,
  RegionTree,
  TaskBase,
  WriteResult,
} from '../../workers/tasks.ts';
import type { TileFeature } from '../../workers/tile.ts';
import type { Database, Queryable } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { defined, only } from '../elements.ts';
import { atCapacity, problem } from '../errors.ts';
import { ArcStore, ArcsMoved, type BulkLease, flatten, type Lease } from './arcs.ts';
import { ByteCache, type Make } from './cache.ts';
import type { Tiers, Written } from './cached.ts';
import { Encodings } from './encodings.ts';
import { GeometryPool, type TaskTimes } from './pool.ts';
import { Turns } from './turns.ts';

/** What the engine needs to know of a boundary that has a shape. */
export interface BoundaryRef {
  readonly id: string;
  /** Hex; names the arcs and tier bytes of the shape. */
  readonly ringHash: string;
  /**
   * Arc ends stay at the junctions among boundaries of this level and above (levels.ts, endClassOf). Null: at those of
   * all boundaries, as for one without a level, and as for every one where a tolerance is asked for: among those,
   * neighbors of different levels fit at one tolerance. That costs 0.4 % more vertices in Luxembourg, 1.1 % in
   * Liechtenstein, 0.3 % in Malta and 0.1 % in Anhui, over all levels and tolerances from 2 m to 1 km.
   */
  readonly adminLevel: number | null;
}

const TIERS = [
  'documents',
  'encodings',
  'exports',
  'lists',
  'outlines',
  'neighbors',
  'tiles',
] as const satisfies readonly (keyof Tiers)[];

export interface EngineOptions {
  readonly threads: number;
  readonly arcBytes: number;
  readonly cacheBytes: number;
  readonly maxResponseBytes: number;
  /** Tasks that may wait for a thread. */
  readonly maxQueue?: number;
  /** Told how long each attempt by a strategy took, in seconds, and what each task of the pool took. */
  readonly onStrategy?: (strategy: Strategy, seconds: number) => void;
  readonly onTimes?: TaskTimes;
}

/** The strategies of a merge, in the order in which they are tried. */
export type Strategy = 'arcs' | 'overlay';

const MOVED_TRIES = 5;

/** Requests that read arcs from the database at once: each may hold as much as the largest request. */
const LOADS = 4;
const LOADS_WAITING = 512;
/** Shapes of a large request that are read together. */
const BULK = 2_000;

/**
 * What is run in the thread of the server itself, so that it never takes more than about a millisecond there (see
 * benchmarks/kernels/handover.ts): vertices to lay out and write, and vertices among which a point is located.
 */
const SMALL_DOCUMENT = 4_000;
const SMALL_LOCATE = 500_000;

/**
 * Geometry over stored boundaries: the strategies in order (exact arcs, then an overlay on the integer grid, then an error), the
 * arcs in shared memory, and the cache of finished documents.
 */
export class Engine {
  readonly pool: GeometryPool;
  readonly arcs: ArcStore;
  readonly cache: ByteCache<Tiers>;
  readonly encodings: Encodings;
  /** How many results each strategy gave. */
  readonly strategies: Record<Strategy, number> = { arcs: 0, overlay: 0 };
  private readonly loads = new Turns(LOADS);
  private readonly db: Database;
  private readonly options: EngineOptions;

  constructor(db: Database, options: EngineOptions) {
    this.db = db;
    this.options = options;
    this.arcs = new ArcStore(options.arcBytes);
    const { buffer, vertices, slots, table } = this.arcs.heap.heap;
    const { threads, maxQueue, onTimes } = options;
    this.pool = new GeometryPool({ threads, heap: { buffer, vertices, slots }, common: table, maxQueue, onTimes });
    this.cache = new ByteCache(options.cacheBytes, TIERS);
    this.encodings = new Encodings(this.cache);
  }

  /**
   * One boundary at a level (FULL or 0 … 15) as a document. Cached by content; made once however many ask at once.
   * @throws too_large when the document would exceed MAX_RESPONSE_BYTES; rate_limited when there is no room for the work;
   * ArcsMoved as `moved` says
   */
  async render(
    boundary: BoundaryRef,
    level: number,
    format: Format,
    document: Document,
    signal?: AbortSignal,
    moved: Moved = 'follow',
  ): Promise<Written> {
    return this.following([boundary], { signal, moved }, (refs) => {
      const ref = only(refs);
      const key = `${nameOf(ref)} ${level} ${format} ${digest(document)}`;
      const make: Make<Written> = (stop) =>
        this.withShapes([ref], stop, async (lease) => {
          const task = {
            heap: lease.heap,
            rings: only(ringsOf(lease)),
            level,
            endClass: endClassOf([ref.adminLevel]),
            format,
            document,
            maxBytes: this.options.maxResponseBytes,
          };
          const small = lease.vertices <= SMALL_DOCUMENT;
          return this.written(small ? this.pool.runSmall('render', task) : await this.pool.run('render', task, stop));
        });
      return this.cache.getOrMake('documents', key, make, signal);
    });
  }

  /**
   * The union of `include` minus the union of `exclude` as a document, simplified by its own extent. `document` holds
   * the properties that are known before; area_km2, detail, tolerance_m, bbox and digits are those of the result.
   * `from`: the first strategy to try (tests force the second). Cached by content; made once however many ask at once, and
   * `progress` is told in words how far it is by the one that makes it.
   * @throws too_large; rate_limited when there is no room for the work; internal_error that names the boundaries and
   * the place when no strategy can vouch for the result; ArcsMoved as `moved` says
   */
  async merge(
    include: readonly BoundaryRef[],
    exclude: readonly BoundaryRef[],
    wanted: { detail: Detail; format: Format; document: Document; from?: Strategy },
    signal?: AbortSignal,
    progress?: (message: string) => void,
    moved: Moved = 'follow',
  ): Promise<Written> {
    const names = (list: readonly BoundaryRef[]) => [...new Set(list.map(nameOf))].sort();
    return this.following([...include, ...exclude], { signal, moved }, (refs) => {
      const [wholes, cuts] = [refs.slice(0, include.length), refs.slice(include.length)];
      const key = digest([names(wholes), names(cuts), wanted]);
      const make: Make<Written> = (stop) => this.mergeAnew(wholes, cuts, wanted, { signal: stop, progress });
      return this.cache.getOrMake('documents', key, make, signal);
    });
  }

  private async mergeAnew(
    include: readonly BoundaryRef[],
    exclude: readonly BoundaryRef[],
    wanted: { detail: Detail; format: Format; document: Document; from?: Strategy },
    going: Going,
  ): Promise<Written> {
    const named = [...new Map([...include, ...exclude].map((one) => [one.id, one])).values()];
    const index = new Map(named.map((one, i) => [one.id, i]));
    const indexes = (list: readonly BoundaryRef[]) => list.map(({ id }) => index.get(id) as number);
    const cut = new Set(indexes(exclude));
    return this.withShapes(named, going.signal, async (lease) => {
      const task = {
        heap: lease.heap,
        // What is cut away need not be merged first: an overlay that moves its border would leave slivers of it.
        include: indexes(include).filter((one) => !cut.has(one)),
        exclude: [...cut],
        detail: wanted.detail,
        format: wanted.format,
        document: wanted.document,
        maxBytes: this.options.maxResponseBytes,
      };
      if (!lease.conflict && wanted.from !== 'overlay') {
        const endClass = endClassOf(named.map(({ adminLevel }) => adminLevel));
        going.progress?.(`merging ${lease.vertices} vertices`);
        const exact: Omit<MergeTask, keyof TaskBase> = { ...task, boundaries: lease.refs, endClass };
        const result = await this.timed('arcs', async () =>
          isSmall(lease) ? this.pool.runSmall('merge', exact) : this.pool.run('merge', exact, going.signal),
        );
        if (result.kind !== 'trouble') {
          this.strategies.arcs++;
          return this.written(result);
        }
      }
      going.progress?.('borders of two sources cross: overlaying them');
      const result = await this.timed('overlay', () => this.overlay(named, lease, task, going.signal));
      this.strategies.overlay++;
      return this.written(result, named);
    });
  }

  /**
   * How near pairs of boundaries (places in `boundaries`) are: SHARED, NEAR or FAR of kernels/nearness.ts; `meters` null
   * compares arcs only. Throws ArcsMoved when a boundary has another shape by now.
   */
  async near(
    boundaries: readonly BoundaryRef[],
    pairs: readonly (readonly [number, number, number | null])[],
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    if (pairs.length === 0) return new Uint8Array(0);
    const lease = await this.bulk(boundaries, signal);
    try {
      const { heap, refs, refEnd } = lease;
      const flat = Float64Array.from(pairs.flatMap(([a, b, meters]) => [a, b, meters ?? -1]));
      return await this.pool.run('near', { heap, refs, refEnd, pairs: flat }, signal);
    } finally {
      lease.release();
    }
  }

  /**
   * Boundaries cut, intersected and widened as a tree says (indexes into `boundaries`), as merge() writes its result.
   * Overlaid by GEOS in the pool on both databases. Cached by content; made once however many ask at once.
   * @throws as merge, and ArcsMoved when a boundary has another shape by now
   */
  async region(
    boundaries: readonly BoundaryRef[],
    tree: RegionTree,
    wanted: { detail: Detail; format: Format; document: Document },
    signal?: AbortSignal,
  ): Promise<Written> {
    const key = digest(['region', boundaries.map(nameOf), tree, wanted]);
    const make: Make<Written> = (stop) =>
      this.withShapes(boundaries, stop, async (lease) => {
        const { heap, conflict } = lease;
        const maxBytes = this.options.maxResponseBytes;
        const task = { heap, boundaries: ringsOf(lease), tree, conflict: Boolean(conflict), ...wanted, maxBytes };
        const result = await this.timed('overlay', () => this.pool.run('region', task, stop));
        this.strategies.overlay++;
        return this.written(result, boundaries.slice(0, 10));
      });
    return this.cache.getOrMake('documents', key, make, signal);
  }

  /**
   * locate() at once, where all shapes are in memory and have few vertices; else null. It waits for no one, and so needs
   * neither a signal nor a lease.
   */
  locateNow(boundaries: readonly BoundaryRef[], x: number, y: number): Int8Array | null {
    const refs: Int32Array[] = [];
    let vertices = 0;
    for (const { id, ringHash } of boundaries) {
      const shape = this.arcs.glance(id, ringHash);
      if (shape === null) return null;
      vertices += shape.vertices;
      refs.push(shape.refs);
    }
    if (vertices > SMALL_LOCATE) return null;
    return this.pool.runSmall('locateIn', { heap: null, boundaries: refs, x, y });
  }

  /**
   * Where a point (1e-7 degrees) lies for each boundary: 1 inside, 0 on the border, -1 outside.
   * @throws ArcsMoved when one of them has another shape by now
   */
  async locate(boundaries: readonly BoundaryRef[], x: number, y: number, signal?: AbortSignal): Promise<Int8Array> {
    if (boundaries.length === 0) return new Int8Array(0);
    return this.following(boundaries, { signal, moved: 'refuse' }, (refs) =>
      this.withShapes(refs, signal, async (lease) => {
        const task = { heap: lease.heap, boundaries: lease.refs, x, y };
        const small = lease.vertices <= SMALL_LOCATE;
        return small ? this.pool.runSmall('locateIn', task) : this.pool.run('locateIn', task, signal);
      }),
    );
  }

  /**
   * The union of each group of boundaries, all at one level and so that they fit each other, as one GeoJSON collection.
   * `members` are those of the collection beside its features. Throws as dissolveAreas does.
   */
  async dissolve(
    boundaries: readonly BoundaryRef[],
    groups: readonly Group[],
    wanted: Pick<DissolveTask, 'detail' | 'level'> & { readonly members: Readonly<Record<string, unknown>> },
    signal?: AbortSignal,
  ): Promise<Written> {
    const result = await this.dissolved(boundaries, groups, wanted, signal);
    if (result.kind === 'areas') throw new Error('a collection was asked for');
    return this.written(result);
  }

  /**
   * The union of each group of boundaries, laid out, all at one level and so that they fit each other. See
   * workers/dissolve.ts.
   * @throws too_large; rate_limited when there is no room for the work; internal_error that names the group and the
   * place when no strategy can vouch for it; ArcsMoved when a boundary has another shape by now
   */
  async dissolveAreas(
    boundaries: readonly BoundaryRef[],
    groups: readonly Group[],
    wanted: Pick<DissolveTask, 'detail' | 'level'>,
    signal?: AbortSignal,
  ): Promise<DissolvedAreas> {
    const result = await this.dissolved(boundaries, groups, { ...wanted, members: null }, signal);
    if (result.kind === 'areas') return result;
    if (result.kind === 'bytes') throw new Error('areas were asked for');
    throw problem(
      'too_large',
      `The areas take at least ${result.bytes} bytes; ${this.options.maxResponseBytes} are allowed.`,
    );
  }

  private async dissolved(
    boundaries: readonly BoundaryRef[],
    groups: readonly Group[],
    wanted: Pick<DissolveTask, 'detail' | 'level' | 'members'>,
    signal?: AbortSignal,
  ): Promise<Exclude<DissolveResult, { kind: 'trouble' }>> {
    const lease = await this.bulk(boundaries, signal);
    try {
      const result = await this.pool.run(
        'dissolve',
        {
          ...wanted,
          heap: lease.heap,
          refs: lease.refs,
          refEnd: lease.refEnd,
          conflicts: lease.conflicts,
          names: groups.map(({ name }) => name),
          ...flatGroups(groups.map(({ members }) => members)),
          maxBytes: this.options.maxResponseBytes,
        },
        signal,
      );
      if (result.kind !== 'trouble') return result;
      const place = `${result.y / 1e7},${result.x / 1e7}`;
      throw problem('internal_error', `No exact result for the group ${result.group}: ${result.reason} near ${place}.`);
    } finally {
      lease.release();
    }
  }

  /**
   * The pairs of a boundary of `a` and one of `b` (places in `boundaries`) that have an area in common. See
   * workers/crosswalk.ts.
   * @throws too_large for more than `maxPairs`; internal_error that names two boundaries when no strategy can vouch for
   * what they have in common; ArcsMoved when a boundary has another shape by now
   */
  async crosswalk(
    boundaries: readonly BoundaryRef[],
    { a, b, maxPairs }: { readonly a: readonly number[]; readonly b: readonly number[]; readonly maxPairs: number },
    signal?: AbortSignal,
  ): Promise<Extract<CrosswalkResult, { kind: 'pairs' }>> {
    const lease = await this.bulk(boundaries, signal);
    try {
      const { heap, refs, refEnd, conflicts } = lease;
      const task = { heap, refs, refEnd, conflicts, a: Uint32Array.from(a), b: Uint32Array.from(b), maxPairs };
      const result = await this.pool.run('crosswalk', task, signal);
      if (result.kind === 'too_large') throw problem('too_large', `More than ${maxPairs} pairs overlap.`);
      if (result.kind === 'pairs') return result;
      const names = result.index.map((i) => defined(boundaries[i]).id).join(' and ');
      throw problem('internal_error', `No exact result for ${names}: ${result.reason}.`);
    } finally {
      lease.release();
    }
  }

  /**
   * The boxes that hold each of some points (x, y of each in 1e-7 degrees), as boxesAt() of kernels/locate_many.ts finds
   * them in a tree of packBoxes().
   */
  boxesAt(
    { tree, boxes }: { readonly tree: ArrayBufferLike | null; readonly boxes: Int32Array },
    points: Int32Array,
    signal?: AbortSignal,
  ): Promise<PerPoint> {
    return this.pool.runPatiently('boxesAt', { tree, boxes, points }, signal);
  }

  /**
   * For each point and each of its candidates (places in `boundaries`), a byte: 1 where the point is inside or on the
   * border, else 0. Waits for room. Throws ArcsMoved when a boundary has another shape by now.
   */
  async locateAmong(
    boundaries: readonly BoundaryRef[],
    points: Int32Array,
    candidates: PerPoint,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    if (boundaries.length === 0) return new Uint8Array(0);
    const lease = await this.bulk(boundaries, signal, true);
    try {
      const { heap, refs, refEnd } = lease;
      return await this.pool.runPatiently('locateAmong', { heap, refs, refEnd, points, candidates }, signal);
    } finally {
      lease.release();
    }
  }

  /** Many shapes at once, some thousands at a time, so that neither a statement nor the thread here is held for long. */
  private async bulk(boundaries: readonly BoundaryRef[], signal?: AbortSignal, patient = false): Promise<BulkLease> {
    if (!patient) this.pool.admit();
    if (!patient && this.loads.waiting >= LOADS_WAITING) throw atCapacity();
    return this.loads.run(async () => {
      const leases: Lease[] = [];
      const release = () => {
        for (const lease of leases.splice(0)) lease.release();
      };
      try {
        for (let from = 0; from < boundaries.length; from += BULK) {
          signal?.throwIfAborted();
          const lease = await this.arcs.load(this.db, boundaries.slice(from, from + BULK), signal);
          leases.push(lease);
          if (lease.heap !== null && boundaries.length > BULK) {
            // Too many for the common heap: all of them in one of their own.
            release();
            leases.push(await this.arcs.load(this.db, boundaries, signal));
            break;
          }
          await setImmediate();
        }
        return { heap: leases[0]?.heap ?? null, ...flatten(leases), release };
      } catch (error) {
        release();
        throw error;
      }
    });
  }

  /**
   * The arcs of a boundary by their ids in the database (negative: walked backward, interior on the left), measured.
   * @throws ArcsMoved when the boundary has another shape by now
   */
  async border(boundary: BoundaryRef, signal?: AbortSignal): Promise<Border & { readonly arcs: Float64Array }> {
    return this.withShapes([boundary], signal, async (lease) => {
      const task = { heap: lease.heap, refs: only(lease.refs) };
      return { ...(await this.pool.run('border', task, signal)), arcs: only(lease.shapes).arcs };
    });
  }

  /** Boxes (west, south, east, north of each, at least one) as a tree in shared memory that Flatbush.from() reads. */
  packBoxes(boxes: Int32Array): Promise<SharedArrayBuffer> {
    return this.pool.runPatiently('packBoxes', { boxes });
  }

  /**
   * The share (0 … 1) of each child's area that lies in its parent: exact on arcs, by an overlay where arcs of the two
   * cross. `db` may be a transaction that has just written the shapes.
   */
  async overlapShares(
    db: Queryable,
    pairs: readonly { readonly child: BoundaryRef; readonly parent: BoundaryRef }[],
  ): Promise<Float64Array> {
    const refs = new Map<string, BoundaryRef>();
    for (const { child, parent } of pairs) refs.set(child.id, child).set(parent.id, parent);
    const index = new Map([...refs.keys()].map((id, i) => [id, i]));
    const lease = await this.arcs.load(db, [...refs.values()]);
    try {
      const numbers = pairs.map(({ child, parent }): [number, number] => [
        defined(index.get(child.id)),
        defined(index.get(parent.id)),
      ]);
      return await this.pool.runPatiently('shares', {
        heap: lease.heap,
        boundaries: ringsOf(lease),
        pairs: Uint32Array.from(numbers.flat()),
        conflicts: Uint8Array.from(numbers, ([child, parent]) => (lease.crossing(child, parent) ? 1 : 0)),
      });
    } finally {
      lease.release();
    }
  }

  /**
   * Where points (1e-7 degrees, multiples of 1/2) lie, each in one of some boundaries, given by its index: 1 inside, 0 on
   * the border, -1 outside. `db` may be a transaction that has just written the shapes.
   */
  async locateAll(
    db: Queryable,
    boundaries: readonly BoundaryRef[],
    points: readonly { readonly boundary: number; readonly x: number; readonly y: number }[],
  ): Promise<Int8Array> {
    const lease = await this.arcs.load(db, boundaries);
    try {
      return await this.pool.runPatiently('locateAll', {
        heap: lease.heap,
        boundaries: lease.refs,
        points: Float64Array.from(points.flatMap(({ boundary, x, y }) => [boundary, x, y])),
      });
    } finally {
      lease.release();
    }
  }

  /**
   * The bytes of a vector tile of boundaries, those first that borders are told by; no bytes when nothing lies in it.
   * Not cached. Throws rate_limited when there is no room for the work, and ArcsMoved when a boundary has another shape
   * by now.
   */
  async tile(
    boundaries: readonly (BoundaryRef & { readonly feature: TileFeature })[],
    frame: TileFrame,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const { bytes } = await this.withShapes(boundaries, signal, (lease) =>
      this.pool.run(
        'tile',
        { heap: lease.heap, boundaries: ringsOf(lease), features: boundaries.map(({ feature }) => feature), frame },
        signal,
      ),
    );
    return bytes;
  }

  /** The same engine for jobs: their tasks wait behind those of all others (GeometryPool.inBackground). */
  inBackground(): Engine {
    return Object.create(this, { pool: { value: this.pool.inBackground() } });
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  /** The overlay: PostGIS where there is a native one, geos-wasm in the pool otherwise. */
  private async overlay(
    named: readonly BoundaryRef[],
    lease: Lease,
    task: Omit<OverlayTask, keyof TaskBase | 'boundaries'>,
    signal?: AbortSignal,
  ): Promise<WriteResult> {
    if (this.db.kind === 'native') {
      const ids = (indexes: readonly number[]) => indexes.map((i) => defined(named[i]).id);
      const values = [ids(task.include), ids(task.exclude)];
      const row = only(await this.db.query(loadQuery('native/overlay'), values, { signal }));
      // PostgreSQL merged what it holds now; kept under the name of what it held before, it would be a wrong answer.
      const now = await this.present(named, signal);
      if (now.some(({ ringHash }, i) => ringHash !== defined(lease.shapes[i]).ringHash))
        throw new ArcsMoved('merged again');
      return this.pool.run('finishOverlay', { ...task, boundaries: [], wkb: new Uint8Array(row.wkb) }, signal);
    }
    return this.pool.run('overlayMerge', { ...task, boundaries: ringsOf(lease) }, signal);
  }

  /**
   * Runs `work` on boundaries, and again where an import moved their arcs meanwhile: on the shapes that they have by
   * then, or not at all where `moved` is 'refuse'.
   */
  private async following<T>(
    boundaries: readonly BoundaryRef[],
    { signal, moved }: { readonly signal?: AbortSignal; readonly moved: Moved },
    work: (refs: readonly BoundaryRef[]) => Promise<T>,
  ): Promise<T> {
    let refs = boundaries;
    for (let tries = 1; ; tries++) {
      try {
        return await work(refs);
      } catch (error) {
        if (!(error instanceof ArcsMoved) || moved === 'refuse' || tries >= MOVED_TRIES) throw error;
        const now = await this.present(refs, signal);
        refs = refs.map((ref, i) => ({ ...ref, ringHash: defined(now[i]).ringHash }));
      }
    }
  }

  /** Bytes that one answer, or one part of a longer one, may have. */
  get maxResponseBytes(): number {
    return this.options.maxResponseBytes;
  }

  /**
   * Runs `work` with the arcs of the boundaries in shared memory. Throws ArcsMoved where there are others by now, and
   * rate_limited when there is no room for the work, unless it is `patient`: a part of an answer that has begun.
   */
  async withShapes<T>(
    boundaries: readonly BoundaryRef[],
    signal: AbortSignal | undefined,
    work: (lease: Lease) => Promise<T>,
    patient = false,
  ): Promise<T> {
    let lease = this.arcs.held(boundaries);
    if (lease === null) {
      // Nothing is fetched for a task that the pool would then refuse.
      if (!patient) this.pool.admit();
      if (!patient && this.loads.waiting >= LOADS_WAITING) throw atCapacity();
      lease = await this.loads.run(async () => {
        signal?.throwIfAborted();
        return this.arcs.load(this.db, boundaries, signal);
      });
    }
    try {
      return await work(lease);
    } finally {
      lease.release();
    }
  }

  private async timed<T>(strategy: Strategy, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.options.onStrategy?.(strategy, (performance.now() - started) / 1000);
    }
  }

  private async present(
    boundaries: readonly BoundaryRef[],
    signal?: AbortSignal,
  ): Promise<{ id: string; ringHash: string }[]> {
    const ids = boundaries.map(({ id }) => id);
    const rows = await this.db.query(loadQuery('ring_hashes'), [ids], { signal });
    const hashes = new Map(rows.map(({ id, ring_hash }) => [id, ring_hash]));
    return ids.map((id) => {
      const ringHash = hashes.get(id);
      if (!ringHash) throw problem('no_geometry', `${id} has lost its polygon meanwhile.`);
      return { id, ringHash };
    });
  }

  private written(result: WriteResult, named: readonly BoundaryRef[] = []): Written {
    if (result.kind === 'too_large') {
      throw problem(
        'too_large',
        `The result takes at least ${result.bytes} bytes; one response holds ${this.options.maxResponseBytes}.`,
      );
    }
    if (result.kind === 'trouble') {
      const place = `${result.y / 1e7},${result.x / 1e7}`;
      throw problem(
        'internal_error',
        `No exact result for ${named.map(({ id }) => id).join(', ')}: ${result.reason} near ${place}.`,
      );
    }
    const { bytes, sha256, level, areaKm2 } = result;
    return { bytes, sha256, level, areaKm2, size: bytes.buffer.byteLength };
  }
}

export { FAR, NEAR } from '../../workers/kernels/nearness.ts';
export type { DissolvedAreas, RegionTree };

/** Boundaries that are merged, by their places in a list. */
export interface Group {
  readonly name: string;
  readonly members: readonly number[];
}

/** How a piece of work is followed: `signal` tells it to stop. */
interface Going {
  readonly signal?: AbortSignal;
  readonly progress?: (message: string) => void;
}

/**
 * What is done where an import has given a boundary another shape than the one that is asked for: go on with that, or
 * refuse it, so that the caller can begin again with all that it knows of the boundary.
 */
export type Moved = 'follow' | 'refuse';

/** What of a boundary decides the shape it has in a document. */
function nameOf({ id, ringHash, adminLevel }: BoundaryRef): string {
  return `${id} ${ringHash} ${adminLevel}`;
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}

/** The rings of each shape of a lease. */
export function ringsOf({ shapes, refs }: Lease): Rings[] {
  return shapes.map(({ ringEnd, polygonEnd }, i) => ({ refs: defined(refs[i]), ringEnd, polygonEnd }));
}

/** Lists of indexes in one array. */
function flatGroups(groups: readonly (readonly number[])[]) {
  const groupEnd = new Uint32Array(groups.length);
  let total = 0;
  groups.forEach((members, g) => {
    total += members.length;
    groupEnd[g] = total;
  });
  const groupMembers = new Uint32Array(total);
  for (const [g, members] of groups.entries()) groupMembers.set(members, defined(groupEnd[g]) - members.length);
  return { groupMembers, groupEnd };
}

/** Every arc may have to be looked for in every other boundary. */
function isSmall({ vertices, refs }: Lease): boolean {
  const arcs = refs.reduce((sum, list) => sum + list.length, 0);
  return vertices + (arcs * arcs) / 16 <= SMALL_DOCUMENT;
}
