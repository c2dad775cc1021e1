-- params: $1 boundaries as a JSON array of rows without a shape; returns: the ids of those that were not known
insert into boundary
select * from jsonb_populate_recordset(null::boundary, $1::jsonb)
on conflict do nothing
returning id
