-- params: $1 way ids; returns: the stored ways with all that is known of them
select id, version, tags, node_refs, coords, missing_node, places from way where id = any ($1::bigint[])
