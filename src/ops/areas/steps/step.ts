import type { Step } from '../../../domain/areas/algebra.ts';
import type { Sentence } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import type { Region } from '../execution/region.ts';

/** The step of a plan with this operation. */
export type StepOf<Op extends Step['op']> = Extract<Step, { op: Op }>;

/** What the function of a step works with. */
export interface StepContext {
  readonly run: PlanRun;
  /** The number of the step. */
  readonly i: number;
  /** Sentences that the answer shows with the step: functions add to them. */
  readonly notes: Sentence[];
  /** The boundary that a place step means. @throws could_not_map */
  readonly placeOf: (step: Step, i: number) => Promise<ResolvedBoundary>;
}

/**
 * Executes a step of one kind, whose parts have been executed.
 * @throws could_not_map, which quotes the words of the step
 */
export type Execute<Op extends Step['op']> = (context: StepContext, step: StepOf<Op>) => Region | Promise<Region>;
