-- Each boundary that is deleted takes its aliases with it: without an index the server reads all aliases for each.
create index boundary_alias_boundary on boundary_alias (boundary_id);
