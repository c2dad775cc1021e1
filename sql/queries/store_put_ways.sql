-- params: arrays of id, version, tags (JSON text), node refs (array text or null), coords, missing node, places as far as known; returns: nothing
insert into way (id, version, tags, node_refs, coords, missing_node, places)
select id, version, tags::jsonb, node_refs::bigint[], coords, missing_node, places
from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::bytea[], $6::bigint[], $7::bytea[])
     as w (id, version, tags, node_refs, coords, missing_node, places)
on conflict (id) do update
set version = excluded.version, tags = excluded.tags, node_refs = excluded.node_refs, coords = excluded.coords,
    missing_node = excluded.missing_node, places = excluded.places
