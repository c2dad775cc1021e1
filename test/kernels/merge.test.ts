import { describe, expect, it } from 'vitest';
import { mergeBoundaries } from '../../workers/arcs/classify.ts';
import { isValid } from '../../workers/arcs/overlay.ts';
import { stitch } from '../../workers/arcs/stitch.ts';
import { defined } from '../../workers/defined.ts';
import {
  arrange,
  chain,
  type Line,
  nested,
  planeArea,
  polygonsOf,
  reasonOf,
  rect,
  ringsOf,
  tableOf,
} from './topology.ts';

/** Merges boundaries given by their rings and lays the result out; the result is checked to be valid. */
async function merged(boundaries: readonly (readonly Line[])[], include: number[], exclude: number[] = []) {
  const { table, refs } = arrange(boundaries);
  const polygons = polygonsOf(table, ringsOf(mergeBoundaries(table, refs, include, exclude)));
  expect(await isValid(polygons)).toBeNull();
  return { polygons, rings: nested(polygons).map((polygon) => polygon.length), area: planeArea(polygons) / 2 };
}

const HOLE_IN = [rect(0, 0, 40, 40), rect(10, 10, 30, 30)];

describe('mergeBoundaries', () => {
  it('dissolves the common border of two neighbors', async () => {
    const result = await merged([[rect(0, 0, 10, 10)], [rect(10, 0, 20, 10)]], [0, 1]);
    expect(nested(result.polygons)).toEqual([
      [
        [
          [10, 0],
          [20, 0],
          [20, 10],
          [10, 10],
          [0, 10],
          [0, 0],
          [10, 0],
        ],
      ],
    ]);
  });

  it('gives nothing for no includes, for boundaries without arcs, and for an exclude equal to the include', async () => {
    const { table, refs } = arrange([[rect(0, 0, 10, 10)]]);
    for (const rings of [
      ringsOf(mergeBoundaries(table, refs, [], [0])),
      ringsOf(mergeBoundaries(table, [new Int32Array(0)], [0], [])),
      ringsOf(mergeBoundaries(table, refs, [0], [0])),
      ringsOf(mergeBoundaries(table, [defined(refs[0]), defined(refs[0])], [0], [1])),
      ringsOf(mergeBoundaries(table, [], [], [])),
    ]) {
      expect([rings.refs.length, rings.ringEnd.length, rings.polygonEnd.length]).toEqual([0, 0, 0]);
    }
  });

  it('counts an id once however often it is named', async () => {
    const once = await merged([[rect(0, 0, 10, 10)], [rect(10, 0, 20, 10)]], [0]);
    const often = await merged([[rect(0, 0, 10, 10)], [rect(10, 0, 20, 10)]], [0, 0, 0]);
    expect(often).toEqual(once);
  });

  it('takes twin boundaries for one', async () => {
    const result = await merged([[rect(0, 0, 10, 10)], [rect(0, 0, 10, 10)]], [0, 1]);
    expect(result.area).toBe(100);
  });

  it('swallows a boundary inside another, with and without common border', async () => {
    expect((await merged([[rect(0, 0, 40, 40)], [rect(10, 10, 20, 20)]], [0, 1])).rings).toEqual([1]);
    const half: Line = [
      [0, 0],
      [20, 0],
      [20, 40],
      [0, 40],
      [0, 0],
    ];
    const whole: Line = [
      [0, 0],
      [20, 0],
      [40, 0],
      [40, 40],
      [20, 40],
      [0, 40],
      [0, 0],
    ];
    const result = await merged([[whole], [half]], [0, 1]);
    expect([result.rings, result.area]).toEqual([[1], 1600]);
  });

  it('cuts holes for excludes inside, and leaves excludes outside alone', async () => {
    const result = await merged([[rect(0, 0, 40, 40)], [rect(10, 10, 20, 20)], [rect(50, 0, 60, 10)]], [0], [1, 2]);
    expect([result.rings, result.area]).toEqual([[2], 1500]);
  });

  it('fills an enclave only when it is named, and an exclude of both wins', async () => {
    const boundaries = [HOLE_IN, [rect(10, 10, 30, 30)], [rect(0, 0, 40, 40)]];
    expect((await merged(boundaries, [0])).rings).toEqual([2]);
    expect((await merged(boundaries, [0, 1])).rings).toEqual([1]);
    expect((await merged(boundaries, [0, 1], [1])).rings).toEqual([2]);
    expect((await merged(boundaries, [2], [0])).area).toBe(400);
    expect((await merged(boundaries, [0, 1], [2])).rings).toEqual([]);
  });

  it.each([0, 1])(
    'leaves nothing of the common border of two excludes, on whichever side an include is (%i)',
    (side) => {
      const { table, refs } = arrange([[rect(0, 0, 10, 10)], [rect(10, 0, 20, 10)]]);
      const rings = ringsOf(mergeBoundaries(table, refs, [side], [0, 1]));
      expect(rings.refs.length).toBe(0);
    },
  );

  it('nests islands in holes in islands', async () => {
    const boundaries = [
      [rect(0, 0, 100, 100), rect(10, 10, 90, 90)],
      [rect(20, 20, 80, 80), rect(30, 30, 70, 70)],
      [rect(40, 40, 60, 60)],
    ];
    const result = await merged(boundaries, [2, 0, 1]);
    expect(result.rings).toEqual([2, 2, 1]);
    expect(nested(result.polygons).map((polygon) => polygon.map((ring) => ring[0]))).toEqual([
      [
        [0, 0],
        [10, 10],
      ],
      [
        [20, 20],
        [30, 30],
      ],
      [[40, 40]],
    ]);
  });

  it('keeps squares that touch in a corner apart', async () => {
    const result = await merged([[rect(0, 0, 10, 10)], [rect(10, 10, 20, 20)]], [0, 1]);
    expect(result.rings).toEqual([1, 1]);
  });

  it('makes a hole that touches its shell in one point a hole', async () => {
    const shell: Line = [
      [0, 0],
      [20, 0],
      [40, 0],
      [40, 40],
      [0, 40],
      [0, 0],
    ];
    const hole: Line = [
      [20, 0],
      [30, 20],
      [10, 20],
      [20, 0],
    ];
    const result = await merged([[shell], [hole]], [0], [1]);
    expect([result.rings, result.area]).toEqual([[2], 1400]);
  });

  it('splits a shell in two where a hole touches it twice', async () => {
    const shell: Line = [
      [0, 0],
      [20, 0],
      [40, 0],
      [40, 40],
      [20, 40],
      [0, 40],
      [0, 0],
    ];
    const hole: Line = [
      [20, 0],
      [30, 20],
      [20, 40],
      [10, 20],
      [20, 0],
    ];
    const result = await merged([[shell], [hole]], [0], [1]);
    expect([result.rings, result.area]).toEqual([[1, 1], 1200]);
  });

  it('keeps holes that touch each other apart', async () => {
    const holes: Line[] = [rect(10, 10, 20, 20), rect(20, 20, 30, 30), rect(10, 20, 20, 25)];
    const result = await merged([[rect(0, 0, 40, 40)], [defined(holes[0])], [defined(holes[1])]], [0], [1, 2]);
    expect([result.rings, result.area]).toEqual([[3], 1400]);
  });

  it('finds the island inside a ring of squares that touch in corners', async () => {
    // Four squares around a free middle, joined by their corners: four shells and no hole.
    const around = [rect(10, 0, 20, 10), rect(0, 10, 10, 20), rect(20, 10, 30, 20), rect(10, 20, 20, 30)];
    const open = await merged([around], [0]);
    expect(open.rings).toEqual([1, 1, 1, 1]);
    const filled = await merged([around, [rect(10, 10, 20, 20)]], [0, 1]);
    expect([filled.rings, filled.area]).toEqual([[1], 500]);
  });

  it('closes a ring-shaped union into a shell with a hole, islands in it touching or not', async () => {
    const left: Line = [
      [0, 0],
      [20, 0],
      [20, 10],
      [10, 20],
      [20, 30],
      [20, 40],
      [0, 40],
      [0, 0],
    ];
    const right: Line = [
      [20, 0],
      [40, 0],
      [40, 40],
      [20, 40],
      [20, 30],
      [30, 20],
      [20, 10],
      [20, 0],
    ];
    const island: Line = [
      [20, 10],
      [24, 20],
      [16, 20],
      [20, 10],
    ];
    expect((await merged([[left], [right]], [0, 1])).rings).toEqual([2]);
    expect((await merged([[left], [right], [island]], [0, 1, 2])).rings).toEqual([2, 1]);
  });

  it('stops when it is canceled', () => {
    const { table, refs } = arrange([[rect(0, 0, 10, 10)]]);
    expect(() => mergeBoundaries(table, refs, [0], [], () => true)).toThrowError(
      expect.objectContaining({ name: 'AbortError' }),
    );
  });

  it('gives up after as many steps as it may take, and not one before', () => {
    // 32 steps for each of the three arcs, and six for the second, which is sought in one arc of five vertices.
    const { table, refs } = arrange([[rect(0, 0, 10, 10)], [rect(1, 1, 9, 9)], [rect(2, 2, 8, 8)]]);
    const within = (steps: number) => mergeBoundaries(table, refs, [0, 1, 2], [], () => false, steps);
    const needed = Array.from({ length: 200 }, (_, i) => i).find((steps) => {
      try {
        return within(steps);
      } catch (error) {
        expect(error).toMatchObject({ name: 'TooManySteps' });
        return false;
      }
    });
    expect(needed).toBe(3 * 32 + 6);
    expect(within(3 * 32 + 6)).toEqual(mergeBoundaries(table, refs, [0, 1, 2], []));
  });

  it('reports trouble when a boundary runs over a sample of another', () => {
    // The same edge stored as one arc and as part of another: arcs that lie on each other.
    const table = tableOf([chain(rect(0, 0, 10, 10)), chain(rect(0, 0, 10, 6))]);
    const answer = mergeBoundaries(table, [Int32Array.of(0), Int32Array.of(1)], [0, 1], []);
    expect(reasonOf(answer)).toMatch(/lie on each other/);
  });
});

describe('stitch', () => {
  const square = chain(rect(0, 0, 10, 10));

  it('turns a ring walked forward into a shell and refuses one walked backward', () => {
    const table = tableOf([square]);
    const { refs, ringEnd, polygonEnd } = ringsOf(stitch(table, Int32Array.of(0)));
    expect([[...refs], [...ringEnd], [...polygonEnd]]).toEqual([[0], [1], [1]]);
    expect(reasonOf(stitch(table, Int32Array.of(~0)))).toMatch(/hole outside/);
  });

  it('names an open end and its place', () => {
    const table = tableOf([
      chain([
        [0, 0],
        [10, 0],
        [10, 10],
      ]),
      chain([
        [0, 0],
        [-3, 8],
      ]),
    ]);
    const answer = stitch(table, Int32Array.of(0, ~1));
    expect(answer).toEqual({ trouble: { reason: 'open ring', x: 10, y: 10 } });
  });

  it('refuses unequal in and out', () => {
    const table = tableOf([
      chain([
        [0, 0],
        [5, 9],
        [10, 0],
      ]),
      chain([
        [0, 0],
        [5, -9],
        [10, 0],
      ]),
    ]);
    expect(reasonOf(stitch(table, Int32Array.of(0, 1)))).toMatch(/unequal/);
  });

  it('refuses an arc given twice, in one direction or both', () => {
    const table = tableOf([
      chain([
        [0, 0],
        [-5, 5],
        [0, 10],
      ]),
      square,
    ]);
    expect(reasonOf(stitch(table, Int32Array.of(0, ~0)))).toMatch(/twice/);
    expect(reasonOf(stitch(table, Int32Array.of(1, 1)))).toMatch(/twice/);
  });

  it('refuses sectors that do not alternate', () => {
    // Two loops through one vertex, each counter-clockwise, that cross there.
    const table = tableOf([
      chain([
        [0, 0],
        [10, -1],
        [10, 10],
        [1, 10],
        [0, 0],
      ]),
      chain([
        [0, 0],
        [10, 5],
        [-10, 12],
        [0, 0],
      ]),
    ]);
    expect(reasonOf(stitch(table, Int32Array.of(0, 1)))).toMatch(/cross at a point/);
  });

  it('refuses rays that lie on each other', () => {
    const table = tableOf([
      chain([
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 0],
      ]),
      chain(
        [
          [0, 0],
          [20, 0],
          [20, -10],
          [0, 0],
        ].reverse() as [number, number][],
      ),
    ]);
    expect(reasonOf(stitch(table, Int32Array.of(0, 1)))).toMatch(/lie on each other/);
  });

  it('refuses a ring without area', () => {
    const table = tableOf([
      chain([
        [0, 0],
        [10, 10],
      ]),
      chain([
        [10, 10],
        [0, 0],
      ]),
    ]);
    expect(reasonOf(stitch(table, Int32Array.of(0, 1)))).toMatch(/without area/);
  });

  it('refuses two outlines in one walk', () => {
    // A bow tie whose lobes both run counter-clockwise, drawn so that each lobe's sector holds the other.
    const table = tableOf([
      chain([
        [0, 0],
        [5, -5],
        [5, 5],
        [0, 0],
      ]),
      chain([
        [0, 0],
        [1, 3],
        [-8, 8],
        [-8, -8],
        [1, -3],
        [0, 0],
      ]),
    ]);
    expect('trouble' in stitch(table, Int32Array.of(0, ~1))).toBe(true);
  });

  it('gives the same order for every order of the arcs', () => {
    const rings = [rect(0, 0, 40, 40), rect(10, 10, 20, 20), rect(25, 25, 30, 30), rect(12, 12, 14, 14)];
    const table = tableOf(rings.map(chain));
    const wanted = ringsOf(stitch(table, Int32Array.of(0, ~1, ~2, 3)));
    expect([...wanted.refs]).toEqual([0, ~1, ~2, 3]);
    expect([...wanted.polygonEnd]).toEqual([3, 4]);
    for (const refs of [
      [3, ~2, ~1, 0],
      [~1, 3, 0, ~2],
      [~2, 0, 3, ~1],
    ]) {
      expect(ringsOf(stitch(table, Int32Array.from(refs)))).toEqual(wanted);
    }
  });

  it('works at the edges of the int32 range', () => {
    const [low, high] = [-(2 ** 31), 2 ** 31 - 1];
    const table = tableOf([chain(rect(low, low, high, high)), chain(rect(low + 1, low + 1, high - 1, high - 1))]);
    const { polygonEnd, ringEnd } = ringsOf(stitch(table, Int32Array.of(0, ~1)));
    expect([ringEnd.length, polygonEnd.length]).toEqual([2, 1]);
  });
});
