import { expect, it } from 'vitest';
import { Turns } from '../../src/common/turns.ts';
import { convertCounts, convertRates } from '../../src/domain/tables/conversion.ts';
import { convertedTable } from '../../src/ops/tables/converted_table.ts';
import { countWork } from '../setup/work.ts';

/** Blocks of one turn (test/transports/largest_inputs.test.ts). */
const MOST_IN_TURN = 400_000;
const AREAS = 5_000;
const COLUMNS = 20;

it('a wide table is converted and written with turns for others', async () => {
  const pieces = Array.from({ length: 4 * AREAS }, (_, p) => {
    return { a: p % AREAS, b: (p * 7) % AREAS, share: 0.25, byArea: 1, weight: 1, areaKm2: 1 };
  });
  const rest = Array.from({ length: AREAS }, () => ({ share: 0, weight: 0, areaKm2: 0 }));
  const split = { pieces, rest, targets: AREAS };
  const column = (name: string, i: number) => {
    const values = Array.from({ length: AREAS }, (_, row) => ((row * 7919 + i * 104_729) % 1e9) / 1e5);
    return { name, values, weights: null };
  };
  const columns = Array.from({ length: COLUMNS }, (_, i) => column(`c${i}`, i));
  const named = Array.from({ length: AREAS }, (_, b) => ({ id: `r${b}`, name: `Area ${b}` }));
  let table = '';
  const { longest, total } = await countWork(async () => {
    const turns = new Turns();
    const converted = [await convertRates(column('rate', 1), split, turns)];
    for (const one of columns) converted.push(await convertCounts(one, split, turns));
    const about = { named, covered: new Float64Array(AREAS).fill(1), isWeighted: true };
    table = (await convertedTable(converted, about, turns)).toString();
  });
  const lines = table.trimEnd().split('\n');
  expect([lines.length, lines[0]?.split(',').length]).toEqual([AREAS + 2, 3 + 1 + 2 * COLUMNS]);
  expect(total).toBeGreaterThan(5 * MOST_IN_TURN);
  expect(longest).toBeLessThan(MOST_IN_TURN);
});
