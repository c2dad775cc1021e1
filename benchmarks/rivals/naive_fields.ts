/** The select list for a boundary `b`, with the same fields as our answers. */
export const FIELDS = `b.id, b.name, b.name as local_name, b.kind, b.admin_level, b.country, b.countries, b.disputed,
  (select coalesce(json_agg(json_build_object('id', q.id, 'name', q.name, 'kind', q.kind,
                                              'admin_level', q.admin_level) order by p.position), '[]')
   from boundary_parent p join boundary q on q.id = p.parent where p.child = b.id) as parents,
  json_build_object('west', b.west / 1e7, 'south', b.south / 1e7, 'east', b.east / 1e7, 'north', b.north / 1e7) as bbox,
  json_build_object('lat', b.lat / 1e7, 'lon', b.lon / 1e7) as centroid,
  b.population, b.wikidata, b.iso, b.has_geometry, b.source, b.version, b.stale`;
