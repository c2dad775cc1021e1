import { defined } from '../../../common/elements.ts';
import { Turns } from '../../../common/turns.ts';
import { searchedServices } from '../../../core/dated.ts';
import type { Context } from '../../../core/op.ts';
import type { AreaPlan, Level, Words } from '../../../domain/areas/algebra.ts';
import { clip } from '../../../domain/areas/description_error.ts';
import type { Candidate, NamePreferences, NameServices } from '../../../domain/areas/names.ts';
import { refsOf } from '../../../domain/areas/plan_fault.ts';
import { type Language, type Said, type Sentence, said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { DataMoved, type Snapshot } from '../../../domain/boundaries/reads.ts';
import { foldName } from '../../../domain/names/fold.ts';
import { languageOf } from '../language.ts';
import { couldNotMap, type StepResult, type Unmapped } from './findings.ts';
import { byName, type Region } from './region.ts';

/** Elements of work of one plan: boundaries that its steps look at, and pairs that they compare. */
const MOST_WORK = 600_000;
/** Elements of work that count as one request. */
const WORK_A_REQUEST = 20_000;
/** Boundaries that are read at once. */
const AT_ONCE = 250;

/** A plan during execution: the results of its steps so far, its work, and errors that quote its words. */
export class PlanRun {
  /** By step that was executed. */
  readonly regions: Region[] = [];
  readonly found: StepResult[] = [];
  /** Levels that were meant where steps have others, by step. */
  readonly levels = new Map<number, Level>();
  /** Sentences on what was guessed between several meanings. */
  readonly choices: Sentence[] = [];
  readonly services: NameServices;
  /** The language of its sentences. */
  readonly language: Language;
  readonly ctx: Context;
  readonly reading: Snapshot;
  readonly plan: AreaPlan;
  readonly preferences: NamePreferences;
  private readonly turns: Turns;
  /** Elements of work so far. */
  private work = 0;
  private counted = 0;
  /** Boundaries that the plan has read, by id: the cache of all calls may be too small for one plan. */
  private readonly known = new Map<string, ResolvedBoundary>();
  private readonly folded = new Map<string, string>();

  constructor(ctx: Context, reading: Snapshot, plan: AreaPlan, preferences: NamePreferences) {
    this.ctx = ctx;
    this.reading = reading;
    this.plan = plan;
    this.preferences = preferences;
    this.turns = new Turns(ctx.signal);
    this.language = languageOf(ctx);
    const { db, names } = searchedServices(ctx.services);
    this.services = { db, names, boundaries: reading };
  }

  stepAt(i: number): AreaPlan['steps'][number] {
    return defined(this.plan.steps[i]);
  }

  regionAt(i: number): Region {
    return defined(this.regions[i]);
  }

  words(i: number): Words | null {
    return this.stepAt(i).words ?? null;
  }

  quote(i: number): Said {
    const words = this.words(i);
    return words === null ? said`Step ${i} (${this.stepAt(i).op})` : said`"${clip(words.text)}"`;
  }

  unmapped(i: number, reason: Sentence, candidates: readonly Candidate[] = []): Unmapped {
    const words = this.words(i);
    const step = this.stepAt(i);
    const text = words?.text ?? (step.op === 'place' ? (step.name ?? step.id ?? '') : step.op);
    return { text: clip(text), from: words?.from ?? null, to: words?.to ?? null, reason, candidates };
  }

  fail(i: number, reason: Sentence) {
    return couldNotMap([this.unmapped(i, reason)], this.language);
  }

  quoteName(i: number): Said {
    const step = this.stepAt(i);
    if (step.words) return said`"${clip(step.words.text)}"`;
    if (step.op === 'place' || step.op === 'group')
      return said`"${clip(('name' in step ? step.name : undefined) ?? ('id' in step ? step.id : undefined) ?? '')}"`;
    return this.quote(i);
  }

  quoteBase(i: number): Said {
    return this.quote(defined(refsOf(this.stepAt(i))[0]));
  }

  nothing(i: number) {
    return this.fail(i, said`${this.quote(i)} leaves nothing.`);
  }

  /** The boundaries of a step that must be whole boundaries. @throws could_not_map when they are not */
  setIn(part: number, i: number): readonly ResolvedBoundary[] {
    const region = this.regionAt(part);
    if (region.op === 'set') return region.members;
    throw this.fail(i, said`${this.quote(i)} selects whole boundaries, but ${this.quote(part)} is cut.`);
  }

  /**
   * Counts elements of work before they are processed, for the limit of a plan and for the caller's rate limit, and
   * lets others have a turn.
   * @throws could_not_map beyond the limit; rate_limited; the reason of the call's end
   */
  async spend(elements: number, i: number): Promise<void> {
    this.work += elements;
    if (this.work > MOST_WORK)
      throw this.fail(i, said`The plan compares too many boundaries at ${this.quote(i)}. Split it.`);
    const requests = Math.ceil(this.work / WORK_A_REQUEST);
    if (requests > Math.max(1, this.counted)) {
      await this.ctx.countRequests?.(requests - Math.max(1, this.counted) + 1, 'any');
      this.counted = requests;
    }
    if (this.turns.spend(elements)) await this.turns.next();
  }

  /** The folded local name of a boundary, once for each. */
  nameOf({ id, name }: ResolvedBoundary): string {
    const folded = this.folded.get(id) ?? foldName(name);
    this.folded.set(id, folded);
    return folded;
  }

  async resolve(ids: readonly string[]): Promise<ResolvedBoundary[]> {
    const missing = ids.filter((id) => !this.known.has(id));
    for (let from = 0; from < missing.length; from += AT_ONCE) {
      for (const one of await this.reading.byIds(missing.slice(from, from + AT_ONCE))) this.known.set(one.id, one);
      await this.turns.next();
    }
    const found = ids.flatMap((id) => this.known.get(id) ?? []);
    if (found.length !== ids.length) throw new DataMoved();
    return found.sort(byName);
  }

  ofRevision<T extends { readonly revision: number }>(rows: readonly T[]): readonly T[] {
    if (rows.some(({ revision }) => Number(revision) !== this.reading.revision)) throw new DataMoved();
    return rows;
  }
}
