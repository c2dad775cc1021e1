import type { Kind } from '../../core/schemas.ts';
import type { Candidate } from './match_rows.ts';
import { fits, type Required } from './required.ts';

type Fitting = (list: readonly Candidate[]) => readonly Candidate[];

/** The candidates that fit what a row requires; those of a kind that the name of the column rules out are partial. */
export function fittingOf(required: Required, others: readonly Kind[]): Fitting {
  const isSaid = required.kinds.length > 0 || required.adminLevel !== null;
  const isOther = ({ boundary }: Candidate) => !isSaid && others.includes(boundary.kind);
  return (list) =>
    list
      .filter(({ boundary }) => fits(boundary, required))
      .map((one) => (isOther(one) ? { ...one, partial: true } : one));
}
