import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { type Polygon, poleOf } from '../../workers/arcs/pole.ts';
import { defined } from '../../workers/defined.ts';
import { closed } from '../setup/elements.ts';
import { random } from './topology.ts';

type Ring = readonly (readonly [number, number])[];

function polygonOf(rings: readonly Ring[]): Polygon {
  const coords = Int32Array.from(rings.flat(2));
  const [starts, ends]: [number[], number[]] = [[], []];
  let at = 0;
  for (const ring of rings) {
    starts.push(at);
    at += 2 * ring.length;
    ends.push(at - 2);
  }
  return { coords, starts, ends };
}

/** Distance of a place from the border, longitude shortened; negative outside. */
function clearance({ coords, starts, ends }: Polygon, x: number, y: number, shorten: number): number {
  let least = Number.POSITIVE_INFINITY;
  let inside = false;
  for (let r = 0; r < starts.length; r++) {
    for (let i = defined(starts[r]); i < defined(ends[r]); i += 2) {
      const [ax, ay] = [(defined(coords[i]) - x) * shorten, defined(coords[i + 1]) - y];
      const [bx, by] = [(defined(coords[i + 2]) - x) * shorten, defined(coords[i + 3]) - y];
      if (ay > 0 !== by > 0 && ax - (ay / (by - ay)) * (bx - ax) > 0) inside = !inside;
      const [dx, dy] = [bx - ax, by - ay];
      const along = dx * dx + dy * dy;
      const t = along === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / along));
      least = Math.min(least, Math.hypot(ax + t * dx, ay + t * dy));
    }
  }
  return inside ? least : -least;
}

/** Share of the greatest distance from the border that any of 25 x 25 places over the box has. */
function shareOfBest(polygon: Polygon, shorten: number): number {
  const { coords, starts, ends } = polygon;
  const xs = coords.slice(starts[0], defined(ends[0]) + 2).filter((_, i) => i % 2 === 0);
  const ys = coords.slice(starts[0], defined(ends[0]) + 2).filter((_, i) => i % 2 === 1);
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const;
  const [west, south, east, north] = box;
  let best = 0;
  for (let i = 0; i < 25; i++)
    for (let j = 0; j < 25; j++) {
      const x = west + ((i + 0.5) / 25) * (east - west);
      const y = south + ((j + 0.5) / 25) * (north - south);
      best = Math.max(best, clearance(polygon, x, y, shorten));
    }
  const pole = poleOf(polygon, box, [west, south], shorten);
  return pole === null ? Number.NEGATIVE_INFINITY : clearance(polygon, ...pole, shorten) / best;
}

/** A closed ring about (0, 0): waves of several sizes, then a jitter of the vertices, as traced borders have. */
function wavy(seed: number, vertices: number, radius: number, jitter: number): Ring {
  const next = random(seed);
  const waves = Array.from({ length: 4 }, (_, k) => [2 + k * 3, (0.25 * next()) / (k + 1), next() * 7]);
  const ring = Array.from({ length: vertices }, (_, k) => {
    const angle = (2 * Math.PI * k) / vertices;
    let distance = 1 + jitter * (next() - 0.5);
    for (const [count, height, phase] of waves)
      distance += defined(height) * Math.sin(defined(count) * angle + defined(phase));
    return [Math.round(radius * distance * Math.cos(angle)), Math.round(radius * distance * Math.sin(angle))] as const;
  });
  return closed(ring);
}

/** A corridor of `width` that turns `turns` times round in a spiral, with a vertex every few degrees. */
function spiral(turns: number, width: number): Ring {
  const steps = 90 * turns;
  const at = (k: number, off: number) => {
    const angle = (2 * Math.PI * k) / 90;
    const radius = 4 * width + (2 * width * k) / 90 + off;
    return [Math.round(radius * Math.cos(angle)), Math.round(radius * Math.sin(angle))] as const;
  };
  const outward = Array.from({ length: steps }, (_, k) => at(k, 0));
  const back = Array.from({ length: steps }, (_, k) => at(steps - 1 - k, width));
  return [...outward, ...back, defined(outward[0])];
}

describe('poleOf on borders that are thinned', () => {
  it('is inside random rings, as far from the border as documented', () => {
    for (let seed = 1; seed <= 15; seed++) {
      const next = random(1000 + seed);
      const ring = wavy(seed, 150 + Math.floor(next() * 1500), 10 ** (3 + 5 * next()), 0.02 * (seed % 6));
      expect(shareOfBest(polygonOf([ring]), 0.3 + 0.7 * next()), `seed ${seed}`).toBeGreaterThan(0.8);
    }
  });

  it('keeps clear of holes, however small the thinned one is', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const hole = wavy(seed + 50, 120, 10 ** (1 + (seed % 6)), 0.05).map(([x, y]) => [x + 100_000, y] as const);
      const polygon = polygonOf([wavy(seed, 900, 10_000_000, 0.05), hole]);
      expect(shareOfBest(polygon, 0.7), `seed ${seed}`).toBeGreaterThan(0.8);
    }
  });

  it('searches the full border where the thinned one is too near: a narrow spiral', () => {
    for (const turns of [4, 12, 40]) {
      const [ring, width] = [spiral(turns, 10_000), 10_000];
      const polygon = polygonOf([ring]);
      const reach = Math.max(...ring.flat());
      const pole = poleOf(polygon, [-reach, -reach, reach, reach], [0, 0], 1);
      expect(pole, `${turns} turns`).not.toBeNull();
      if (pole) expect(clearance(polygon, ...pole, 1), `${turns} turns`).toBeGreaterThan(0.3 * width);
    }
  });

  test.skipIf(!process.env.REAL_DATA_DIR)('is as far from the border of real municipalities', () => {
    const file = join(process.env.REAL_DATA_DIR ?? '', 'coverage', 'it-comuni.geojson.gz');
    const { features } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as GeoJSON.FeatureCollection;
    const long = features.flatMap(({ geometry }) => {
      const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : [];
      return polygons.filter(([shell]) => defined(shell).length > 300);
    });
    expect(long.length).toBeGreaterThan(100);
    for (const rings of long.slice(0, 40)) {
      const grid = rings.map((ring) =>
        ring.map(([x, y]) => [Math.round(defined(x) * 1e7), Math.round(defined(y) * 1e7)] as const),
      );
      expect(shareOfBest(polygonOf(grid), 0.73), JSON.stringify(defined(rings[0])[0])).toBeGreaterThan(0.8);
    }
  });
});
