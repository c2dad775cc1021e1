import { describe, expect, it } from 'vitest';
import { polygonsArea, ringsArea } from '../../workers/arcs/area.ts';
import { refsBox } from '../../workers/arcs/box.ts';
import { arcRows, walkedArcs } from '../../workers/arcs/common_area.ts';
import { Crossings, crossedArea } from '../../workers/arcs/crossed_area.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { openIntersections } from '../../workers/arcs/overlay.ts';
import { FULL, type Polygons } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { crossingWorld } from '../proof/worlds.ts';

/** From this seed on there is one where an overlay that is not on the grid finds nothing of 1.3 km2. */
const SEED = Number(process.env.SEED ?? 20261145);
/** A grid unit in meters, which GEOS moves a border at most: a narrower strip may be nothing to it. */
const UNIT = 0.01114;

/** An upper bound of the length of all rings, in meters. */
function perimeter({ coords, ringEnd }: Polygons): number {
  let sum = 0;
  let from = 0;
  for (const end of ringEnd) {
    for (let v = from + 1; v < end; v++)
      sum += Math.hypot(
        defined(coords[2 * v]) - defined(coords[2 * v - 2]),
        defined(coords[2 * v + 1]) - defined(coords[2 * v - 1]),
      );
    from = end;
  }
  return sum * UNIT;
}

describe('the common area of boundaries whose borders cross', () => {
  it('is that of an overlay, within what rounding moves its border', { timeout: 300_000 }, async () => {
    let [crossed, left] = [0, 0];
    for (let seed = SEED; seed < SEED + 6; seed++) {
      const { arcs, boundaries, conflicts } = crossingWorld(seed);
      // As leases list them: recorded with both arcs.
      const pairs = Int32Array.from(conflicts.flatMap(({ a, b }) => [a, b, b, a]));
      const crossings = new Crossings(arcs, pairs, () => false);
      const all = boundaries.map(({ rings: { refs } }) => {
        const rows = arcRows(arcs, refs);
        return { refs, walked: walkedArcs(refs), box: Int32Array.from(refsBox(arcs, refs)), rows };
      });
      const shapes = boundaries.map(({ rings }) => materialize(arcs, rings, FULL, 0));
      const border = shapes.map(perimeter);
      const overlays = await openIntersections((k) => defined(shapes[k]));
      try {
        for (let i = 0; i < all.length; i++) {
          for (let j = i + 1; j < all.length; j++) {
            const most = Math.min(
              ringsArea(arcs, defined(boundaries[i]).rings),
              ringsArea(arcs, defined(boundaries[j]).rings),
            );
            if (!crossings.between(defined(all[i]), defined(all[j]))) continue;
            const ours = crossedArea(arcs, crossings, defined(all[i]), defined(all[j]), most);
            if (ours === null) {
              left++;
              continue;
            }
            crossed++;
            const theirs = polygonsArea(overlays.of(i, j));
            const slack = UNIT * Math.min(defined(border[i]), defined(border[j])) + 1e-9 * theirs + 1e-3;
            const name = `seed ${seed}: ${defined(boundaries[i]).id}, ${defined(boundaries[j]).id}`;
            expect(Math.abs(ours.area - theirs), name).toBeLessThanOrEqual(slack);
          }
        }
      } finally {
        overlays.release();
      }
    }
    // What is left for an overlay touches or overlaps.
    expect(crossed).toBeGreaterThan(2 * left);
  });
});
