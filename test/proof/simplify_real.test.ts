import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { isValid } from '../../workers/arcs/overlay.ts';
import { END_CLASSES, FULL, LEVELS } from '../../workers/contract.ts';
import {
  type Cut,
  classMembers,
  crossings,
  cutShapes,
  type Ring,
  type Shape,
  segmentsOf,
  tableOf,
} from '../kernels/simplify_support.ts';

const dir = process.env.REAL_DATA_DIR;
const osmium = spawnSync('osmium', ['--version']).status === 0;

/** The administrative and postcode areas of an OSM file that assemble to polygons. */
function readShapes(file: string): Shape[] {
  const lines = execFileSync(
    'osmium',
    ['export', file, '--geometry-types=polygon', '-f', 'geojsonseq', '-x', 'print_record_separator=false'],
    { maxBuffer: 2 ** 28, encoding: 'utf8' },
  );
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const { geometry, properties } = JSON.parse(line) as {
        geometry: GeoJSON.Polygon | GeoJSON.MultiPolygon;
        properties: { admin_level?: string };
      };
      const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
      return {
        adminLevel: Number(properties.admin_level) || END_CLASSES,
        polygons: polygons.map((polygon) =>
          polygon.map(
            (ring): Ring => ring.slice(1).map(([x, y]) => [Math.round(defined(x) * 1e7), Math.round(defined(y) * 1e7)]),
          ),
        ),
      };
    });
}

const FILES = ['luxembourg-2018-boundaries', 'liechtenstein-2024', 'anhui-cn-2017', 'malta-2018'];

describe.skipIf(!dir || !osmium)('detail tiers of real boundaries (REAL_DATA_DIR and osmium)', () => {
  describe.each(FILES)('%s', (name) => {
    let cut: Cut;
    let table: ReturnType<typeof tableOf>;
    beforeAll(() => {
      // Every 37th place or so is an arc end though no junction, about as often as OSM's ways end.
      cut = cutShapes(readShapes(join(dir!, 'osm', `${name}.boundaries.osm.pbf`)), ([x, y]) => (x + 3 * y) % 37 === 0);
      table = tableOf(cut);
    });

    it('have no crossing at any level that the full geometry does not have', () => {
      const classes = [...new Set(cut.boundaries.map((b) => b.adminLevel - 1))];
      for (const endClass of classes) {
        const members = classMembers(cut, endClass);
        const full = crossings(segmentsOf(members.map((b) => materialize(table, b, FULL, endClass))));
        expect(full, `class ${endClass}`).toBe(0);
        for (let level = 0; level < LEVELS; level++) {
          const laid = members.map((b) => materialize(table, b, level, endClass));
          expect(crossings(segmentsOf(laid)), `level ${level}, class ${endClass}`).toBe(0);
        }
      }
    });

    it('are valid polygons', async () => {
      for (const boundary of cut.boundaries) {
        for (let level = 0; level < LEVELS; level++) {
          const laid = materialize(table, boundary, level, boundary.adminLevel - 1);
          expect(laid.polygonEnd.length).toBeGreaterThan(0);
          expect(await isValid(laid), `level ${level}`).toBeNull();
        }
      }
    });
  });

  it('leave Luxembourg about as many vertices as engine.md counts', () => {
    const cut = cutShapes(readShapes(join(dir!, 'osm', 'luxembourg-2018-boundaries.boundaries.osm.pbf')));
    const { weights, point } = { ...tableOf(cut), point: new Set<string>() };
    expect(weights.length).toBeGreaterThan(115_000);
    // 13,506, 6,107 and 2,627 there, with the ends of ways kept.
    for (const [level, low, high] of [
      [4, 10_000, 14_000],
      [6, 4_000, 6_500],
      [8, 1_300, 2_800],
    ]) {
      point.clear();
      for (let v = 0; v < weights.length; v++) {
        if (defined(weights[v]) > defined(level)) point.add(`${cut.coords[2 * v]} ${cut.coords[2 * v + 1]}`);
      }
      expect(point.size).toBeGreaterThan(defined(low));
      expect(point.size).toBeLessThan(defined(high));
    }
  });
});
