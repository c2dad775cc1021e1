import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { dataDir, openEnvironment } from '../proof/environment.ts';

/** With how many labels inside their boundary at least. */
const FILES: [string, number][] = [
  ['osm/luxembourg-2018-boundaries.boundaries.osm.pbf', 1],
  ['osm/liechtenstein-2024.boundaries.osm.pbf', 1],
  ['osm/malta-2018.boundaries.osm.pbf', 60],
  ['osm/anhui-cn-2017.boundaries.osm.pbf', 2],
];

describe.skipIf(!dataDir)('the centroid of real boundaries (REAL_DATA_DIR)', () => {
  it('of Tokyo lies on its mainland, where its seat is and not its label at sea', async () => {
    const server = await openEnvironment(join('overpass', 'tokyodo.json'));
    try {
      const { lat, lon } = only(
        await server.test.db.query<{ lat: number; lon: number }>(
          `select lat::float8 / 1e7 as lat, lon::float8 / 1e7 as lon from boundary where id = 'r1543125'`,
        ),
      );
      expect(lat).toBeGreaterThan(35.5);
      expect(lat).toBeLessThan(35.9);
      expect(lon).toBeGreaterThan(138.9);
      expect(lon).toBeLessThan(139.95);
    } finally {
      await server.close();
    }
  });

  it.each(FILES)(
    'of every boundary of %s lies inside it, and at its label where that is inside',
    async (file, inside) => {
      const server = await openEnvironment(file);
      try {
        const rows = await server.test.db.query<{ id: string; inside: boolean }>(
          `select b.id, st_contains(s.geom, st_setsrid(st_makepoint(b.lon / 1e7, b.lat / 1e7), 4326)) as inside
         from boundary b join boundary_shape s on s.boundary_id = b.id`,
        );
        expect(rows.length).toBeGreaterThan(10);
        expect(rows.filter(({ inside }) => !inside)).toEqual([]);
        // A label that is inside, in the same part as the seat where that is inside, too.
        const labels = await server.test.db.query<{ id: string; x: number; y: number; lon: number; lat: number }>(
          `with place as (
           select 'r' || r.id as id, m.role, n.x, n.y, m.at,
                  st_setsrid(st_makepoint(n.x / 1e7, n.y / 1e7), 4326) as geom
           from osm_relation r
           cross join unnest(string_to_array(r.member_types, null), r.member_refs, r.member_roles)
             with ordinality as m (type, ref, role, at)
           join osm_node n on n.id = m.ref and m.type = 'n'
         ),
         part as (select s.boundary_id as id, (st_dump(s.geom)).geom from boundary_shape s),
         label as (select distinct on (id) * from place where role = 'label' order by id, at),
         seat as (select distinct on (id) * from place where role in ('admin_centre', 'admin_center') order by id, at)
         select b.id, l.x, l.y, b.lon, b.lat
         from label l
         join part p on p.id = l.id and st_contains(p.geom, l.geom)
         join boundary b on b.id = l.id
         left join seat c on c.id = l.id
         where c.id is null or st_covers(p.geom, c.geom)
            or not exists (select from part q where q.id = l.id and st_covers(q.geom, c.geom))`,
        );
        expect(labels.length).toBeGreaterThanOrEqual(inside);
        for (const { id, x, y, lon, lat } of labels) expect([lon, lat], id).toEqual([x, y]);
        const { unknown } = only(
          await server.test.db.query<{ unknown: number }>(
            'select count(*)::integer as unknown from osm_node where x is null or y is null',
          ),
        );
        expect(unknown).toBe(0);
      } finally {
        await server.close();
      }
    },
  );
});
