import { areNested, isIn } from '../../../domain/areas/names.ts';
import { said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { BoxIndex, boxesMeet } from '../execution/boxes.ts';
import { areSiblings, Hierarchy, setOf } from '../execution/region.ts';
import { overlap } from './overlap.ts';
import type { Execute } from './step.ts';

/** What two regions have in common: a set where the boundaries are nested, else a region to be overlaid. */
export const intersection: Execute<'intersection'> = async ({ run, i }, step) => {
  const [of, other] = [run.regionAt(step.of), run.regionAt(step.with)];
  if (of.op === 'set' && other.op === 'set') {
    const common: ResolvedBoundary[] = [];
    const hierarchy = new Hierarchy(other.members);
    const nearby = new BoxIndex(other.members);
    let decided = true;
    for (const a of of.members) {
      const related = hierarchy.related(a);
      for (const b of related) common.push(a.id === b.id || isIn(a, b) ? a : b);
      await run.spend(1 + related.length, i);
      if (!decided) continue;
      const near = nearby.near(a);
      await run.spend(near.length, i);
      const doubtful = near.filter((b) => boxesMeet(a, b) && !areNested(a, b) && !areSiblings(a, b));
      if (doubtful.length > 0 && (await overlap(run, doubtful, a))) decided = false;
    }
    if (decided && common.length === 0)
      throw run.fail(i, said`${run.quote(i)} is empty: the two have no area in common.`);
    if (decided) return setOf(common);
  }
  return { op: 'intersection', of, with: other };
};
