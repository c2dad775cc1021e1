import { expect, it } from 'vitest';
import { locate } from '../../workers/arcs/locate.ts';
import { defined } from '../../workers/defined.ts';
import { run } from '../../workers/tasks/locate_in.ts';
import type { TaskContext } from '../../workers/tasks/task.ts';
import { tableOf } from './topology.ts';

const ARCS = 240;
const RADIUS = 100_000;

/** A rough ring of many arcs of three vertices each. */
function roughRing() {
  const at = (i: number): [number, number] => {
    const angle = (2 * Math.PI * (i % (2 * ARCS))) / (2 * ARCS);
    const radius = RADIUS * (i % 3 === 1 ? 0.7 : 1);
    return [Math.round(radius * Math.cos(angle)), Math.round(radius * Math.sin(angle))];
  };
  return Array.from({ length: ARCS }, (_, i) => Int32Array.from([...at(2 * i), ...at(2 * i + 1), ...at(2 * i + 2)]));
}

it('says the same of a boundary of many arcs when it is looked up again, with an index of them', () => {
  const table = tableOf(roughRing());
  const long = Int32Array.from({ length: ARCS }, (_, i) => (i % 2 === 0 ? i : ~i));
  const short = long.slice(0, 90);
  const context = { common: table, isCanceled: () => false } as unknown as TaskContext;
  const seen = new Set<number>();
  for (let n = 0; n < 3_000; n++) {
    // Every tenth point is a vertex.
    const vertex = 2 * (n % (3 * ARCS));
    const onBorder = n % 10 === 0;
    const x = onBorder ? defined(table.coords[vertex]) : ((n * 7_919) % 240_000) - 120_000;
    const y = onBorder ? defined(table.coords[vertex + 1]) : ((n * 104_729) % 240_000) - 120_000;
    const sides = run({ heap: null, boundaries: [long, short], x, y, again: true }, context);
    expect([...sides], `${x} ${y}`).toEqual([locate(table, long, x, y), locate(table, short, x, y)]);
    seen.add(defined(sides[0]));
  }
  expect([...seen].sort()).toEqual([-1, 0, 1]);
});
