import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataDir, openHouse } from '../proof/house.ts';

const FILES = [
  'osm/luxembourg-2018-boundaries.boundaries.osm.pbf',
  'osm/liechtenstein-2024.boundaries.osm.pbf',
  'osm/malta-2018.boundaries.osm.pbf',
  'osm/anhui-cn-2017.boundaries.osm.pbf',
];

describe.skipIf(!dataDir)('the centroid of real boundaries (REAL_DATA_DIR)', () => {
  it('of Tokyo lies on its mainland, where its seat is and not its label at sea', async () => {
    const house = await openHouse(join('overpass', 'tokyodo.json'));
    try {
      const [{ lat, lon }] = await house.test.db.query<{ lat: number; lon: number }>(
        `select lat::float8 / 1e7 as lat, lon::float8 / 1e7 as lon from boundary where id = 'r1543125'`,
      );
      expect(lat).toBeGreaterThan(35.5);
      expect(lat).toBeLessThan(35.9);
      expect(lon).toBeGreaterThan(138.9);
      expect(lon).toBeLessThan(139.95);
    } finally {
      await house.close();
    }
  });

  it.each(FILES)('of every boundary of %s lies inside it, and at its label where that is inside', async (file) => {
    const house = await openHouse(file);
    try {
      const rows = await house.test.db.query<{ id: string; inside: boolean }>(
        `select b.id, st_contains(s.geom, st_setsrid(st_makepoint(b.lon / 1e7, b.lat / 1e7), 4326)) as inside
         from boundary b join boundary_shape s on s.boundary_id = b.id`,
      );
      expect(rows.length).toBeGreaterThan(10);
      expect(rows.filter(({ inside }) => !inside)).toEqual([]);
      const [{ unknown }] = await house.test.db.query<{ unknown: number }>(
        'select count(*)::integer as unknown from osm_node where x is null or y is null',
      );
      expect(unknown).toBe(0);
    } finally {
      await house.close();
    }
  });
});
