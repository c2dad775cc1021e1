import type { Database } from '../db/connect.ts';
import { ArcStore } from './arcs.ts';
import { Documents } from './documents.ts';
import type { EngineOptions, Strategy } from './engine_model.ts';
import { PointLocation } from './point_location.ts';
import { GeometryPool, type TaskRunner } from './pool.ts';
import { loadSemaphore, ShapeLeases } from './shape_leases.ts';
import { SpatialRelations } from './spatial_relations.ts';

/** What an engine and that of jobs have in common. */
interface Resources {
  readonly arcs: ArcStore;
  readonly pool: GeometryPool;
  readonly loads: ReturnType<typeof loadSemaphore>;
  readonly strategies: Record<Strategy, number>;
}

function createResources(options: EngineOptions): Resources {
  const arcs = new ArcStore(options.arcBytes);
  const { buffer, vertices, slots, table } = arcs.heap.heap;
  const { threads, maxQueue, onTimes } = options;
  const pool = new GeometryPool({ threads, heap: { buffer, vertices, slots }, common: table, maxQueue, onTimes });
  return { arcs, pool, loads: loadSemaphore(), strategies: { arcs: 0, overlay: 0 } };
}

/** Geometry over stored boundaries: its parts by subject, and the memory and threads that they work with. */
export class Engine {
  /** Shapes in shared memory, for tasks that no other part has. */
  readonly shapes: ShapeLeases;
  readonly points: PointLocation;
  readonly relations: SpatialRelations;
  readonly documents: Documents;
  /** Runs the tasks of this engine: in the threads of calls, or in those of jobs. */
  readonly tasks: TaskRunner;
  readonly arcs: ArcStore;
  readonly pool: GeometryPool;
  /** Number of results by strategy. */
  readonly strategies: Readonly<Record<Strategy, number>>;
  private readonly db: Database;
  private readonly options: EngineOptions;
  private readonly resources: Resources;

  /** Starts threads of its own; only inBackground() gives `resources` and `tasks`. */
  constructor(db: Database, options: EngineOptions, resources = createResources(options), tasks?: TaskRunner) {
    const { arcs, pool, loads, strategies } = resources;
    this.db = db;
    this.options = options;
    this.resources = resources;
    this.arcs = arcs;
    this.pool = pool;
    this.strategies = strategies;
    this.tasks = tasks ?? pool;
    this.shapes = new ShapeLeases({ db, arcs, tasks: this.tasks, loads });
    this.points = new PointLocation(this.shapes, arcs, this.tasks);
    this.relations = new SpatialRelations(this.shapes, arcs, this.tasks);
    this.documents = new Documents(this.shapes, this.tasks, { ...options, strategies });
  }

  /** The same engine for jobs: its tasks run in threads of low priority (GeometryPool.inBackground). */
  inBackground(): Engine {
    return new Engine(this.db, this.options, this.resources, this.pool.inBackground());
  }

  /** The same engine over another database, such as one that reads as of a date. */
  over(db: Database): Engine {
    return new Engine(db, this.options, this.resources, this.tasks);
  }

  /** Limit of one answer, or of one part of a longer one, in bytes. */
  get maxResponseBytes(): number {
    return this.options.maxResponseBytes;
  }

  /** Stops the threads. Running tasks fail. */
  async close(): Promise<void> {
    await this.pool.close();
  }
}
