-- takes: $1 nodes as a JSON array of {id, version, tags}; gives: nothing. An older version never replaces a newer one
insert into osm_node
select * from jsonb_populate_recordset(null::osm_node, $1::jsonb)
on conflict (id) do update
set version = excluded.version, tags = excluded.tags
where osm_node.version <= excluded.version and osm_node is distinct from excluded
