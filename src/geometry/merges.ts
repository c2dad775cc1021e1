import { endClassOf } from '../../workers/arcs/levels.ts';
import type { Detail, Document } from '../../workers/contract.ts';
import type { Format } from '../../workers/formats/registry.ts';
import type { KnownUnion, MergeTask } from '../../workers/tasks/merge.ts';
import type { Lease } from './arc_leases.ts';
import type { Make } from './cache.ts';
import type { BoundaryRef, MovedPolicy, RenderedDocument, Strategy } from './engine_model.ts';
import type { TaskRunner } from './pool.ts';
import { type DocumentOptions, digest, makeHere, nameOf, rendered, timed, type WorkOptions } from './rendered.ts';
import { ringsOf, type ShapeLeases } from './shape_leases.ts';

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
  /** Each once, and what names its shape. */
  readonly boundaries: readonly BoundaryRef[];
  readonly names: readonly string[];
  /** Indexes of boundaries, each once. */
  readonly include: readonly number[];
  readonly exclude: readonly number[];
}

function sidesOf(include: readonly BoundaryRef[], exclude: readonly BoundaryRef[]): Sides {
  const boundaries: BoundaryRef[] = [];
  const indexes = new Map<string, number>();
  const indexesOf = (list: readonly BoundaryRef[]): number[] => [
    ...new Set(
      list.map((one) => {
        const name = nameOf(one);
        const index = indexes.get(name) ?? boundaries.push(one) - 1;
        indexes.set(name, index);
        return index;
      }),
    ),
  ];
  return { include: indexesOf(include), exclude: indexesOf(exclude), boundaries, names: [...indexes.keys()] };
}

/** Names a merge by its content, in whatever order it was asked for. */
function keyOf({ include, exclude, names }: Sides, wanted: Merged): string {
  const namesOf = (list: readonly number[]) => list.map((index) => names[index]).sort();
  return digest([namesOf(include), namesOf(exclude), wanted]);
}

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
    const sides = sidesOf(include, exclude);
    const key = keyOf(sides, wanted);
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
      const own = refs === all ? sides : sidesOf(refs.slice(0, include.length), refs.slice(include.length));
      const make: Make<RenderedDocument> = (stop) =>
        this.mergeUncached(own, wanted, { signal: stop, progress, wasTried });
      return cache.getOrMake('documents', refs === all ? key : keyOf(own, wanted), make, signal);
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
    const lease = this.shapes.leaseNow(sides.boundaries);
    if (lease === null) return null;
    try {
      if (lease.conflict) return null;
      const started = performance.now();
      const merged = this.unionNow(sides, lease);
      const task = { ...this.exactTask(sides, wanted, lease), ...(merged && { merged }) };
      const result = makeHere(this.tasks, 'merge', task, lease.vertices);
      if (result === null || result.kind === 'trouble') return 'tried';
      progress?.(`merging ${lease.vertices} vertices`);
      this.options.onStrategy?.('arcs', (performance.now() - started) / 1000);
      this.options.strategies.arcs++;
      return rendered(result, this.options);
    } finally {
      lease.release();
    }
  }

  /** A union of boundaries of one admin_level, when it is known without a merge. */
  private unionNow({ boundaries, exclude }: Sides, lease: Lease): KnownUnion | null {
    const level = boundaries[0]?.adminLevel;
    if (exclude.length > 0 || level === undefined || boundaries.some(({ adminLevel }) => adminLevel !== level))
      return null;
    return this.shapes.unionNow(lease, level);
  }

  /** What both strategies of a merge take besides the shapes of the boundaries. */
  private mergeTask(
    { include, exclude }: Sides,
    wanted: Merged,
    { heap }: Lease,
  ): Omit<MergeTask, 'boundaries' | 'endClass'> {
    const cut = new Set(exclude);
    return {
      heap,
      // Boundaries that are cut away are not merged first: an overlay that moves their border would leave slivers of
      // them.
      include: include.filter((one) => !cut.has(one)),
      exclude,
      detail: wanted.detail,
      level: wanted.level ?? null,
      format: wanted.format,
      document: wanted.document,
      maxBytes: this.options.maxResponseBytes,
    };
  }

  /** The task of a merge on exact arcs. */
  private exactTask(sides: Sides, wanted: Merged, lease: Lease): MergeTask {
    const endClass = endClassOf(sides.boundaries.map(({ adminLevel }) => adminLevel));
    return { ...this.mergeTask(sides, wanted, lease), boundaries: lease.refs, endClass };
  }

  private async mergeUncached(
    sides: Sides,
    wanted: Merged,
    { signal, progress, wasTried }: WorkOptions & { readonly wasTried: boolean },
  ): Promise<RenderedDocument> {
    return this.shapes.withShapes(sides.boundaries, signal, async (lease) => {
      if (!lease.conflict && wanted.from !== 'overlay') {
        progress?.(`merging ${lease.vertices} vertices`);
        const exact = this.exactTask(sides, wanted, lease);
        const result = await timed(
          this.options,
          'arcs',
          async () =>
            (wasTried ? null : makeHere(this.tasks, 'merge', exact, lease.vertices)) ??
            this.tasks.run('merge', exact, signal),
        );
        if (result.kind !== 'trouble') {
          this.options.strategies.arcs++;
          return rendered(result, this.options);
        }
      }
      progress?.('borders of two sources or dates may cross: overlaying them');
      // GEOS overlays them in the pool on both databases, so that they give the same bytes.
      const overlaid = { ...this.mergeTask(sides, wanted, lease), boundaries: ringsOf(lease) };
      const result = await timed(this.options, 'overlay', () => this.tasks.run('overlayMerge', overlaid, signal));
      this.options.strategies.overlay++;
      return rendered(result, this.options, { named: sides.boundaries, exact: false });
    });
  }
}
