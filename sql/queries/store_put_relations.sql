-- params: $1 relations as a JSON array; returns: nothing. An older version never replaces a newer one
insert into osm_relation
select * from jsonb_populate_recordset(null::osm_relation, $1::jsonb)
on conflict (id) do update
set version = excluded.version, tags = excluded.tags, member_types = excluded.member_types,
    member_refs = excluded.member_refs, member_roles = excluded.member_roles
where osm_relation.version <= excluded.version and osm_relation is distinct from excluded
