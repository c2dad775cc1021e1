import { defined } from '../../common/elements.ts';
import { problem } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import { type Plan, refsOf, type Words } from '../../domain/areas/algebra.ts';
import { clip } from '../../domain/areas/misread.ts';
import type { Candidate, NamePreferences, NameServices } from '../../domain/areas/names.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/model.ts';
import { byName, type Region } from './region.ts';

/** What a step was found to mean, as the answer shows it. */
export interface StepResult {
  /** Number of boundaries in the step's result. */
  readonly members: number;
  /** The boundary of a place step. */
  readonly place?: { readonly id: string; readonly name: string };
  /** Other boundaries that the name may mean, and why this one was chosen. */
  readonly rivals?: readonly Candidate[];
  readonly because?: string;
  readonly notes?: readonly string[];
}

/** A part of a description that was not found, or that is ambiguous. */
export interface Unmapped {
  readonly text: string;
  /** Offsets of its first character and of the one after its last; null when the caller gave the plan. */
  readonly from: number | null;
  readonly to: number | null;
  readonly reason: string;
  readonly candidates: readonly Candidate[];
}

/** could_not_map with every part that is at fault. */
export function couldNotMap(places: readonly Unmapped[]) {
  const shown = places.slice(0, 10).map(({ reason }) => reason);
  const more = places.length > 10 ? ` (and ${places.length - 10} more)` : '';
  return problem('could_not_map', shown.join(' ') + more, { places: places.slice(0, 100) });
}

/** A plan during execution: the results of its steps so far, and errors that quote their words. */
export class Findings {
  protected readonly regions: Region[] = [];
  protected readonly found: StepResult[] = [];
  protected readonly services: NameServices;
  protected readonly ctx: Context;
  protected readonly reading: Snapshot;
  protected readonly plan: Plan;
  protected readonly wishes: NamePreferences;

  constructor(ctx: Context, reading: Snapshot, plan: Plan, wishes: NamePreferences) {
    this.ctx = ctx;
    this.reading = reading;
    this.plan = plan;
    this.wishes = wishes;
    this.services = { db: ctx.services.db, names: ctx.services.names, boundaries: reading };
  }

  protected stepAt(i: number): Plan['steps'][number] {
    return defined(this.plan.steps[i]);
  }

  protected regionAt(i: number): Region {
    return defined(this.regions[i]);
  }

  protected words(i: number): Words | null {
    return this.stepAt(i).words ?? null;
  }

  protected quote(i: number): string {
    const words = this.words(i);
    return words === null ? `Step ${i} (${this.stepAt(i).op})` : `"${clip(words.text)}"`;
  }

  protected unmapped(i: number, reason: string, candidates: readonly Candidate[] = []): Unmapped {
    const words = this.words(i);
    const step = this.stepAt(i);
    const text = words?.text ?? (step.op === 'place' ? (step.name ?? step.id ?? '') : step.op);
    return { text: clip(text), from: words?.from ?? null, to: words?.to ?? null, reason, candidates };
  }

  protected fail(i: number, reason: string) {
    return couldNotMap([this.unmapped(i, reason)]);
  }

  protected quoteName(i: number): string {
    const step = this.stepAt(i);
    if (step.words) return `"${clip(step.words.text)}"`;
    if (step.op === 'place' || step.op === 'group')
      return `"${clip(('name' in step ? step.name : undefined) ?? ('id' in step ? step.id : undefined) ?? '')}"`;
    return this.quote(i);
  }

  protected quoteBase(i: number): string {
    return this.quote(defined(refsOf(this.stepAt(i))[0]));
  }

  protected nothing(i: number) {
    return this.fail(i, `${this.quote(i)} leaves nothing.`);
  }

  /** The boundaries of a step that must be whole boundaries. @throws could_not_map when they are not */
  protected setIn(part: number, i: number): readonly ResolvedBoundary[] {
    const region = this.regionAt(part);
    if (region.op === 'set') return region.members;
    throw this.fail(i, `${this.quote(i)} selects whole boundaries, but ${this.quote(part)} is cut.`);
  }

  protected async resolve(ids: readonly string[]): Promise<ResolvedBoundary[]> {
    const found: ResolvedBoundary[] = [];
    for (let from = 0; from < ids.length; from += 1_000)
      found.push(...(await this.reading.byIds(ids.slice(from, from + 1_000))));
    if (found.length !== ids.length) throw new DataMoved();
    return found.sort(byName);
  }

  protected ofRevision<T extends { readonly revision: number }>(rows: readonly T[]): readonly T[] {
    if (rows.some(({ revision }) => Number(revision) !== this.reading.revision)) throw new DataMoved();
    return rows;
  }
}
