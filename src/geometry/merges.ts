import { endClassOf } from '../../workers/arcs/levels.ts';
import { TooManySteps } from '../../workers/cancel.ts';
import type { Detail, Document } from '../../workers/contract.ts';
import type { Format } from '../../workers/formats/registry.ts';
import type { MergeTask } from '../../workers/tasks/merge.ts';
import type { WriteResult } from '../../workers/tasks/written.ts';
import type { Lease } from './arc_leases.ts';
import type { Make } from './cache.ts';
import type { BoundaryRef, MovedPolicy, RenderedDocument, Strategy } from './engine_model.ts';
import type { TaskRunner } from './pool.ts';
import { type DocumentOptions, digest, nameOf, rendered, SMALL_DOCUMENT, timed, type WorkOptions } from './rendered.ts';
import { ringsOf, type ShapeLeases } from './shape_leases.ts';

/** Steps of a merge (mergeBoundaries) that take as long as writing one vertex. */
const STEPS_OF_VERTEX = 64;

/** How a merge is written. `from`: the first strategy to try (tests force the second). */
interface Merged {
  /** Applies only without `level`. */
  readonly detail: Detail | null;
  readonly level?: number | null;
  readonly format: Format;
  readonly document: Document;
  readonly from?: Strategy;
}

/** The boundaries that are merged, and those that are cut away. */
interface Sides {
  readonly include: readonly BoundaryRef[];
  readonly exclude: readonly BoundaryRef[];
}

/** The boundaries of both sides, each once. */
const distinct = ({ include, exclude }: Sides): BoundaryRef[] => [
  ...new Map([...include, ...exclude].map((one) => [nameOf(one), one])).values(),
];

const namesOf = (list: readonly BoundaryRef[]) => [...new Set(list.map(nameOf))].sort();

/** Merges stored boundaries and writes the result. The strategies in order: exact arcs, an overlay, an error. */
export class Merges {
  private readonly shapes: ShapeLeases;
  private readonly tasks: TaskRunner;
  private readonly options: DocumentOptions;

  constructor(shapes: ShapeLeases, tasks: TaskRunner, options: DocumentOptions) {
    this.shapes = shapes;
    this.tasks = tasks;
    this.options = options;
  }

  /**
   * The union of `include` minus the union of `exclude` as a document, at a level (FULL or 0 … 15) or at a detail of its
   * own extent. `document` has the properties that are known before; area_km2, exact, detail, tolerance_m, bbox and
   * digits are computed from the result.
   * Cached by content; concurrent calls share one run.
   * Only the call that makes it reports its progress, as sentences. A small one of shapes in memory is made at once: then
   * the signal of `control` is not read, which would make one.
   * @throws too_large; rate_limited when there is no room for the work; internal_error, naming the boundaries and the
   * place, when no strategy gives an exact result; ArcsMoved as `moved` says
   */
  async merge(
    include: readonly BoundaryRef[],
    exclude: readonly BoundaryRef[],
    wanted: Merged,
    control: WorkOptions = {},
    moved: MovedPolicy = 'follow',
  ): Promise<RenderedDocument> {
    const keyOf = (sides: Sides) => digest([namesOf(sides.include), namesOf(sides.exclude), wanted]);
    const sides = { include, exclude };
    const key = keyOf(sides);
    const { cache } = this.options;
    let wasTried = false;
    const now = cache.makeNow('documents', key, () => {
      const made = this.mergeNow(sides, wanted, control);
      wasTried = made === 'tried';
      return made === 'tried' ? null : made;
    });
    if (now !== null) return now;
    const { signal, progress } = control;
    const all = [...include, ...exclude];
    return this.shapes.following(all, { signal, moved }, (refs) => {
      const own = { include: refs.slice(0, include.length), exclude: refs.slice(include.length) };
      const make: Make<RenderedDocument> = (stop) =>
        this.mergeUncached(own, wanted, { signal: stop, progress, wasTried });
      return cache.getOrMake('documents', refs === all ? key : keyOf(own), make, signal);
    });
  }

  /**
   * A merge that is small enough for the server's thread, of shapes that are in memory and do not cross; else null, or
   * `tried` when the work began.
   */
  private mergeNow(
    sides: Sides,
    wanted: Merged,
    { progress }: Pick<WorkOptions, 'progress'>,
  ): RenderedDocument | 'tried' | null {
    if (wanted.from === 'overlay') return null;
    const named = distinct(sides);
    const lease = this.shapes.leaseNow(named);
    if (lease === null) return null;
    try {
      if (lease.vertices > SMALL_DOCUMENT || lease.conflict) return null;
      const started = performance.now();
      const result = this.mergedHere(this.exactTask(sides, named, wanted, lease), lease);
      if (result === null || result.kind === 'trouble') return 'tried';
      progress?.(`merging ${lease.vertices} vertices`);
      this.options.onStrategy?.('arcs', (performance.now() - started) / 1000);
      this.options.strategies.arcs++;
      return rendered(result, this.options);
    } finally {
      lease.release();
    }
  }

  /** What both strategies of a merge take besides the shapes of `named`. */
  private mergeTask(
    { include, exclude }: Sides,
    named: readonly BoundaryRef[],
    wanted: Merged,
    { heap }: Lease,
  ): Omit<MergeTask, 'boundaries' | 'endClass'> {
    const index = new Map(named.map((one, i) => [nameOf(one), i]));
    const indexes = (list: readonly BoundaryRef[]) => list.map((one) => index.get(nameOf(one)) as number);
    const cut = new Set(indexes(exclude));
    return {
      heap,
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
  }

  /** The task of a merge on exact arcs. */
  private exactTask(sides: Sides, named: readonly BoundaryRef[], wanted: Merged, lease: Lease): MergeTask {
    const endClass = endClassOf(named.map(({ adminLevel }) => adminLevel));
    return { ...this.mergeTask(sides, named, wanted, lease), boundaries: lease.refs, endClass };
  }

  private async mergeUncached(
    sides: Sides,
    wanted: Merged,
    { signal, progress, wasTried }: WorkOptions & { readonly wasTried: boolean },
  ): Promise<RenderedDocument> {
    const named = distinct(sides);
    return this.shapes.withShapes(named, signal, async (lease) => {
      if (!lease.conflict && wanted.from !== 'overlay') {
        progress?.(`merging ${lease.vertices} vertices`);
        const exact = this.exactTask(sides, named, wanted, lease);
        const result = await timed(
          this.options,
          'arcs',
          async () => (wasTried ? null : this.mergedHere(exact, lease)) ?? this.tasks.run('merge', exact, signal),
        );
        if (result.kind !== 'trouble') {
          this.options.strategies.arcs++;
          return rendered(result, this.options);
        }
      }
      progress?.('borders of two sources or dates may cross: overlaying them');
      // GEOS overlays them in the pool on both databases, so that they give the same bytes.
      const overlaid = { ...this.mergeTask(sides, named, wanted, lease), boundaries: ringsOf(lease) };
      const result = await timed(this.options, 'overlay', () => this.tasks.run('overlayMerge', overlaid, signal));
      this.options.strategies.overlay++;
      return rendered(result, this.options, { named, exact: false });
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
}
