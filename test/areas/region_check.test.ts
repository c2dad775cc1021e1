import { describe, expect, it } from 'vitest';
import type { RegionTree } from '../../workers/contract.ts';
import { findStrayVertex } from '../../workers/region_check.ts';
import { arrange, flatten, rect } from '../kernels/topology.ts';

const going = () => false;
// Two squares side by side, and one that overlaps neither.
const { table, refs } = arrange([[rect(0, 0, 100, 100)], [rect(100, 0, 200, 100)], [rect(500, 500, 600, 600)]]);
const set = (...of: number[]): RegionTree => ({ op: 'set', of });
const stray = (tree: RegionTree, west: number, south: number, east: number, north: number) =>
  findStrayVertex(table, refs, tree, flatten([[rect(west, south, east, north)]]), going);

describe('a result that is checked against what it is made of', () => {
  it.each<[string, RegionTree, [number, number, number, number]]>([
    ['a set', set(0, 1), [0, 0, 200, 100]],
    ['a set, with the slack of the grid', set(0), [-2, 0, 102, 100]],
    ['a clip', { op: 'clip', of: set(0), boxes: [[0, 0, 50, 100]] }, [0, 0, 50, 100]],
    ['a difference', { op: 'difference', of: set(0, 1), minus: set(0) }, [100, 0, 200, 100]],
    ['an intersection', { op: 'intersection', of: set(0, 1), with: set(1) }, [100, 0, 200, 100]],
    ['what is widened', { op: 'buffer', of: set(0), km: 1 }, [-900, -900, 900, 900]],
  ])('is in %s', (_what, tree, box) => {
    expect(stray(tree, ...box)).toBeNull();
  });

  it.each<[string, RegionTree, [number, number, number, number]]>([
    ['a set', set(0), [0, 0, 200, 100]],
    ['a set of others', set(2), [0, 0, 100, 100]],
    ['a clip', { op: 'clip', of: set(0), boxes: [[0, 0, 50, 100]] }, [0, 0, 60, 100]],
    ['a difference', { op: 'difference', of: set(0, 1), minus: set(0) }, [50, 20, 200, 80]],
    ['an intersection', { op: 'intersection', of: set(0, 1), with: set(1) }, [0, 0, 200, 100]],
    [
      'what is widened, cut out',
      { op: 'difference', of: set(0, 1), minus: { op: 'buffer', of: set(0), km: 1 } },
      [50, 20, 200, 80],
    ],
  ])('is beyond %s', (_what, tree, box) => {
    expect(stray(tree, ...box)).not.toBeNull();
  });
});
