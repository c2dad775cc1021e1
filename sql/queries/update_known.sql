-- params: $1 what (relation, way or node), $2 ids; returns: those that are stored
select id from osm_relation where $1::text = 'relation' and id = any ($2::bigint[])
union all
select id from way where $1::text = 'way' and id = any ($2::bigint[])
union all
select id from osm_node where $1::text = 'node' and id = any ($2::bigint[])
