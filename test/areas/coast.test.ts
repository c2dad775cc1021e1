import { describe, expect, it } from 'vitest';
import { Turns } from '../../src/common/turns.ts';
import {
  type ArcEnds,
  isInRing,
  openArcs,
  openRuns,
  pointsAround,
  pointsBeside,
  shoresOf,
  verticesOf,
} from '../../src/domain/areas/coast.ts';
import { cutAlong } from '../../src/domain/areas/kept_shores.ts';

const bytesOf = (vertices: readonly (readonly [number, number])[]): Uint8Array =>
  new Uint8Array(Int32Array.from(vertices.flat()).buffer);

/** An arc of some vertices; its area is that below it on the plane, with the sign that stored arcs have. */
function arc(id: number, ...vertices: [number, number][]): ArcEnds {
  let area = 0;
  for (let i = 1; i < vertices.length; i++) {
    const [a, b] = [vertices[i - 1] as [number, number], vertices[i] as [number, number]];
    area += ((b[0] - a[0]) * (a[1] + b[1])) / 2;
  }
  return { id, area, turn: 0, head: bytesOf(vertices.slice(0, 2)), tail: bytesOf(vertices.slice(-2)) };
}

const sorted = async (open: readonly number[], ends: readonly ArcEnds[]) =>
  (await shoresOf(open, ends)).map(({ arcs, sort }) => `${sort} ${[...arcs].sort((a, b) => a - b).join()}`).sort();

describe('shores', () => {
  // Two lands side by side, and a lake that both have a part of.
  const [west, east] = [arc(1, [4, 0], [10, 0], [10, 10], [4, 10]), arc(2, [4, 10], [0, 10], [0, 0], [4, 0])];
  const [north, south] = [arc(3, [4, 10], [4, 7]), arc(4, [4, 3], [4, 0])];
  const [lakeEast, lakeWest] = [arc(5, [4, 7], [6, 5], [4, 3]), arc(6, [4, 3], [2, 5], [4, 7])];
  const ends = [west, east, north, south, lakeEast, lakeWest];
  const lands = [
    [1, 3, 5, 4],
    [2, -4, 6, -3],
  ];

  it('are made of the arcs that have land on one side', async () => {
    expect((await openArcs(lands)).sort()).toEqual([1, 2, 5, 6]);
    expect(await openArcs([...lands, [1]])).toContain(1);
  });

  it('are around land, or around what land encloses', async () => {
    expect(await sorted(await openArcs(lands), ends)).toEqual(['inner 5,6', 'outer 1,2']);
  });

  it('that do not close are broken', async () => {
    expect(await sorted([1, 5, 6], ends)).toEqual(['broken 1', 'inner 5,6']);
  });

  it('of a lake that touches the sea in one point stay two', async () => {
    const [outside, inside] = [
      arc(1, [0, 0], [10, 0], [10, 10], [0, 10], [0, 0]),
      arc(2, [0, 0], [2, 4], [4, 2], [0, 0]),
    ];
    expect(await sorted([1, 2], [outside, inside])).toEqual(['inner 2', 'outer 1']);
  });
});

describe('places beside an arc', () => {
  it('are on its right side, as far as is said', () => {
    const northward = [
      [0, 0],
      [0, 1_000_000],
    ] as const;
    const [place] = pointsBeside(northward, 11_100, 4);
    expect(place).toEqual([expect.any(Number), 500_000]);
    expect((place?.[0] ?? 0) / 1e7).toBeCloseTo(0.1, 3);
    const [back] = pointsBeside([...northward].reverse(), 11_100, 4);
    expect((back?.[0] ?? 0) / 1e7).toBeCloseTo(-0.1, 3);
  });

  it('are as far apart in longitude as meters say at their latitude', () => {
    const [, , east] = pointsAround([0, 600_000_000], 11_100);
    expect((east?.[0] ?? 0) / 1e7).toBeCloseTo(0.2, 3);
  });

  it('are in a ring or not', () => {
    const ring = verticesOf(
      -1,
      bytesOf([
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
        [0, 0],
      ]),
    );
    expect([isInRing([5, 5], ring), isInRing([15, 5], ring), isInRing([5, -1], ring)]).toEqual([true, false, false]);
  });
});

describe('borders with the same vertices, but not the same arcs', () => {
  // Two squares side by side. The border of the right one begins in the middle of the border between them.
  const left: [number, number][] = [
    [0, 0],
    [10, 0],
    [10, 5],
    [10, 10],
    [0, 10],
    [0, 0],
  ];
  const right: [number, number][] = [
    [10, 5],
    [10, 0],
    [20, 0],
    [20, 10],
    [10, 10],
    [10, 5],
  ];

  it('are open where no other has the edge in the other direction', async () => {
    expect(await openRuns([left, right])).toEqual([
      {
        chain: 0,
        vertices: [
          [10, 10],
          [0, 10],
          [0, 0],
          [10, 0],
        ],
      },
      {
        chain: 1,
        vertices: [
          [10, 0],
          [20, 0],
          [20, 10],
          [10, 10],
        ],
      },
    ]);
    expect(await openRuns([left])).toEqual([{ chain: 0, vertices: left }]);
    expect(await openRuns([left, [...left].reverse()])).toEqual([]);
  });

  it('are cut into pieces that close to shores', async () => {
    const own = new Map([
      [-7, left],
      [
        8,
        [
          [50, 50],
          [60, 50],
          [60, 60],
          [50, 50],
        ] as [number, number][],
      ],
      [
        9,
        [
          [10, 0],
          [10, 5],
          [10, 10],
        ] as [number, number][],
      ],
    ]);
    const { ofArcs, ofLands } = await cutAlong(own, new Map([['land', [right]]]), new Turns());
    expect([...ofArcs].map(([arc, pieces]) => [arc, pieces.length])).toEqual([
      [7, 1],
      [9, 0],
    ]);
    const pieces = [...(ofArcs.get(7) ?? []), ...(ofLands.get('land') ?? [])];
    expect(pieces.map(({ west, south, east, north }) => [west, south, east, north])).toEqual([
      [0, 0, 10, 10],
      [10, 0, 20, 10],
    ]);
    const shores = await shoresOf(
      pieces.map(({ id }) => id),
      pieces,
    );
    expect(shores.map(({ arcs, sort }) => [arcs.length, sort])).toEqual([[2, 'outer']]);
  });
});
