-- Where label and admin_centre nodes are, in 1e-7 degrees: the point that is shown for a boundary follows them. Null:
-- stored by an earlier release, until the node is read again.
alter table osm_node add column x integer, add column y integer;
