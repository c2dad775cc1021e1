-- Search reads all boundaries in the order of the code points of their ids, whatever the collation of the database.
create index boundary_id_c on boundary (id collate "C");
