import { endClassOf } from '../../workers/arcs/levels.ts';
import type { Lines } from '../../workers/arcs/tagged_lines.ts';
import type { TileFrame } from '../../workers/arcs/tile.ts';
import type { Detail, Document, RegionTree } from '../../workers/contract.ts';
import type { Format } from '../../workers/formats/registry.ts';
import { packFeatures, packRings, type TileFeature, type WaterPart } from '../../workers/packed_tile.ts';
import type { DissolvedAreas, DissolveResult, DissolveTask } from '../../workers/tasks/dissolve.ts';
import type { RenderTask } from '../../workers/tasks/render.ts';
import { defined, only } from '../common/elements.ts';
import { problem } from '../core/errors.ts';
import type { Lease } from './arc_leases.ts';
import type { Make } from './cache.ts';
import type { BoundaryRef, Group, MovedPolicy, RenderedDocument } from './engine_model.ts';
import { Merges } from './merges.ts';
import type { TaskRunner } from './pool.ts';
import { type DocumentOptions, digest, makeHere, nameOf, rendered, timed } from './rendered.ts';
import { ringsOf, type ShapeLeases } from './shape_leases.ts';

/**
 * Writes stored boundaries, and what is made of them, as documents and tiles. The strategies of a merge in order: exact
 * arcs, then an overlay on the integer grid, then an error.
 */
export class Documents {
  private readonly shapes: ShapeLeases;
  private readonly tasks: TaskRunner;
  private readonly options: DocumentOptions;
  private readonly merges: Merges;

  constructor(shapes: ShapeLeases, tasks: TaskRunner, options: DocumentOptions) {
    this.shapes = shapes;
    this.tasks = tasks;
    this.options = options;
    this.merges = new Merges(shapes, tasks, options);
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
          const task = this.renderTask(lease, ref, level, format, document);
          const here = makeHere(this.tasks, 'render', task, lease.vertices);
          return rendered(here ?? (await this.tasks.run('render', task, stop)), this.options);
        });
      return this.options.cache.getOrMake('documents', key, make, signal);
    });
  }

  /**
   * What render() writes, at once and not cached, when the shape is in memory and small; else null. Writing it again takes
   * less time than looking it up by the hash of its properties.
   * @throws too_large as render()
   */
  renderNow(ref: BoundaryRef, level: number, format: Format, document: Document): RenderedDocument | null {
    const lease = this.shapes.leaseNow([ref]);
    if (lease === null) return null;
    try {
      const task = this.renderTask(lease, ref, level, format, document);
      const here = makeHere(this.tasks, 'render', task, lease.vertices);
      return here && rendered(here, this.options);
    } finally {
      lease.release();
    }
  }

  private renderTask(lease: Lease, ref: BoundaryRef, level: number, format: Format, document: Document): RenderTask {
    return {
      heap: lease.heap,
      rings: only(ringsOf(lease)),
      level,
      endClass: endClassOf([ref.adminLevel]),
      format,
      document,
      maxBytes: this.options.maxResponseBytes,
    };
  }

  /** As Merges.merge(). */
  merge(...asked: Parameters<Merges['merge']>): Promise<RenderedDocument> {
    return this.merges.merge(...asked);
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
        const result = await timed(this.options, 'overlay', () => this.tasks.run('region', task, stop));
        this.options.strategies.overlay++;
        return rendered(result, this.options, { named: boundaries.slice(0, 10), exact: false });
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
    return rendered(result, this.options);
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
}

export type { DissolvedAreas, RegionTree };

/** A boundary of a tile: its attributes, and how much of it is water, or that part of it. */
export interface DrawnBoundary extends BoundaryRef {
  readonly feature: Omit<TileFeature, 'water'>;
  readonly water: Exclude<WaterPart, 'part'> | BoundaryRef;
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
