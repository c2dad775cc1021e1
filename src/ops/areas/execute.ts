import type { Context } from '../../core/op.ts';
import { MAX_MEMBERS, type Plan, type Step } from '../../domain/areas/algebra.ts';
import type { NamePreferences } from '../../domain/areas/names.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import type { Snapshot } from '../../domain/boundaries/model.ts';
import { foldName } from '../../domain/names/fold.ts';
import { Coasts } from './coasts.ts';
import type { StepResult } from './findings.ts';
import { cutOf, halfOf, membersOf, type Region, setOf } from './region.ts';

/** The results of a plan. */
export interface Executed {
  readonly region: Region;
  readonly found: readonly StepResult[];
}

/** Executes a plan, which findPlanFault() has accepted, on one state of the data. @throws could_not_map */
export function execute(ctx: Context, reading: Snapshot, plan: Plan, wishes: NamePreferences): Promise<Executed> {
  return new Execution(ctx, reading, plan, wishes).run();
}

/** Executes the steps of a plan, in order. */
class Execution extends Coasts {
  async run(): Promise<Executed> {
    const { steps } = this.plan;
    this.findScopes();
    this.meanings = await Promise.all(steps.map((step) => this.mean(step)));
    this.refuseUnknown();
    for (const [i, step] of steps.entries()) {
      this.ctx.signal.throwIfAborted();
      const notes: string[] = [];
      const region = await this.step(step, i, notes);
      const members = membersOf(region);
      if (members.length === 0) throw this.fail(i, `${this.quote(i)} is empty: no boundary fits it.`);
      if (members.length > MAX_MEMBERS) {
        throw this.fail(
          i,
          `${this.quote(i)} has ${members.length} boundaries; at most ${MAX_MEMBERS} can be merged. Describe fewer.`,
        );
      }
      this.regions[i] = region;
      const meaning = this.meanings[i];
      const place = step.op === 'place' ? members[0] : null;
      this.found[i] = {
        members: members.length,
        ...(place ? { place: { id: place.id, name: place.name } } : {}),
        ...(meaning && 'found' in meaning && meaning.because !== null
          ? { rivals: meaning.rivals, because: meaning.because }
          : {}),
        ...(notes.length > 0 ? { notes } : {}),
      };
    }
    return { region: this.regionAt(steps.length - 1), found: this.found };
  }

  private async step(step: Step, i: number, notes: string[]): Promise<Region> {
    const region = (part: number): Region => this.regionAt(part);
    switch (step.op) {
      case 'place':
        return setOf([await this.place(step, i)]);
      case 'group':
        return this.group(step.name, i, notes);
      case 'capital':
        return this.capital(region(step.of), i);
      case 'union':
        return this.union(step.of.map(region));
      case 'difference':
        return this.difference(region(step.of), step.minus, i, notes);
      case 'intersection':
        return this.intersection(region(step.of), region(step.with), i);
      case 'children':
        return setOf(await this.children(step.of, step.level, i, notes));
      case 'containing':
        return this.containing(region(step.of), step.level, i);
      case 'neighbors':
        return setOf(
          await this.touching(region(step.of), i, { level: step.level ?? this.levelOf(region(step.of), i) }, notes),
        );
      case 'touching':
        return setOf(await this.touching(region(step.border), i, { of: this.setIn(step.of, i) }, notes));
      case 'around':
        return setOf(await this.within(region(step.from), step.km, i, { level: step.level }));
      case 'within':
        return setOf(await this.within(region(step.from), step.km, i, { of: this.setIn(step.of, i) }));
      case 'buffer':
        return this.buffer(region(step.of), step.km, i, notes);
      case 'side':
        return setOf(await this.side(step, i, notes));
      case 'clip': {
        const of = region(step.of);
        const boxes = halfOf(membersOf(of), step.direction);
        if (boxes === null) throw this.fail(i, `${this.quote(i)} has no extent.`);
        notes.push('cut at the middle of the bounding box');
        return { op: 'clip', of, boxes };
      }
      case 'coast':
        return setOf(await this.coastal(this.setIn(step.of, i), step.is, i, notes));
      case 'rank':
        return setOf(this.rank(this.setIn(step.of, i), step, i));
      case 'measured':
        return setOf(
          this.measured(this.setIn(step.of, i), step.by, i).flatMap(([one, value]) =>
            (step.is === 'more' ? value > step.than : value < step.than) ? [one] : [],
          ),
        );
      case 'named': {
        const text = foldName(step.text);
        if (text === '') throw this.fail(i, `${this.quote(i)} has no letters to compare names with.`);
        const fits = {
          starts: (name: string) => name.startsWith(text),
          ends: (name: string) => name.endsWith(text),
          contains: (name: string) => name.includes(text),
          is: (name: string) => name === text,
        }[step.how];
        return setOf(this.setIn(step.of, i).filter(({ name }) => fits(foldName(name))));
      }
    }
  }
}

/** The boundaries in a region: those that are merged, and those that are cut out. */
export function sidesOf(region: Region): {
  readonly include: readonly ResolvedBoundary[];
  readonly exclude: readonly ResolvedBoundary[];
} {
  return { include: membersOf(region), exclude: cutOf(region) };
}
