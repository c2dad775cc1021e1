-- params: $1 ids of nodes that are no more, $2 of nodes that no relation may need any more; returns: nothing
delete from osm_node n
where n.id = any ($1::bigint[])
   or n.id = any ($2::bigint[]) and not exists (
     select from osm_relation o where place_nodes(o.member_types, o.member_refs, o.member_roles) @> array[n.id])
