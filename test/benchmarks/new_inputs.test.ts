import { describe, expect, it } from 'vitest';
import { NewInputs, placesOf, searchesOf, setsOf } from '../../benchmarks/http/new_inputs.ts';

describe('the inputs of rows called new', () => {
  it('never repeat, over all rounds of a run', () => {
    const inputs = new NewInputs();
    const draw = placesOf(1);
    const all = Array.from({ length: 20 }, () => inputs.take(2_000, draw)).flat();
    expect(new Set(all).size).toBe(40_000);
    expect(inputs.count).toBe(40_000);
  });

  it('leave out what the source repeats', () => {
    const inputs = new NewInputs();
    let n = 0;
    const draw = () => String(Math.floor(n++ / 3));
    expect(inputs.take(3, draw)).toEqual(['0', '1', '2']);
    expect(inputs.take(2, draw)).toEqual(['3', '4']);
  });

  it('fail when there are too few, instead of repeating one', () => {
    const inputs = new NewInputs();
    const draw = searchesOf(['León', 'Lugo'], 7);
    expect(() => inputs.take(100, draw)).toThrow('new inputs');
  });

  it('draw sets in one order, so that two orders of the same members count as a repetition', () => {
    const sets = new NewInputs().take(10, setsOf(['a', 'b', 'c', 'd', 'e'], 3, 3));
    for (const set of sets) {
      const members = JSON.parse(set) as string[];
      expect(new Set(members).size).toBe(3);
      expect(members).toEqual(members.toSorted());
    }
    expect(new Set(sets).size).toBe(10);
  });
});
