import type { Queryable } from '../../src/db/connect.ts';

/** Tables of editions, by the columns that do not depend on numbers of sequences or on when they were written. */
const TABLES: Readonly<Record<string, string>> = {
  edition: 'select source, valid_from::text, file from edition',
  edition_layer:
    'select e.source, e.valid_from::text, l.type, l.admin_level, l.boundaries from edition_layer l join edition e on e.id = l.edition',
  edition_member: `select e.source, e.valid_from::text, encode(b.geometry_hash, 'hex') as shape, b.id, b.name
                   from edition_member m join edition e on e.id = m.edition join edition_boundary b on b.state = m.state`,
  edition_arc:
    "select encode(hash, 'hex') as hash, encode(coords, 'hex') as coords, encode(weights, 'hex') as weights from edition_arc",
  edition_conflict: `select encode(a.hash, 'hex') as a, encode(b.hash, 'hex') as b, c.kind, c.x, c.y
                     from edition_conflict c join edition_arc a on a.id = c.a join edition_arc b on b.id = c.b`,
  edition_reach: `select e.valid_from::text, encode(a.hash, 'hex') as arc, encode(r.reach, 'hex') as reach, r.reach_box::text
                  from edition_reach r join edition e on e.id = r.edition join edition_arc a on a.id = r.arc`,
  edition_shape: `select array(select encode(a.hash, 'hex') from unnest(s.arc_ids) i (id) join edition_arc a on a.id = i.id order by 1) as arcs,
                         cardinality(ring_end) as rings, st_astext(st_normalize(st_force2d(geom))) as geom from edition_shape s`,
  edition_boundary: `select b.id, b.source, b.source_id, b.type, b.name, b.names, b.admin_level, b.area_km2, b.country,
                            encode(b.geometry_hash, 'hex') as shape, b.shape is null as without from edition_boundary b`,
  edition_name: 'select boundary_id, type, lang, folded, ascii, weight from edition_name',
  edition_parent: 'select child, parent, share, position, derived from edition_parent',
  edition_interval: `select i.boundary_id, i.source, i.valid_from::text, i.valid_to::text, encode(b.geometry_hash, 'hex') as shape, b.name,
                            i.recorded_to is null as current
                     from edition_interval i join edition_boundary b on b.state = i.state where i.recorded_to is null`,
  edition_source: 'select id, name, attribution from edition_source',
  boundary: 'select id, name from boundary',
  arc: "select encode(hash, 'hex') as hash from arc",
};

/** The rows of the tables of editions, and of today's, as text. */
export async function editionRows(db: Pick<Queryable, 'query'>): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const [table, sql] of Object.entries(TABLES)) {
    rows[table] = (await db.query<object>(sql)).map((row) => JSON.stringify(row)).sort();
  }
  return rows;
}
