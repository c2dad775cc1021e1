-- An import looks up thousands of arcs here after it wrote shapes in the same transaction. Each look-up would read the
-- whole list of entries that are not in the index yet (gin_pending_list_limit, 4 MB), so there is none.
alter index boundary_shape_arcs set (fastupdate = off);
select gin_clean_pending_list('boundary_shape_arcs');
