import { describe, expect, it } from 'vitest';
import { mergeBoundaries } from '../../workers/arcs/classify.ts';
import { findConflicts } from '../../workers/arcs/conflicts.ts';
import { cutChains } from '../../workers/arcs/cut.ts';
import { isValid } from '../../workers/arcs/overlay.ts';
import { assembleRings } from '../../workers/arcs/rings.ts';
import { stitch } from '../../workers/arcs/stitch.ts';
import { defined } from '../../workers/defined.ts';
import { chain, type Line, planeArea, polygonsOf, random, tableOf } from './topology.ts';

/** A wild chain on a small grid: loops, spikes, repeats; far out at times. */
function wild(next: () => number, size: number, spread: number): Line {
  const line: [number, number][] = [];
  for (let k = 1 + Math.floor(next() * 9); k > 0; k--) {
    line.push([Math.floor(next() * size) * spread, Math.floor(next() * size) * spread]);
    if (next() < 0.1 && line.length > 1) line.push(defined(line[line.length - 2]));
  }
  if (next() < 0.7) line.push(defined(line[0]));
  return line;
}

/** Unit steps on a grid: chains that never cross but touch, overlap and repeat in every way. */
function lattice(next: () => number, size: number): Line {
  let at: [number, number] = [Math.floor(next() * size), Math.floor(next() * size)];
  const line: [number, number][] = [at];
  const steps = 2 + Math.floor(next() * 14);
  for (let k = 0; k < steps; k++) {
    const step = next() < 0.5 ? -1 : 1;
    at = next() < 0.5 ? [at[0] + step, at[1]] : [at[0], at[1] + step];
    line.push(at);
  }
  // Home again along the axes.
  while (at[0] !== defined(line[0])[0]) {
    at = [at[0] + Math.sign(defined(line[0])[0] - at[0]), at[1]];
    line.push(at);
  }
  while (at[1] !== defined(line[0])[1]) {
    at = [at[0], at[1] + Math.sign(defined(line[0])[1] - at[1])];
    line.push(at);
  }
  return line;
}

const unsigned = (refs: readonly Int32Array[]) =>
  Int32Array.from(refs.flatMap((list) => [...list]).map((ref) => (ref < 0 ? ~ref : ref)));

describe('hostile chains', () => {
  it('never break anything: rings without conflicts are valid, all else is trouble', async () => {
    const outcomes = { rings: 0, trouble: 0, conflicts: 0 };
    for (let seed = 1; seed <= 1500; seed++) {
      const next = random(seed);
      const spread = next() < 0.2 ? 500_000_000 : 1;
      const size = spread === 1 ? 2 + Math.floor(next() * 8) : 4;
      const lines = Array.from({ length: 1 + Math.floor(next() * 4) }, () => wild(next, size, spread));
      const { arcs, refs } = cutChains(lines.map(chain));
      const table = tableOf(arcs);
      const conflicts = findConflicts(table);
      const result = assembleRings(table, unsigned(refs));
      if (conflicts.length > 0) outcomes.conflicts++;
      else if ('rings' in result) {
        expect(await isValid(polygonsOf(table, result.rings)), `seed ${seed}`).toBeNull();
        outcomes.rings++;
      } else outcomes.trouble++;
    }
    expect(Math.min(outcomes.rings, outcomes.trouble, outcomes.conflicts)).toBeGreaterThan(50);
  });

  it('on a lattice always give valid rings of the even-odd area, or nothing', async () => {
    let built = 0;
    for (let seed = 1; seed <= 600; seed++) {
      const next = random(seed);
      const size = 2 + Math.floor(next() * 5);
      const lines = Array.from({ length: 1 + Math.floor(next() * 5) }, () => lattice(next, size));
      const { arcs, refs } = cutChains(lines.map(chain));
      const table = tableOf(arcs);
      expect(findConflicts(table)).toEqual([]);
      const result = assembleRings(table, unsigned(refs));
      // Unit cells with an odd number of crossings to the east of their middle.
      let odd = 0;
      for (let x = -20; x < 30; x++) {
        for (let y = -20; y < 30; y++) {
          let crossings = 0;
          for (const line of lines) {
            for (let i = 0; i + 1 < line.length; i++) {
              if (
                defined(line[i])[0] > x &&
                defined(line[i])[0] === defined(line[i + 1])[0] &&
                Math.min(defined(line[i])[1], defined(line[i + 1])[1]) === y
              )
                crossings++;
            }
          }
          odd += crossings & 1;
        }
      }
      if ('trouble' in result) {
        expect(odd, `seed ${seed}`).toBe(0);
        expect(result.trouble.reason).toMatch(/used twice|no member/);
        continue;
      }
      const polygons = polygonsOf(table, result.rings);
      expect(await isValid(polygons), `seed ${seed}`).toBeNull();
      expect(planeArea(polygons) / 2, `seed ${seed}`).toBe(odd);
      built++;
    }
    expect(built).toBeGreaterThan(400);
  });

  it('as signed arcs in any direction give rings or trouble, never an exception', () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 800; seed++) {
      const next = random(seed);
      const lines = Array.from({ length: 2 + Math.floor(next() * 4) }, () =>
        next() < 0.5 ? lattice(next, 4) : wild(next, 5, 1),
      );
      const { arcs, refs } = cutChains(lines.map(chain));
      const table = tableOf(arcs);
      const flipped = refs.map((list) => list.map((ref) => (next() < 0.1 ? ~ref : ref)));
      const answers = [
        stitch(table, Int32Array.from(flipped.flatMap((list) => [...list]))),
        mergeBoundaries(table, flipped, [0], lines.length > 2 ? [1] : []),
        mergeBoundaries(
          table,
          flipped,
          flipped.map((_, b) => b),
          [],
        ),
      ];
      for (const answer of answers) seen.add('rings' in answer ? 'rings' : answer.trouble.reason);
    }
    // Every trouble there is, and rings.
    expect([...seen].sort()).toEqual([
      'a hole outside every outline',
      'a ring without area',
      'borders that cross at a point',
      'borders that do not close (unequal in and out)',
      'open ring',
      'rings',
      'the same border is used twice',
      'two borders lie on each other',
      'two outlines in one walk',
    ]);
  });

  it('at the corners of the world and of the int32 range are cut, checked and assembled exactly', async () => {
    for (const [w, s, e, n] of [
      [-1_800_000_000, -900_000_000, 1_800_000_000, 900_000_000],
      [-(2 ** 31), -(2 ** 31), 2 ** 31 - 1, 2 ** 31 - 1],
    ]) {
      const middle: [number, number] = [0, 0];
      const corners: [number, number][] = [
        [defined(w), defined(s)],
        [defined(e), defined(s)],
        [defined(e), defined(n)],
        [defined(w), defined(n)],
      ];
      const lines: Line[] = corners.map((corner, i) => [corner, defined(corners[(i + 1) % 4]), middle, corner]);
      const { arcs, refs } = cutChains(lines.map(chain));
      expect(arcs).toHaveLength(8);
      const table = tableOf(arcs);
      expect(findConflicts(table)).toEqual([]);
      const whole = assembleRings(table, unsigned(refs));
      if ('trouble' in whole) throw new Error(whole.trouble.reason);
      expect([whole.rings.ringEnd.length, whole.rings.refs.length]).toEqual([1, 4]);
      const wings = assembleRings(table, unsigned([defined(refs[0]), defined(refs[2])]));
      if ('trouble' in wings) throw new Error(wings.trouble.reason);
      expect(wings.rings.polygonEnd.length).toBe(2);
      expect(await isValid(polygonsOf(table, wings.rings))).toBeNull();
    }
  });
});
