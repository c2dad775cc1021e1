import type { Candidate } from './candidates.ts';
import type { Lookups } from './lookups.ts';

/** Words of a text of two names, and boundaries of each name that are compared. */
const [MOST_WORDS, MOST] = [6, 20];

/** The boundaries that have both parts of a folded text as names: "gijon xixon", "suomi finland". */
export async function ofTwoNames(lookups: Lookups, folded: string): Promise<Candidate[]> {
  const words = folded.split(' ');
  if (words.length < 2 || words.length > MOST_WORDS) return [];
  const halves = words.slice(1).map((_, k) => [words.slice(0, k + 1).join(' '), words.slice(k + 1).join(' ')] as const);
  const rows = await lookups.exact([...new Set(halves.flat())], null, MOST);
  const found = halves.flatMap(([one, other]) =>
    rows.filter(
      (row) => one !== other && row.folded === one && rows.some(({ id, folded }) => id === row.id && folded === other),
    ),
  );
  return found.map((row): Candidate => ({ ...row, step: 0, whole: true }));
}
