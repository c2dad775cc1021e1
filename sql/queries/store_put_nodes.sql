-- params: $1 nodes as a JSON array of {id, version, tags, x, y}; returns: nothing. An older version never replaces a newer one
insert into osm_node (id, version, tags, x, y)
select id, version, tags, x, y from jsonb_populate_recordset(null::osm_node, $1::jsonb)
on conflict (id) do update
set version = excluded.version, tags = excluded.tags, x = excluded.x, y = excluded.y
where osm_node.version <= excluded.version and osm_node is distinct from excluded
