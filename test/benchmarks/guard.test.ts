import { expect, it } from 'vitest';
import { grownOf, guardTable } from '../../benchmarks/http/guard_table.ts';

const KNOWN = { blocks: 2_000, statements: 2, tasks: 1, bytes: 10_000 };

it('names the counts of work that grew by more than calls of a kind differ', () => {
  expect(grownOf(KNOWN, KNOWN)).toEqual([]);
  expect(grownOf({ blocks: 2_299, statements: 2.3, tasks: 1.1, bytes: 11_400 }, KNOWN)).toEqual([]);
  expect(grownOf({ ...KNOWN, blocks: 2_301 }, KNOWN)).toEqual(['blocks']);
  expect(grownOf({ ...KNOWN, statements: 3, tasks: 2 }, KNOWN)).toEqual(['statements', 'tasks']);
  expect(grownOf({ ...KNOWN, bytes: 11_501 }, KNOWN)).toEqual(['bytes']);
  expect(grownOf({ blocks: 1, statements: 0, tasks: 0, bytes: 1 }, KNOWN)).toEqual([]);
  // A call that needed no statement must not start to need one.
  expect(grownOf({ ...KNOWN, statements: 1 }, { ...KNOWN, statements: 0 })).toEqual(['statements']);
});

it('shows what was recorded beside what grew', () => {
  const grown = { ...KNOWN, tasks: 2 };
  const text = guardTable([{ call: 'reverse', ...grown, recorded: KNOWN, grown: ['tasks'] }]);
  expect(text.split('\n')[1]).toMatch(/^reverse +2000 +2 +2 \(1\) +10000$/);
});
