import type { z } from 'zod';
import type { FileFormat } from '../../../workers/formats/registry.ts';
import { recordedInput } from '../../core/dated.ts';
import { asOfInput } from '../../core/dated_input.ts';
import type { AnyOp, Context } from '../../core/op.ts';
import type { Detail } from '../../core/schemas.ts';
import { withSets } from '../../core/with_sets.ts';
import type { Queryable } from '../../db/connect.ts';
import type { SelectionLimit } from '../../domain/boundaries/selection.ts';
import { type FailedBoundary, MOST_IN_JOB } from '../../domain/jobs/job.ts';
import type { JobPart } from '../../domain/jobs/states.ts';
import { holder } from '../account/api_key.ts';

/** A part of a job, and its number of boundaries. */
export interface PlannedPart extends JobPart {
  readonly boundaries: number;
}

/**
 * How a job is done on one state of the data. Parts are made one after the other; their bytes are stored until all are
 * there, and then joined. A process that takes over the job plans it again, which gives the same parts on the same
 * revision.
 */
export interface JobPlan {
  readonly revision: number;
  /** Number of boundaries. */
  readonly total: number;
  /** Units of the whole job. */
  readonly units: number;
  readonly file: { readonly format: FileFormat; readonly detail: Detail | null };
  readonly parts: readonly PlannedPart[];
  /** Selected boundaries that are known to be missing from the file. */
  readonly leftOut: readonly FailedBoundary[];
  /**
   * Makes a part; its return value is stored with it as JSON.
   * @throws DataMoved and ArcsMoved when the data has changed; MemberTooLarge for a boundary that must be left out: the
   * part is then made again, with that boundary in `failed`
   */
  make(part: JobPart, failed: ReadonlySet<string>, signal: AbortSignal): AsyncGenerator<Uint8Array, unknown, undefined>;
  /** The file, from the bytes of all parts in order and the value stored with each. */
  join(
    parts: AsyncIterable<Uint8Array>,
    abouts: readonly unknown[],
    failed: ReadonlySet<string>,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined>;
  /** Units of the result when `failed` boundaries are missing from it. */
  unitsWithout(failed: number): number;
  /** Approximate bytes of the file and milliseconds to make it. */
  estimate(signal: AbortSignal): Promise<{ readonly bytes: number; readonly ms: number }>;
}

/** What happens beside storing the result of a job. */
export interface StoringBeside {
  /** Runs in the transaction that stores it: if it throws, nothing is stored. `report`: what the job says of it. */
  readonly within: (tx: Queryable, report?: object) => Promise<void>;
  /** Runs before, when it is known of how many boundaries the result is. */
  readonly found: (total: number) => Promise<void>;
  /** Says what the job does now. */
  readonly say: (doing: string) => void;
}

/** How a job is done that stores something itself, in one transaction, and makes no file. */
export interface StoringPlan extends Pick<JobPlan, 'total' | 'units' | 'leftOut' | 'estimate'> {
  /** The area set to which it adds a version, '' for a new one; null if it stores no set. */
  readonly into: string | null;
  /** Stores the result, whole or not at all. */
  store(beside: StoringBeside, signal: AbortSignal): Promise<unknown>;
}

/** The area sets that the file of a job is made of: their state (ReadSets.state) and their ids; null without any. */
export interface SetsOfJob {
  readonly sets: string | null;
  readonly setIds: readonly string[] | null;
}
export type PlannedJob = (JobPlan | StoringPlan) & SetsOfJob;

/** An operation whose answer a job can make, or whose work it can do. */
export interface JobKind {
  readonly op: Pick<AnyOp, 'access' | 'effect'>;
  /** Its input, which may have more boundaries than that of one call. */
  readonly input: z.ZodObject;
  /** As of an operation. Absent where the lists of a job may be longer than those that its operation accepts. */
  readonly count?: AnyOp['count'];
  /** The input as it is kept until the job runs: with what would else be taken from that moment. Default: as given. */
  kept?(given: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /**
   * Plans the job.
   * @param into of a job that was created, which set its plan named then (StoringPlan.into)
   * @throws what the operation throws before it runs; invalid_input if it is another set by now
   */
  plan(ctx: Context, input: z.output<z.ZodObject>, into?: string | null): Promise<JobPlan | StoringPlan>;
  /** The operation stores something and finds the area sets that it reads itself. */
  readonly stores?: true;
  /** The default name of the file, or of what is stored. */
  nameOf(input: z.output<z.ZodObject>): string;
}

/**
 * Plans a job, from what was stored at the moment and as of the date that its input says, and with the area sets that its
 * creator may read by now.
 * @param into as of JobKind.plan()
 * @throws what JobKind.plan(), recordedInput(), withSets() and asOfInput() throw
 */
export async function planJob(
  kind: JobKind,
  ctx: Context,
  input: z.output<z.ZodObject>,
  into: string | null = null,
): Promise<PlannedJob> {
  if (kind.stores) return { ...(await kind.plan(ctx, input, into)), sets: null, setIds: null };
  const dated = await asOfInput(await withSets(await recordedInput(ctx, input), input), input);
  const plan = await kind.plan(dated.ctx, dated.input);
  const { sets } = dated.ctx.services;
  return { ...plan, sets: sets?.state ?? null, setIds: sets?.ids ?? null };
}

/** The limit of a job of the caller, for a selection. */
export async function jobLimit(ctx: Context): Promise<SelectionLimit> {
  return { most: await mostFor(ctx), code: 'too_large', of: 'one job' };
}

/** Limit of the boundaries in a job of the caller. */
export async function mostFor(ctx: Context): Promise<number> {
  const { org } = holder(ctx.caller);
  const { plans } = await ctx.services.billing.plans();
  return Math.min(MOST_IN_JOB, plans.find(({ id }) => id === org.plan)?.batch_size ?? MOST_IN_JOB);
}
