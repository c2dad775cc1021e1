import { describe, expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { JsonCounter } from '../../src/transports/json_counter.ts';

const NONE = { values: 1e9, members: 1e9, levels: 1e9 };

/** A random value: its texts hold everything that separates values elsewhere. */
function randomValue(next: () => number, depth: number): unknown {
  const sort = Math.floor(next() * (depth > 4 ? 3 : 5));
  if (sort === 0) return Math.floor(next() * 1000);
  if (sort === 1) return '[{,:"\\é'.slice(0, Math.floor(next() * 8));
  if (sort === 2) return null;
  const list = Array.from({ length: Math.floor(next() * 5) }, () => randomValue(next, depth + 1));
  return sort === 3 ? list : Object.fromEntries(list.map((value, i) => [`k"${i},:{`, value]));
}

interface Counts {
  values: number;
  members: number;
  levels: number;
}

function countsOf(value: unknown, level = 0): Counts {
  const all = { values: 0, members: 0, levels: level };
  if (typeof value !== 'object' || value === null) return all;
  all.levels = level + 1;
  const inside = Object.values(value);
  all.values += inside.length;
  if (!Array.isArray(value)) all.members += inside.length;
  for (const one of inside) {
    const below = countsOf(one, level + 1);
    all.values += below.values;
    all.members += below.members;
    all.levels = Math.max(all.levels, below.levels);
  }
  return all;
}

describe('values that are counted before they are parsed', () => {
  it('are at least those of the parsed value, in pieces of any size, and members and levels exactly', () => {
    const next = seeded(3);
    for (let round = 0; round < 300; round++) {
      const value = [randomValue(next, 0)];
      const bytes = Buffer.from(JSON.stringify(value, null, round % 3));
      const { values, members, levels } = countsOf(value);
      const exceeds = (bounds: Partial<typeof NONE>) => {
        const counter = new JsonCounter({ ...NONE, ...bounds });
        for (let from = 0; from < bytes.length; ) {
          const end = from + 1 + Math.floor(next() * 9);
          const beyond = counter.add(bytes.subarray(from, end));
          if (beyond !== null) return beyond;
          from = end;
        }
        return null;
      };
      if (members > 0) expect(exceeds({ members: members - 1 })).toBe('members');
      expect(exceeds({ members })).toBeNull();
      expect(exceeds({ levels: levels - 1 })).toBe('levels');
      expect(exceeds({ levels })).toBeNull();
      expect(exceeds({ values: values - 1 })).toBe('values');
      expect(exceeds({ values: 2 * values + 2 })).toBeNull();
    }
  });
});
