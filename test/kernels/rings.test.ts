import { describe, expect, it } from 'vitest';
import { cutChains } from '../../workers/arcs/cut.ts';
import { isValid } from '../../workers/arcs/overlay.ts';
import { assembleRings } from '../../workers/arcs/rings.ts';
import {
  chain,
  type Line,
  nested,
  planeArea,
  polygonsOf,
  random,
  reasonOf,
  rect,
  ringsOf,
  subdivision,
  tableOf,
} from './topology.ts';

/** Cuts lines and assembles them all; what comes out is checked to be valid. */
async function assembled(lines: readonly Line[]) {
  const answer = assemble(lines);
  const polygons = polygonsOf(answer.table, ringsOf(answer.result));
  expect(await isValid(polygons)).toBeNull();
  return { rings: nested(polygons).map((polygon) => polygon.length), area: planeArea(polygons) / 2 };
}

function assemble(lines: readonly Line[]) {
  const { arcs, refs } = cutChains(lines.map(chain));
  const table = tableOf(arcs);
  const walked = refs.flatMap((list) => [...list]).map((ref) => (ref < 0 ? ~ref : ref));
  return { table, result: assembleRings(table, Int32Array.from(walked)) };
}

describe('assembleRings', () => {
  it('joins ways in any order and direction', async () => {
    const ways: Line[] = [
      [
        [0, 0],
        [10, 0],
      ],
      [
        [10, 10],
        [10, 5],
        [10, 0],
      ],
      [
        [0, 0],
        [0, 10],
        [10, 10],
      ],
    ];
    expect(await assembled(ways)).toEqual({ rings: [1], area: 100 });
    expect(await assembled([...ways].reverse())).toEqual({ rings: [1], area: 100 });
  });

  it('takes rings inside rings for holes and islands, whatever way they run', async () => {
    const lines = [rect(0, 0, 90, 90), [...rect(10, 10, 80, 80)].reverse(), rect(20, 20, 70, 70), rect(30, 30, 40, 40)];
    expect(await assembled(lines)).toEqual({ rings: [2, 2], area: 8100 - 4900 + 2500 - 100 });
  });

  it('cancels equal arcs in pairs: adjacent outers join, touching inners too', async () => {
    expect(await assembled([rect(0, 0, 10, 10), rect(10, 0, 20, 10)])).toEqual({ rings: [1], area: 200 });
    const inners = [rect(0, 0, 40, 40), rect(10, 10, 20, 20), rect(20, 10, 30, 20)];
    expect(await assembled(inners)).toEqual({ rings: [2], area: 1400 });
  });

  it('keeps one of three equal arcs', async () => {
    const border: Line = [
      [10, 0],
      [10, 10],
    ];
    const lines = [rect(0, 0, 10, 10), border, border];
    expect(await assembled(lines)).toEqual({ rings: [1], area: 100 });
  });

  it('resolves touching rings: corner to corner, hole to shell, eight', async () => {
    expect((await assembled([rect(0, 0, 10, 10), rect(10, 10, 20, 20)])).rings).toEqual([1, 1]);
    const shell: Line = [
      [0, 0],
      [20, 0],
      [40, 0],
      [40, 40],
      [0, 40],
      [0, 0],
    ];
    expect(
      (
        await assembled([
          shell,
          [
            [20, 0],
            [30, 20],
            [10, 20],
            [20, 0],
          ],
        ])
      ).rings,
    ).toEqual([2]);
    const eight: Line = [
      [0, 0],
      [10, 10],
      [20, 0],
      [20, 20],
      [10, 10],
      [0, 20],
      [0, 0],
    ];
    expect((await assembled([eight])).rings).toEqual([1, 1]);
  });

  it('drops a spike that is walked there and back', async () => {
    const spike: Line = [
      [0, 0],
      [10, 0],
      [15, 0],
      [10, 0],
      [10, 10],
      [0, 10],
      [0, 0],
    ];
    expect(await assembled([spike])).toEqual({ rings: [1], area: 100 });
  });

  it('names the place of an open ring and never closes it', () => {
    const { result } = assemble([
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [0, 10],
      ],
      [
        [0, 10],
        [0, 5],
      ],
    ]);
    expect(result).toEqual({ trouble: { reason: 'open ring', x: 0, y: 0 } });
    const dead = assemble([
      rect(0, 0, 10, 10),
      [
        [10, 10],
        [14, 14],
      ],
    ]);
    expect(reasonOf(dead.result)).toBe('open ring');
  });

  it('is in trouble without ways, and when everything cancels', () => {
    expect(reasonOf(assembleRings(tableOf([]), new Int32Array(0)))).toBe('no member ways');
    expect(reasonOf(assemble([rect(0, 0, 10, 10), rect(0, 0, 10, 10)]).result)).toMatch(/used twice/);
    expect(
      reasonOf(
        assemble([
          [
            [5, 5],
            [9, 9],
            [5, 5],
          ],
        ]).result,
      ),
    ).toMatch(/used twice/);
  });

  it('refuses ways that lie on each other', () => {
    const a: Line = [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
      [0, 0],
    ];
    const table = tableOf([
      chain(a),
      chain([
        [0, 0],
        [4, 0],
        [4, -4],
        [0, 0],
      ]),
    ]);
    expect('trouble' in assembleRings(table, Int32Array.of(0, 1))).toBe(true);
  });

  it('gives any even-odd selection of faces the area of the faces, and valid polygons', async () => {
    for (let seed = 1; seed <= 80; seed++) {
      const next = random(1000 + seed);
      const faces = subdivision(next, 2 + Math.floor(next() * 5), 2 + Math.floor(next() * 5));
      const chosen = faces.filter(() => next() < 0.5);
      if (chosen.length === 0) continue;
      const whole = planeArea({
        coords: Int32Array.from(chosen.flat().flat()),
        ringEnd: Uint32Array.from(
          chosen.map((_, i) => chosen.slice(0, i + 1).reduce((sum, face) => sum + face.length, 0)),
        ),
        polygonEnd: Uint32Array.from(chosen.map((_, i) => i + 1)),
      });
      expect((await assembled(chosen)).area).toBe(whole / 2);
    }
  });
});
