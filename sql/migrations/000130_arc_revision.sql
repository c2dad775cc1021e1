-- Each change of an arc's weights, ends and exact has a number of its own, however many there are within one import: a
-- process that holds an arc in memory by id and revision holds it as it is. Before, the number was that of the import.
-- A process of the previous release may still write numbers of imports, so these begin far above them.
create sequence arc_revision;
select setval('arc_revision', (select last_value from import_run_id_seq) + 1000000);
