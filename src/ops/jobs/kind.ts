import type { z } from 'zod';
import type { JobPart } from '../../domain/job_states.ts';
import { type FailedBoundary, MOST_IN_JOB } from '../../domain/jobs_model.ts';
import type { FileFormat } from '../../file_formats.ts';
import type { AnyOp, Context } from '../../op.ts';
import type { Detail } from '../../schemas.ts';
import { holder } from '../account/api_key.ts';

/** A part of a job, and how many boundaries it has. */
export interface PlannedPart extends JobPart {
  readonly boundaries: number;
}

/**
 * How a job is done, of one state of the data. Parts are made one after the other, each of bytes that are kept until all
 * are there, and then put together. A process that takes up the job plans it again: on the same revision it comes to
 * the same parts.
 */
export interface JobPlan {
  readonly revision: number;
  /** Boundaries. */
  readonly total: number;
  /** What all of it costs. */
  readonly units: number;
  readonly file: { readonly format: FileFormat; readonly detail: Detail | null };
  readonly parts: readonly PlannedPart[];
  /** Selected boundaries that are known not to be in the file. */
  readonly leftOut: readonly FailedBoundary[];
  /**
   * Makes a part; what it returns at the end is kept with it as JSON. Throws DataMoved and ArcsMoved when the data has
   * changed, MemberTooLarge for a boundary that has to be left out: it is then made again, with that among `failed`.
   */
  make(part: JobPart, failed: ReadonlySet<string>, signal: AbortSignal): AsyncGenerator<Uint8Array, unknown, undefined>;
  /** The file, of the bytes of all parts in order and of what was kept with each. */
  join(
    parts: AsyncIterable<Uint8Array>,
    abouts: readonly unknown[],
    failed: ReadonlySet<string>,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined>;
  /** Units of what was made, where so many boundaries failed. */
  unitsWithout(failed: number): number;
  /** Bytes of the file and milliseconds that it takes, roughly. */
  estimate(signal: AbortSignal): Promise<{ readonly bytes: number; readonly ms: number }>;
}

/** An operation whose answer a job can make. */
export interface JobKind {
  readonly op: AnyOp;
  /** Its input, which may hold more than that of one call. */
  readonly input: z.ZodObject;
  /** Throws what the operation throws before it begins. */
  plan(ctx: Context, input: z.output<z.ZodObject>): Promise<JobPlan>;
  /** What the file is called unless its creator says. */
  nameOf(input: z.output<z.ZodObject>): string;
}

/** Boundaries that a job of the caller may have. */
export async function mostFor(ctx: Context): Promise<number> {
  const { org } = holder(ctx.caller);
  const { plans } = await ctx.services.billing.plans();
  return Math.min(MOST_IN_JOB, plans.find(({ id }) => id === org.plan)?.batch_size ?? MOST_IN_JOB);
}
