-- params: $1 relation ids; returns: the stored relations as the map has them
select id, version, tags, member_types, member_refs, member_roles from osm_relation where id = any ($1::bigint[])
