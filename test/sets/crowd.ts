/** Many area sets of others, made in the database itself: what a call must not read of them is counted beside them. */
import type { Database } from '../../src/db/connect.ts';

/** Areas of each set of others, and of the one set that is read. */
const AREAS_OF_EACH = 5_000;
export const OWN_AREAS = 200;

const HASH = "sha256(convert_to(a.i::text, 'UTF8'))";
const COLUMNS = `source_version, version, type, name, names, kind, kind_known, admin_level, countries, tags, subareas,
  other_names, codes, ways, west, south, east, north, lat, lon, area_km2, has_geometry, geometry_hash, ring_hash, meta_hash`;
const VALUES = (name: string, kind: string, level: string, countries: string) =>
  `'1', 1, 'administrative', ${name}, '{}', ${kind}, true, ${level}, ${countries}, '{}', '{}', '[]', '{}', '{}',
   w.x, w.y, w.x + 900000, w.y + 900000, w.y + 450000, w.x + 450000, 90, true, ${HASH}, ${HASH}, ${HASH}`;
/** Squares beside each other, 300 in a row. */
const PLACE = `lateral (select (a.i % 300) * 1000000 as x, (a.i / 300) * 1000000 - 300000000 as y) w`;
const SHAPE = `st_multi(st_makeenvelope(b.west / 1e7, b.south / 1e7, b.east / 1e7, b.north / 1e7, 4326))`;

/** How much is made: official boundaries, one in 100 of which contains the next 99, and sets of others. */
export interface CrowdSize {
  readonly official: number;
  readonly others: number;
}

/**
 * Stores official boundaries, a set `own` whose version has the number 1, and sets of others, each with 5,000 areas,
 * whose names, codes and places are like those of `own`.
 */
export async function makeCrowd(db: Database, { official, others }: CrowdSize): Promise<void> {
  await db.exec(`
    insert into source (id, name, licence, attribution) values ('osm', 'Made', 'CC0-1.0', 'the tests');
    insert into org (id, name, slug, plan)
      select 'org_' || i, 'Made ' || i, 'made-' || i, 'business' from generate_series(0, ${others}) as i;
    insert into area_set (id, org, name, title, visibility)
      select 'set_' || i, 'org_' || i, case i when 0 then 'own' else 'territories' end, 'Made', 'org'
      from generate_series(0, ${others}) as i;
    insert into area_set_version (id, area_set, valid_from, made_from, attribution, areas, vertices, report)
      overriding system value
      select i + 1, 'set_' || i, '2015-01-01', 'file', '', case i when 0 then ${OWN_AREAS} else ${AREAS_OF_EACH} end, 1, '{}'
      from generate_series(0, ${others}) as i;
    insert into set_boundary (id, source, source_id, version_id, ${COLUMNS})
      select 'set:' || s.name || '/' || a.i, 'set:' || s.name, a.i::text, v.id,
             ${VALUES(`'Area ' || a.i`, `'region'`, 'null::smallint', `array['AA']`)}
      from area_set_version v
      join area_set s on s.id = v.area_set
      cross join lateral generate_series(1, v.areas) as a (i), ${PLACE};
    insert into set_name (version_id, boundary_id, type, folded, ascii, weight)
      select b.version_id, b.id, t.type, t.folded, t.folded, 3
      from set_boundary b
      cross join lateral (values ('name', 'area ' || b.source_id), ('word', b.source_id)) as t (type, folded);
    insert into set_arc (id, hash, coords, weights, ends, exact, revision, area, turn, box, class, main, version)
      select row_number() over (), sha256(convert_to(b.version_id || b.id, 'UTF8')), '\\x00', '\\x00', '\\x00', 0, 1, 0, 0,
             box(point(b.east, b.north), point(b.west, b.south)), 0, true, b.version_id
      from set_boundary b;
    insert into set_shape (version_id, boundary_id, arcs, ring_end, polygon_end, arc_ids, geom, largest)
      select b.version_id, b.id, array[r.id], '{1}', '{1}', array[r.id], ${SHAPE}, 1
      from set_boundary b
      join set_arc r on r.hash = sha256(convert_to(b.version_id || b.id, 'UTF8'));
    insert into set_conflict (a, b, kind, x, y, version)
      select r.id, r.id + 1, 'cross', 0, 0, r.version from set_arc r where r.id % 7 = 0;
    insert into boundary (id, source, source_id, ${COLUMNS}, country)
      select 'r' || a.i, 'osm', 'r' || a.i,
             ${VALUES(`'Place ' || a.i`, `case when a.i % 100 = 0 then 'state' else 'municipality' end`, `(case when a.i % 100 = 0 then 4 else 8 end)::smallint`, `array['AA']`)}, 'AA'
      from generate_series(1, ${official}) as a (i), ${PLACE};
    insert into boundary_name (boundary_id, type, folded, ascii, weight)
      select b.id, t.type, t.folded, t.folded, 3
      from boundary b
      cross join lateral (values ('name', 'place ' || substr(b.id, 2)), ('word', substr(b.id, 2))) as t (type, folded);
    insert into boundary_parent (child, parent, share, position)
      select 'r' || i, 'r' || (i / 100) * 100, 1, 0 from generate_series(101, ${official}) as i where i % 100 <> 0;
    insert into arc (id, hash, coords, weights, ends, exact, revision, area, turn, reach, box, reach_box)
      select substr(b.id, 2)::bigint, sha256(convert_to(b.id, 'UTF8')), '\\x00', '\\x00', '\\x00', 0, 1, 0, 0, '\\x05',
             box(point(b.east, b.north), point(b.west, b.south)), box(point(b.east, b.north), point(b.west, b.south))
      from boundary b;
    insert into boundary_shape (boundary_id, arcs, ring_end, polygon_end, arc_ids, geom)
      select b.id, array[r], '{1}', '{1}', array[r], ${SHAPE} from boundary b, lateral (select substr(b.id, 2)::bigint as r) n;
  `);
  await db.query('vacuum (analyze)', [], { timeoutMs: 600_000 });
}
