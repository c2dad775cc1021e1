-- params: $1 names as a JSON array of rows; returns: nothing
insert into boundary_name
select * from jsonb_populate_recordset(null::boundary_name, $1::jsonb)
