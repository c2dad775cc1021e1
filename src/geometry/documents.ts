import { createHash } from 'node:crypto';
import { endClassOf } from '../../workers/arcs/levels.ts';
import type { Lines } from '../../workers/arcs/tagged_lines.ts';
import type { TileFrame } from '../../workers/arcs/tile.ts';
import { TooManySteps } from '../../workers/cancel.ts';
import type { Detail, Document, RegionTree } from '../../workers/contract.ts';
import type { Format } from '../../workers/formats/registry.ts';
import { packFeatures, packRings, type TileFeature, type WaterPart } from '../../workers/packed_tile.ts';
import type { DissolvedAreas, DissolveResult, DissolveTask } from '../../workers/tasks/dissolve.ts';
import type { MergeTask } from '../../workers/tasks/merge.ts';
import type { WriteResult } from '../../workers/tasks/written.ts';
import { PRESENT } from '../common/arrangements.ts';
import { defined, only } from '../common/elements.ts';
import { problem } from '../core/errors.ts';
import type { Lease } from './arc_leases.ts';
import type { Make } from './cache.ts';
import type { BoundaryRef, EngineOptions, Group, MovedPolicy, RenderedDocument, Strategy } from './engine_model.ts';
import type { TaskRunner } from './pool.ts';
import { ringsOf, type ShapeLeases } from './shape_leases.ts';

/**
 * Limit of the vertices of a document that the server's own thread writes, without a worker: it takes about a
 * millisecond there (see benchmarks/kernels/handover.ts).
 */
const SMALL_DOCUMENT = 4_000;
/** Steps of a merge (mergeBoundaries) that take as long as writing one vertex. */
const STEPS_OF_VERTEX = 64;

/** What documents are made with, besides leases of shapes. */
export interface DocumentOptions extends Pick<EngineOptions, 'cache' | 'maxResponseBytes' | 'onStrategy'> {
  /** Counts results by strategy. */
  readonly strategies: Record<Strategy, number>;
}

/**
 * Writes stored boundaries, and what is made of them, as documents and tiles. The strategies of a merge in order: exact
 * arcs, then an overlay on the integer grid, then an error.
 */
export class Documents {
  private readonly shapes: ShapeLeases;
  private readonly tasks: TaskRunner;
  private readonly options: DocumentOptions;

  constructor(shapes: ShapeLeases, tasks: TaskRunner, options: DocumentOptions) {
    this.shapes = shapes;
    this.tasks = tasks;
    this.options = options;
  }

  /**
   * One boundary at a level (FULL or 0 … 15) as a document. Cached by content; concurrent calls share one run.
   * @throws too_large when the document would exceed MAX_RESPONSE_BYTES; rate_limited when there is no room for the
   * work; ArcsMoved as `moved` says
   */
  async render(
    boundary: BoundaryRef,
    level: number,
    format: Format,
    document: Document,
    signal?: AbortSignal,
    moved: MovedPolicy = 'follow',
  ): Promise<RenderedDocument> {
    return this.shapes.following([boundary], { signal, moved }, (refs) => {
      const ref = only(refs);
      const key = `${nameOf(ref)} ${level} ${format} ${digest(document)}`;
      const make: Make<RenderedDocument> = (stop) =>
        this.shapes.withShapes([ref], stop, async (lease) => {
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
          return this.written(small ? this.tasks.runSmall('render', task) : await this.tasks.run('render', task, stop));
        });
      return this.options.cache.getOrMake('documents', key, make, signal);
    });
  }

  /**
   * The union of `include` minus the union of `exclude` as a document, at a level (FULL or 0 … 15) or at a detail of its
   * own extent. `document` has the properties that are known before; area_km2, exact, detail, tolerance_m, bbox and
   * digits are computed from the result.
   * Cached by content; concurrent calls share one run.
   * Only the call that makes it reports `progress`, as sentences.
   * @throws too_large; rate_limited when there is no room for the work; internal_error, naming the boundaries and the
   * place, when no strategy gives an exact result; ArcsMoved as `moved` says
   */
  async merge(
    include: readonly BoundaryRef[],
    exclude: readonly BoundaryRef[],
    wanted: Merged,
    signal?: AbortSignal,
    progress?: (message: string) => void,
    moved: MovedPolicy = 'follow',
  ): Promise<RenderedDocument> {
    const names = (list: readonly BoundaryRef[]) => [...new Set(list.map(nameOf))].sort();
    return this.shapes.following([...include, ...exclude], { signal, moved }, (refs) => {
      const [wholes, cuts] = [refs.slice(0, include.length), refs.slice(include.length)];
      const key = digest([names(wholes), names(cuts), wanted]);
      const make: Make<RenderedDocument> = (stop) =>
        this.mergeUncached(wholes, cuts, wanted, { signal: stop, progress });
      return this.options.cache.getOrMake('documents', key, make, signal);
    });
  }

  private async mergeUncached(
    include: readonly BoundaryRef[],
    exclude: readonly BoundaryRef[],
    wanted: Merged,
    { signal, progress }: WorkOptions,
  ): Promise<RenderedDocument> {
    const named = [...new Map([...include, ...exclude].map((one) => [nameOf(one), one])).values()];
    const index = new Map(named.map((one, i) => [nameOf(one), i]));
    const indexes = (list: readonly BoundaryRef[]) => list.map((one) => index.get(nameOf(one)) as number);
    const cut = new Set(indexes(exclude));
    return this.shapes.withShapes(named, signal, async (lease) => {
      const task = {
        heap: lease.heap,
        // Boundaries that are cut away are not merged first: an overlay that moves their border would leave slivers of
        // them.
        include: indexes(include).filter((one) => !cut.has(one)),
        exclude: [...cut],
        detail: wanted.detail,
        level: wanted.level ?? null,
        format: wanted.format,
        document: wanted.document,
        maxBytes: this.options.maxResponseBytes,
      };
      if (!lease.conflict && wanted.from !== 'overlay') {
        const endClass = endClassOf(named.map(({ adminLevel }) => adminLevel));
        progress?.(`merging ${lease.vertices} vertices`);
        const exact: MergeTask = { ...task, boundaries: lease.refs, endClass };
        const result = await this.timed(
          'arcs',
          async () => this.mergedHere(exact, lease) ?? this.tasks.run('merge', exact, signal),
        );
        if (result.kind !== 'trouble') {
          this.options.strategies.arcs++;
          return this.written(result);
        }
      }
      progress?.('borders of two sources or dates may cross: overlaying them');
      // GEOS overlays them in the pool on both databases, so that they give the same bytes.
      const overlaid = { ...task, boundaries: ringsOf(lease) };
      const result = await this.timed('overlay', () => this.tasks.run('overlayMerge', overlaid, signal));
      this.options.strategies.overlay++;
      return this.written(result, { named, exact: false });
    });
  }

  /** The result of a merge that is small enough for the server's thread; null if it is not. */
  private mergedHere(task: MergeTask, { vertices }: Lease): WriteResult | null {
    const mostSteps = STEPS_OF_VERTEX * (SMALL_DOCUMENT - vertices);
    if (mostSteps < 0) return null;
    try {
      return this.tasks.runSmall('merge', { ...task, mostSteps });
    } catch (error) {
      if (error instanceof TooManySteps) return null;
      throw error;
    }
  }

  /**
   * Boundaries cut, intersected and widened as a tree says (indexes into `boundaries`), written as merge() writes its
   * result. GEOS overlays them in the pool, on both databases. Cached by content; concurrent calls share one run.
   * @throws as merge, and ArcsMoved when a boundary has another shape by now
   */
  async region(
    boundaries: readonly BoundaryRef[],
    tree: RegionTree,
    wanted: { detail: Detail; format: Format; document: Document },
    signal?: AbortSignal,
  ): Promise<RenderedDocument> {
    const key = digest(['region', boundaries.map(nameOf), tree, wanted]);
    const make: Make<RenderedDocument> = (stop) =>
      this.shapes.withShapes(boundaries, stop, async (lease) => {
        const { heap, conflict } = lease;
        const maxBytes = this.options.maxResponseBytes;
        const task = {
          heap,
          boundaries: ringsOf(lease),
          tree,
          conflict: Boolean(conflict),
          level: null,
          ...wanted,
          maxBytes,
        };
        const result = await this.timed('overlay', () => this.tasks.run('region', task, stop));
        this.options.strategies.overlay++;
        return this.written(result, { named: boundaries.slice(0, 10), exact: false });
      });
    return this.options.cache.getOrMake('documents', key, make, signal);
  }

  /**
   * The union of each group of boundaries as one GeoJSON collection, all at one level so that they fit each other.
   * `members` are the members of the collection besides its features.
   * @throws as dissolveAreas()
   */
  async dissolve(
    boundaries: readonly BoundaryRef[],
    groups: readonly Group[],
    wanted: Pick<DissolveTask, 'detail' | 'level' | 'landKm2'> & {
      readonly members: Readonly<Record<string, unknown>>;
    },
    signal?: AbortSignal,
  ): Promise<RenderedDocument> {
    const result = await this.dissolved(boundaries, groups, wanted, signal);
    if (result.kind === 'areas') throw new Error('a collection was asked for');
    return this.written(result);
  }

  /**
   * The union of each group of boundaries, with coordinates, all at one level so that they fit each other. See
   * workers/tasks/dissolve.ts.
   * @throws too_large; rate_limited when there is no room for the work; internal_error, naming the group and the place,
   * when no strategy gives an exact result; ArcsMoved when a boundary has another shape by now
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
      `The areas take at least ${result.bytes} bytes; the limit is ${this.options.maxResponseBytes}. Ask for lower detail.`,
    );
  }

  private async dissolved(
    boundaries: readonly BoundaryRef[],
    groups: readonly Group[],
    wanted: Pick<DissolveTask, 'detail' | 'level' | 'members' | 'landKm2'>,
    signal?: AbortSignal,
  ): Promise<Exclude<DissolveResult, { kind: 'trouble' }>> {
    const lease = await this.shapes.leaseMany(boundaries, signal);
    try {
      const result = await this.tasks.run(
        'dissolve',
        {
          ...wanted,
          heap: lease.heap,
          refs: lease.refs,
          refEnd: lease.refEnd,
          conflicts: lease.conflicts,
          arrangements: lease.arrangements,
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
   * The bytes of a vector tile of boundaries; none when it is empty. A shared border is drawn with the level of the
   * first boundary that has it, so the highest in the hierarchy come first. Not cached.
   * @param maritime borders that the map marks as ones at sea, around the tile
   * @throws rate_limited when there is no room for the work; ArcsMoved when a boundary has another shape by now
   */
  async tile(
    boundaries: readonly DrawnBoundary[],
    frame: TileFrame,
    maritime: Lines,
    signal?: AbortSignal,
  ): Promise<Uint8Array> {
    const waters = boundaries.flatMap(({ water }) => (typeof water === 'string' ? [] : [water]));
    const { bytes } = await this.shapes.withShapes([...boundaries, ...waters], signal, (lease) =>
      this.tasks.run(
        'tile',
        {
          heap: lease.heap,
          boundaries: packRings(ringsOf(lease).slice(0, boundaries.length)),
          waters: packRings(ringsOf(lease).slice(boundaries.length)),
          features: packFeatures(
            boundaries.map(({ feature, water }) => ({ ...feature, water: typeof water === 'string' ? water : 'part' })),
          ),
          frame,
          maritime,
        },
        signal,
      ),
    );
    return bytes;
  }

  private async timed<T>(strategy: Strategy, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      return await work();
    } finally {
      this.options.onStrategy?.(strategy, (performance.now() - started) / 1000);
    }
  }

  private written(
    result: WriteResult,
    { named = [], exact = true }: { readonly named?: readonly BoundaryRef[]; readonly exact?: boolean } = {},
  ): RenderedDocument {
    if (result.kind === 'too_large') {
      throw problem(
        'too_large',
        `The result takes at least ${result.bytes} bytes; the limit is ${this.options.maxResponseBytes}. Ask for lower detail.`,
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
    return { bytes, sha256, level, areaKm2, exact, size: bytes.buffer.byteLength };
  }
}

export type { DissolvedAreas, RegionTree };

/** How a merge is written. `from`: the first strategy to try (tests force the second). */
interface Merged {
  /** Applies only without `level`. */
  readonly detail: Detail | null;
  readonly level?: number | null;
  readonly format: Format;
  readonly document: Document;
  readonly from?: Strategy;
}

/** A boundary of a tile: its attributes, and how much of it is water, or that part of it. */
export interface DrawnBoundary extends BoundaryRef {
  readonly feature: Omit<TileFeature, 'water'>;
  readonly water: Exclude<WaterPart, 'part'> | BoundaryRef;
}

/** How work is controlled: `signal` aborts it, `progress` receives its reports. */
interface WorkOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (message: string) => void;
}

/** Everything about a boundary that determines its shape in a document. */
function nameOf({ id, arrangement = PRESENT, ringHash, adminLevel }: BoundaryRef): string {
  return `${id} ${arrangement} ${ringHash} ${adminLevel}`;
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
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
