-- params: $1 node ids; returns: the stored relations that have one of them as label or admin_centre
select r.id, r.version, r.tags, r.member_types, r.member_refs, r.member_roles
from osm_relation r
where r.id in (select o.id
               from unnest($1::bigint[]) as n (node)
               join osm_relation o on place_nodes(o.member_types, o.member_refs, o.member_roles) @> array[n.node])
