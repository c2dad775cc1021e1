-- What a planet of boundaries costs less with: 250 million vertices, each with the id of its node.

-- Nodes of a way are made one after the other, so their ids share all but the last bits: an index of those buckets is a
-- tenth of one of the ids, and finds few ways too many (osm2pgsql's flat index does the same).
create function node_buckets(node_refs bigint[]) returns bigint[]
language sql immutable parallel safe
return (select array_agg(distinct ref >> 5) from unnest(node_refs) as r (ref));

drop index way_node_refs;
create index way_node_buckets on way using gin (node_buckets(node_refs));

-- Coordinates do not get smaller by compression; trying to costs more than writing them.
alter table way alter column coords set storage external;
alter table arc alter column coords set storage external;
alter table boundary_shape alter column geom set storage external;

-- Nobody plans by the distribution of node ids or vertices; counting them takes as long as the rest of ANALYZE.
alter table way alter column node_refs set statistics 0;
alter table way alter column coords set statistics 0;
alter index way_node_buckets alter column 1 set statistics 0;
