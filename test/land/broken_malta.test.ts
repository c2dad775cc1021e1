import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOsmFile } from '../../src/sources/osm/read.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { landOf } from '../../workers/arcs/land.ts';

const dataDir = process.env.REAL_DATA_DIR;

describe.skipIf(!dataDir)('the coast of Malta with a way that is missing or turned', () => {
  it('leaves most councils known, and none with other land than it has', async () => {
    const file = join(dataDir as string, 'osm/malta-2018.coast-and-boundaries.osm.pbf');
    const extract = await readOsmFile(file);
    const { boundaries } = toSourceBoundaries(extract);
    const number = new Map<number, number>();
    const arcs: Int32Array[] = [];
    const refs: number[] = [];
    const refEnd: number[] = [];
    for (const { border } of boundaries) {
      const coords = 'ways' in border ? border.ways.map((way) => extract.ways.get(way)?.coords ?? null) : [null];
      if (coords.includes(null) || !('ways' in border)) continue;
      border.ways.forEach((way, i) => {
        if (!number.has(way)) number.set(way, arcs.push(coords[i] as Int32Array) - 1);
        refs.push(number.get(way) as number);
      });
      refEnd.push(refs.length);
    }
    const lines = (extract.coast ?? []).flatMap(({ coords }) => (coords === null ? [] : [coords]));
    const solve = (coast: readonly Int32Array[]) =>
      landOf({
        ...{ arcs, refs: Uint32Array.from(refs), refEnd: Uint32Array.from(refEnd), coast },
        ...{ isPolygons: false, gapMeters: 50 },
      }).boundaries;
    const doubled = (rings: readonly Int32Array[]) => {
      let sum = 0;
      for (const ring of rings)
        for (let i = 2; i < ring.length; i += 2)
          sum +=
            ((ring[i - 2] as number) - 144_000_000) * (ring[i + 1] as number) -
            ((ring[i] as number) - 144_000_000) * (ring[i - 1] as number);
      return sum;
    };
    const whole = solve(lines).map((one) => ('land' in one ? doubled(one.land) : null));
    expect(whole.length).toBeGreaterThan(70);
    // The longest ways that are not islands of their own: a ring that is missing or turned contradicts nothing.
    const open = lines.flatMap((line, i) =>
      line[0] === line.at(-2) && line[1] === line.at(-1) ? [] : [{ i, length: line.length }],
    );
    open.sort((a, b) => b.length - a.length);
    const turned = (line: Int32Array) => line.map((_, k) => line[line.length - 2 - (k & ~1) + (k & 1)] as number);
    const outcomes: { readonly wrong: readonly number[]; readonly unknown: number }[] = [];
    for (const { i } of open.slice(0, 5)) {
      for (const coast of [lines.filter((_, k) => k !== i), lines.map((line, k) => (k === i ? turned(line) : line))]) {
        const wrong: number[] = [];
        let unknown = 0;
        solve(coast).forEach((one, b) => {
          if (!('land' in one)) unknown++;
          else if (Math.abs(doubled(one.land) - (whole[b] as number)) > 1e-6 * Math.abs(whole[b] as number) + 1e6)
            wrong.push(b);
        });
        outcomes.push({ wrong, unknown });
      }
    }
    for (const { wrong, unknown } of outcomes) {
      expect(wrong).toEqual([]);
      expect(unknown).toBeGreaterThan(0);
      expect(unknown).toBeLessThan(15);
    }
  }, 120_000);
});
