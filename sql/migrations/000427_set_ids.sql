-- Areas of sets by their ids. The keys of these tables begin with the version, which the views of 000425_set_reads.sql ask
-- only of rows that were found: without these indexes a read by id walks the areas of all organizations, and takes
-- longer the more of them others store.
create index set_boundary_id on set_boundary (id);
create index set_shape_boundary on set_shape (boundary_id);
create index set_name_boundary_id on set_name (boundary_id);
