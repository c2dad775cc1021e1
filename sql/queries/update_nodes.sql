-- takes: $1 node ids; gives: the stored label and admin_centre nodes
select id, version, tags from osm_node where id = any ($1::bigint[])
