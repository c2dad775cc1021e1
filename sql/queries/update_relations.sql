-- takes: $1 relation ids; gives: the stored relations as the map has them
select id, version, tags, member_types, member_refs, member_roles from osm_relation where id = any ($1::bigint[])
