import { expect, it } from 'vitest';
import { seeded } from '../../src/bench/random.ts';
import { Turns } from '../../src/common/turns.ts';
import { type Box, isNear } from '../../src/ops/areas/shores/boxes.ts';
import type { Land } from '../../src/ops/areas/shores/land.ts';
import { LandIndex } from '../../src/ops/areas/shores/land_index.ts';
import { countWork } from '../setup/work.ts';

/** Lands as rows of arcs beside each other, and boxes of the arcs; every seventh arc has none. */
function made(lands: number, arcs: number, seed: number): { lands: Land[]; boxes: Map<number, Box> } {
  const random = seeded(seed);
  const boxes = new Map<number, Box>();
  let id = 0;
  const all = Array.from({ length: lands }, (_, k): Land => {
    const y = Math.round(random() * 2e8 - 1e8);
    let x = Math.round(random() * 3e9 - 1.5e9);
    const refs = Array.from({ length: arcs }, () => {
      const [width, height] = [Math.round(random() * 3e6), Math.round(random() * 3e6)];
      id++;
      if (id % 7 !== 0) boxes.set(id, [x, y, x + width, y + height]);
      x += width;
      return random() < 0.5 ? id : -id;
    });
    return { id: `r${k}`, source: `s${k % 2}`, seed: false, arcs: refs };
  });
  return { lands: all, boxes };
}

it('finds the lands near a box that a comparison with all arcs finds', async () => {
  const { lands, boxes } = made(60, 100, 11);
  const turns = new Turns();
  const index = await LandIndex.of(lands, boxes, turns);
  let found = 0;
  for (const box of boxes.values()) {
    const near = await index.near(box, lands, turns);
    const all = lands.filter(({ arcs }) => arcs.some((arc) => isNear(box, boxes.get(Math.abs(arc)))));
    expect(near).toEqual(all);
    found += near.length;
  }
  expect(found).toBeGreaterThan(boxes.size);
  expect(await index.near([0, 0, 1, 1], [], turns)).toEqual([]);
});

it('compares a number of boxes for each arc that hardly grows with the arcs of the lands', async () => {
  const workOf = async (arcs: number): Promise<number> => {
    const { lands, boxes } = made(20, arcs, 5);
    const work = await countWork(async () => {
      const turns = new Turns();
      const index = await LandIndex.of(lands, boxes, turns);
      for (const box of boxes.values()) await index.near(box, lands, turns);
    });
    return work.total / boxes.size;
  };
  // A comparison with all arcs has four times the work for each.
  expect((await workOf(1_600)) / (await workOf(400))).toBeLessThan(2);
});
