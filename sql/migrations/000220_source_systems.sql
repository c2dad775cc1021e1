-- What reference system the file of a source had that was imported last, and how true its places on WGS 84 are.
alter table source add column reference_system text;           -- a code such as EPSG:2154, else a name; null: not stated
alter table source add column accuracy_m double precision;     -- 0: no transformation was needed; null: not known
