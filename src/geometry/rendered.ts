import { hash } from 'node:crypto';
import type { WriteResult } from '../../workers/tasks/written.ts';
import { PRESENT } from '../common/arrangements.ts';
import { problem } from '../core/errors.ts';
import type { BoundaryRef, EngineOptions, RenderedDocument, Strategy } from './engine_model.ts';

/**
 * Limit of the vertices of a document that the server's own thread writes, without a worker: it takes about a
 * millisecond there (see benchmarks/kernels/handover.ts).
 */
export const SMALL_DOCUMENT = 4_000;

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
