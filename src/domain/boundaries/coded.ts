import { problem } from '../../core/errors.ts';
import type { ResolvedBoundary } from './boundary.ts';
import { compareIds } from './ids.ts';

/** The most boundaries that an error about a code lists. */
const MOST_CODED = 10;

/** @throws invalid_id for a code of several boundaries of one source, with these as candidates */
export function requireOne(text: string, having: readonly ResolvedBoundary[]): void {
  const double = having.filter((one) => having.some((other) => other !== one && other.source.id === one.source.id));
  if (double.length === 0) return;
  const candidates = double
    .map(({ id, name, boundary: { parents } }) => ({ id, name, parents }))
    .sort((a, b) => compareIds(a.id, b.id));
  const listed = candidates.slice(0, MOST_CODED).map(({ id, name }) => `${id} ${name}`);
  const more = candidates.length > MOST_CODED ? ` and ${candidates.length - MOST_CODED} more` : '';
  throw problem(
    'invalid_id',
    `"${text}" is the code of several boundaries: ${listed.join(', ')}${more}. Use the id of one of them.`,
    { candidates: candidates.slice(0, MOST_CODED) },
  );
}
