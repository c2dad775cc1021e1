-- params: arrays of alias and boundary id; returns: nothing. Aliases of an alias follow it
with followed as (
  update boundary_alias a set boundary_id = p.boundary_id
  from unnest($1::text[], $2::text[]) as p (id, boundary_id)
  where a.boundary_id = p.id
)
insert into boundary_alias (id, boundary_id)
select * from unnest($1::text[], $2::text[])
on conflict (id) do update set boundary_id = excluded.boundary_id
