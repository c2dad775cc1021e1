import { hash } from 'node:crypto';
import { TooManySteps } from '../../workers/cancel.ts';
import { FULL } from '../../workers/contract.ts';
import type { TaskInput } from '../../workers/tasks/index.ts';
import type { WriteResult } from '../../workers/tasks/written.ts';
import { PRESENT } from '../common/arrangements.ts';
import { problem } from '../core/errors.ts';
import type { BoundaryRef, EngineOptions, RenderedDocument, Strategy } from './engine_model.ts';
import type { TaskRunner } from './pool.ts';

/**
 * Limit of the vertices of a document that the server's own thread writes, without a worker: it takes about a third of a
 * millisecond there, and the way to a worker and back takes about as long (see benchmarks/kernels/handover.ts).
 */
const SMALL_DOCUMENT = 8_000;

/**
 * Limit of the vertices at full detail from which the server's own thread picks those of a level: a third of a
 * millisecond at four vertices a look.
 */
const MOST_READ = 1 << 18;

/**
 * Most work of a document in the server's thread: the vertices written, and the steps of a merge (mergeBoundaries), of
 * which 32 take as long as writing a vertex.
 */
const MOST_HERE = { vertices: SMALL_DOCUMENT, steps: 32 * SMALL_DOCUMENT };

/** The same at full detail, where all vertices but those of borders within are written. */
const MOST_READ_FULL = 4 * SMALL_DOCUMENT;

/** A document that the server's thread makes of shapes of so many vertices; null when a worker has to make it. */
export function makeHere<K extends 'render' | 'merge'>(
  tasks: TaskRunner,
  name: K,
  task: TaskInput<K>,
  vertices: number,
): WriteResult | null {
  const isFull = task.level === FULL || ('detail' in task && task.level === null && task.detail === 'full');
  if (vertices > (isFull ? MOST_READ_FULL : MOST_READ)) return null;
  try {
    return tasks.runSmall(name, { ...task, most: MOST_HERE });
  } catch (error) {
    if (error instanceof TooManySteps) return null;
    throw error;
  }
}

/** What documents are made with, besides leases of shapes. */
export interface DocumentOptions extends Pick<EngineOptions, 'cache' | 'maxResponseBytes' | 'onStrategy'> {
  /** Counts results by strategy. */
  readonly strategies: Record<Strategy, number>;
}

/** How work is controlled: `signal` aborts it, `progress` receives its reports. */
export interface WorkOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (message: string) => void;
}

/** Runs a strategy and reports the seconds that it took. */
export async function timed<T>(
  { onStrategy }: Pick<DocumentOptions, 'onStrategy'>,
  strategy: Strategy,
  work: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } finally {
    onStrategy?.(strategy, (performance.now() - started) / 1000);
  }
}

/** The document that a task wrote. @throws too_large; internal_error, naming the boundaries and the place of trouble */
export function rendered(
  result: WriteResult,
  { maxResponseBytes }: Pick<DocumentOptions, 'maxResponseBytes'>,
  { named = [], exact = true }: { readonly named?: readonly BoundaryRef[]; readonly exact?: boolean } = {},
): RenderedDocument {
  if (result.kind === 'too_large') {
    throw problem(
      'too_large',
      `The result takes at least ${result.bytes} bytes; the limit is ${maxResponseBytes}. Ask for lower detail.`,
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

/** Everything about a boundary that determines its shape in a document. */
export function nameOf({ id, arrangement = PRESENT, ringHash, adminLevel }: BoundaryRef): string {
  return `${id} ${arrangement} ${ringHash} ${adminLevel}`;
}

/** A name of a value that is made of plain data. */
export function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'base64url');
}
