import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { expect, it } from 'vitest';
import { intersectionShare, isValid, overlay } from '../../workers/arcs/overlay.ts';
import { flatten, type Line } from './topology.ts';

/**
 * Rio Arriba (FIPS 35039) and the same turned by 1e-9 radians: the overlay that the embedded database's own PostGIS
 * loses without a word (electric-sql/pglite issue 916). Through our overlay it has an answer.
 */
it('has an answer for the county that the embedded PostGIS loses', async () => {
  const topology = createRequire(import.meta.url)('us-atlas/counties-10m.json') as Topology<{
    counties: GeometryCollection;
  }>;
  const county = feature(topology, topology.objects.counties).features.find(({ id }) => id === '35039');
  if (county?.geometry.type !== 'Polygon') throw new Error('the county is not a polygon');
  const rings = county.geometry.coordinates as unknown as Line[];
  const turned = (angle: number): Line[] =>
    rings.map((ring) =>
      ring.map(([x, y]): [number, number] => {
        const [dx, dy] = [x + 106.7, y - 36.5];
        return [
          Math.round((dx * Math.cos(angle) - dy * Math.sin(angle) - 106.7) * 1e7),
          Math.round((dx * Math.sin(angle) + dy * Math.cos(angle) + 36.5) * 1e7),
        ];
      }),
    );
  const straight = flatten([turned(0)]);
  for (const angle of [1e-9, 1e-8, 1e-7]) {
    const other = flatten([turned(angle)]);
    expect(await intersectionShare(straight, other)).toBeCloseTo(1, 4);
    const union = await overlay([straight, other], []);
    expect(union.polygonEnd.length).toBeGreaterThan(0);
    expect(await isValid(union)).toBeNull();
  }
});
