-- params: $1 node ids; returns: the stored label and admin_centre nodes; x and y are null where the place is not known
select id, version, tags, x, y from osm_node where id = any ($1::bigint[])
