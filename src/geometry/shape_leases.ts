import { setImmediate } from 'node:timers/promises';
import type { Rings } from '../../workers/contract.ts';
import type { KnownUnion } from '../../workers/tasks/merge.ts';
import { defined } from '../common/elements.ts';
import { Semaphore } from '../common/semaphore.ts';
import { atCapacity, problem } from '../core/errors.ts';
import type { Database } from '../db/connect.ts';
import { loadQuery } from '../db/query.ts';
import { ArcsMoved, arrangementOf, type BulkLease, flatten, type Lease } from './arc_leases.ts';
import type { ArcStore } from './arcs.ts';
import { Contractions } from './contractions.ts';
import type { BoundaryRef, MovedPolicy } from './engine_model.ts';
import type { TaskRunner } from './pool.ts';

const MOVED_TRIES = 5;

/** Limit of requests that load arcs from the database at once: each may hold as much memory as the largest request. */
const LOADS = 4;

const LOADS_WAITING = 512;

/** Shapes of a large request that are loaded together: their arcs take one turn of the main thread. */
const BULK = 1_000;

/** A shape: that of a boundary with this ring_hash. */
export type ShapeRef = Pick<BoundaryRef, 'id' | 'arrangement' | 'ringHash'>;

/** What leases of shapes need: where shapes are stored, the arcs in memory, and the tasks that read them. */
export interface ShapeSource {
  readonly db: Database;
  readonly arcs: ArcStore;
  readonly tasks: TaskRunner;
  /** Limits the requests that load arcs at once. */
  readonly loads: Semaphore;
}

/** The semaphore of ShapeSource. */
export const loadSemaphore = (): Semaphore => new Semaphore(LOADS);

/** Leases shapes of stored boundaries: their arcs stay in shared memory until a task has read them. */
export class ShapeLeases {
  private readonly db: Database;
  private readonly arcs: ArcStore;
  private readonly tasks: TaskRunner;
  private readonly loads: Semaphore;
  private readonly contractions: Contractions;

  constructor({ db, arcs, tasks, loads }: ShapeSource) {
    this.db = db;
    this.arcs = arcs;
    this.tasks = tasks;
    this.loads = loads;
    this.contractions = new Contractions(arcs.heap.heap.table);
  }

  /** Leases many shapes, some thousands at a time, so that neither a statement nor this thread is occupied for long. */
  async leaseMany(boundaries: readonly ShapeRef[], signal?: AbortSignal, patient = false): Promise<BulkLease> {
    if (!patient) this.tasks.admit();
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
            // Too many for the common heap: load all of them into a private one.
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
   * Runs `work` on boundaries, and again when an import changed their arcs meanwhile: on the shapes that they have by
   * then. If `moved` is 'refuse', it throws ArcsMoved instead.
   */
  async following<T>(
    boundaries: readonly BoundaryRef[],
    { signal, moved }: { readonly signal?: AbortSignal; readonly moved: MovedPolicy },
    work: (refs: readonly BoundaryRef[]) => Promise<T>,
  ): Promise<T> {
    let refs = boundaries;
    for (let tries = 1; ; tries++) {
      try {
        return await work(refs);
      } catch (error) {
        if (!(error instanceof ArcsMoved) || moved === 'refuse' || tries >= MOVED_TRIES) throw error;
        const now = await this.currentHashes(refs, signal);
        refs = refs.map((ref, i) => ({ ...ref, ringHash: defined(now[i]).ringHash }));
      }
    }
  }

  /**
   * Runs `work` with the arcs of the boundaries in shared memory. `patient`, for a part of an answer that has begun,
   * waits for room instead of being refused.
   * @throws ArcsMoved when the boundaries have other arcs by now; rate_limited when there is no room for the work
   */
  async withShapes<T>(
    boundaries: readonly BoundaryRef[],
    signal: AbortSignal | undefined,
    work: (lease: Lease) => Promise<T>,
    patient = false,
  ): Promise<T> {
    let lease = this.arcs.leaseIfCached(boundaries);
    if (lease === null) {
      // Fetch nothing for a task that the pool would then refuse.
      if (!patient) this.tasks.admit();
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

  /** A lease of shapes that are all in memory, without waiting; else null. Call its release() as soon as they are read. */
  leaseNow(boundaries: readonly ShapeRef[]): Lease | null {
    return this.arcs.leaseIfCached(boundaries);
  }

  /** The union of the shapes of a lease of leaseNow(), all of one admin_level, as Contractions gives it. */
  unionNow(lease: Lease, level: number | null): KnownUnion | null {
    return this.contractions.union(lease, this.arcs.heap.epoch, level);
  }

  private async currentHashes(
    boundaries: readonly BoundaryRef[],
    signal?: AbortSignal,
  ): Promise<{ ringHash: string }[]> {
    const hashes = new Map<string, string>();
    for (const arrangement of new Set(boundaries.map(arrangementOf))) {
      const ids = boundaries.filter((one) => arrangementOf(one) === arrangement).map(({ id }) => id);
      const rows = await this.db.query(loadQuery('ring_hashes'), [ids, arrangement], { signal });
      for (const { id, ring_hash } of rows) hashes.set(`${arrangement} ${id}`, ring_hash);
    }
    return boundaries.map((one) => {
      const ringHash = hashes.get(`${arrangementOf(one)} ${one.id}`);
      if (!ringHash) throw problem('no_geometry', `${one.id} no longer has a polygon.`);
      return { ringHash };
    });
  }
}

/** The rings of each shape of a lease. */
export function ringsOf({ shapes, refs }: Lease): Rings[] {
  return shapes.map(({ ringEnd, polygonEnd }, i) => ({ refs: defined(refs[i]), ringEnd, polygonEnd }));
}
