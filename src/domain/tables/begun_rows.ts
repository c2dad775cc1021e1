import type { Turns } from '../../common/turns.ts';
import type { Kind } from '../../core/schemas.ts';
import type { CandidateSource } from './candidates.ts';
import { lengthOfCut, mayBeCut } from './cut.ts';
import { fittingOf } from './fitting.ts';
import type { Candidate, Decision } from './match_rows.ts';
import { type Asked, isInColumn } from './settle.ts';

/** What the lookup of a start counts for, in elements of a turn. */
const LOOKUP = 400;

/**
 * Adds to the rows of a column whose names are cut the boundaries that they are the start of. One that is the whole name of
 * a boundary and the start of another's may mean both.
 * @param source looks up in the country and level of the column
 * @returns the rows that got some
 */
export async function addBegun(
  asked: readonly Asked[],
  source: CandidateSource,
  decision: Decision,
  { others, turns }: { readonly others: readonly Kind[]; readonly turns: Turns },
): Promise<ReadonlySet<Asked>> {
  const added = new Set<Asked>();
  const inColumn = ({ named }: Asked): readonly Candidate[] => named.filter((one) => isInColumn(one, decision));
  const uncoded = asked.filter(({ coded }) => !coded?.length);
  const written: { readonly name: string; readonly isFound: boolean }[] = [];
  for (const one of uncoded) {
    if (turns.spend(1 + one.named.length)) await turns.next();
    written.push({ name: one.row.name, isFound: inColumn(one).length > 0 });
  }
  const cut = lengthOfCut(written);
  if (cut === null) return added;
  for (const one of uncoded) {
    if (!mayBeCut(one.row.name, cut)) continue;
    if (turns.spend(LOOKUP)) await turns.next();
    const begun = fittingOf(one.required, others)(await source.byStart(one.row, cut));
    if (!begun.some((found) => isInColumn(found, decision))) continue;
    // The whole name of another says no more than the start of this one.
    const [best] = inColumn(one).toSorted((a, b) => a.step - b.step);
    one.named = [
      ...begun.map((found) => (best ? { ...found, match: best.match, step: best.step } : found)),
      ...one.named,
    ];
    added.add(one);
  }
  return added;
}
