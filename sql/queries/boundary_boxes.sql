-- params: $1 the canonical id after which to go on, $2 how many; returns: one row: the revision of the data and, of so many boundaries with a shape in the order of their ids, the last id (null: there are no more) and for each 24 bytes: its number (negative for a way), west, south, east, north in 1e-7 degrees
with page as (
  select id, west, south, east, north
  from boundary
  where has_geometry and id > $1::text
  order by id
  limit $2::integer
)
select (select base from data_revision) + (select count(*) from data_change) as revision,
       (select max(id) from page) as last,
       coalesce((select string_agg(int8send(case when left(id, 1) = 'w' then -substr(id, 2)::bigint
                                                 else substr(id, 2)::bigint end)
                                   || int4send(west) || int4send(south) || int4send(east) || int4send(north),
                                   ''::bytea)
                 from page), ''::bytea) as boxes
