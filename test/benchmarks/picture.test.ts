import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { drawGrowth } from '../../benchmarks/growth/picture.ts';
import { defined } from '../../src/common/elements.ts';
import { leading } from '../setup/elements.ts';

const growth = {
  of: 'vertices',
  work: 'union of <areas> & more',
  memory: 'the process',
  rival: 'PostGIS',
  ours: [
    { x: 1_000, ms: 0.05, bytes: 1e8 },
    { x: 10_000_000, ms: 40, bytes: 2e9 },
  ],
  theirs: [{ x: 1_000, ms: 12, bytes: null }],
};

describe('the picture of growth', () => {
  it('is well-formed and has a mark for each point that is known', () => {
    const picture = drawGrowth([growth]);
    const parser = new SaxesParser();
    const marks: { x: number; y: number; color: string }[] = [];
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name, attributes }) => {
      if (name !== 'circle') return;
      const { cx, cy, fill } = attributes as Record<string, string>;
      marks.push({ x: Number(cx), y: Number(cy), color: defined(fill) });
    });
    parser.write(picture).close();
    // Time: three points; memory: two, since the rival's is not known.
    expect(marks).toHaveLength(5);
    const [small, large, theirs] = leading(marks, 3);
    expect(large.x).toBeGreaterThan(small.x);
    expect(large.y).toBeLessThan(small.y);
    expect(theirs.x).toBe(small.x);
    expect(theirs.color).not.toBe(small.color);
  });

  it('is as wide as its columns need and holds no NaN', () => {
    const two = drawGrowth([growth, { ...growth, theirs: [] }]);
    expect(two).not.toContain('NaN');
    const width = (svg: string) => Number(/width="(\d+)"/.exec(svg)?.[1]);
    expect(width(two)).toBeGreaterThan(width(drawGrowth([growth])));
  });
});
