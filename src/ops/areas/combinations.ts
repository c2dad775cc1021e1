import { defined } from '../../common/elements.ts';
import { areNested, isIn } from '../../domain/areas/names.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { geometryOf } from '../boundaries/document.ts';
import { Nearness } from './nearness.ts';
import { areSiblings, boxesMeet, membersOf, type Region, setOf } from './region.ts';

/** Unions, differences and intersections: sets of whole boundaries where possible, otherwise regions to be overlaid. */
export class Combinations extends Nearness {
  protected union(parts: readonly Region[]): Region {
    if (parts.every((part) => part.op === 'set')) return setOf(parts.flatMap(membersOf));
    return { op: 'union', of: parts };
  }

  protected async difference(of: Region, minusStep: number, i: number, notes: string[]): Promise<Region> {
    const minus = this.regionAt(minusStep);
    const [wholes, cuts] = [membersOf(of), membersOf(minus)];
    const removed = new Set<string>();
    const inside: ResolvedBoundary[] = [];
    for (const cut of cuts) {
      const related = wholes.filter((whole) => areNested(whole, cut));
      for (const whole of related) if (whole.id === cut.id || isIn(whole, cut)) removed.add(whole.id);
      const within = related.some((whole) => isIn(cut, whole));
      if (within) inside.push(cut);
      if (related.length > 0) continue;
      const doubtful = wholes.filter((whole) => boxesMeet(whole, cut) && !areSiblings(whole, cut));
      if (doubtful.length > 0 && (await this.overlap(doubtful, cut))) {
        inside.push(cut);
        notes.push(`${cut.name} is partly in it`);
        continue;
      }
      throw this.fail(
        minusStep,
        `${this.quote(minusStep)} takes out ${cut.name} (${cut.id}), which is not part of ${this.quoteBase(i)}.`,
      );
    }
    if (of.op !== 'set' || minus.op !== 'set') {
      if (of.op === 'set' && removed.size === wholes.length && minus.op === 'set') throw this.nothing(i);
      return { op: 'difference', of, minus };
    }
    const left = wholes.filter(({ id }) => !removed.has(id));
    if (left.length === 0) throw this.nothing(i);
    const open = inside.filter((cut) => left.some((whole) => !areSiblings(whole, cut)));
    return open.length === 0
      ? setOf(left)
      : {
          op: 'difference',
          of: setOf(left),
          minus: setOf(cuts.filter(({ id }) => !removed.has(id) || open.some((one) => one.id === id))),
        };
  }

  /** Whether a boundary overlaps one of others, by more than 0.1 % of the smaller of the two. */
  protected async overlap(others: readonly ResolvedBoundary[], one: ResolvedBoundary): Promise<boolean> {
    const some = others.slice(0, 50);
    const all = [one, ...some].map(geometryOf);
    const pairs = await this.ctx.services.engine.crosswalk(
      all,
      { a: [0], b: some.map((_, k) => k + 1), maxPairs: 100 },
      this.ctx.signal,
    );
    return [...pairs.areaKm2].some(
      (area, k) => area > 1e-3 * Math.min(defined(pairs.wholeA[0]), defined(pairs.wholeB[defined(pairs.b[k])])),
    );
  }

  protected async intersection(of: Region, other: Region, i: number): Promise<Region> {
    if (of.op === 'set' && other.op === 'set') {
      const common: ResolvedBoundary[] = [];
      let decided = true;
      for (const a of of.members) {
        for (const b of other.members) {
          if (a.id === b.id || isIn(a, b)) common.push(a);
          else if (isIn(b, a)) common.push(b);
          else if (boxesMeet(a, b) && !areSiblings(a, b)) {
            if (await this.overlap([a], b)) decided = false;
          }
        }
      }
      if (decided && common.length === 0)
        throw this.fail(i, `${this.quote(i)} is empty: the two have no area in common.`);
      if (decided) return setOf(common);
    }
    return { op: 'intersection', of, with: other };
  }
}
