-- name: dissolve_nested
-- params: $1 canonical ids
-- returns: each pair of these ids where one (child) is inside the other (parent), and the revision of the data; if
--   there are none, one row with only the revision
with named as materialized (
  select distinct id from unnest($1::text[]) as n (id)
),
pair as materialized (
  select p.child, p.parent
  from named
  join boundary_parent p on p.child = named.id
  where exists (select from named as outer_one where outer_one.id = p.parent)
)
select r.revision, pair.child, pair.parent
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join pair on true
order by pair.child collate "C", pair.parent collate "C"

-- name: dissolve_unassigned
-- params: $1 the canonical id of an enclosing boundary, $2 admin levels, $3 canonical ids, $4 how many to list
-- returns: one row: the revision of the data, how many administrative boundaries of the levels are inside it but
--   neither among the ids nor inside one of them, and the first of these by id
-- not null: revision, total, ids
with named as materialized (
  select distinct id from unnest($3::text[]) as n (id)
),
below as materialized (
  select b.id
  from boundary_parent p
  join boundary b on b.id = p.child
  where p.parent = $1 and b.type = 'administrative' and b.admin_level = any ($2::integer[])
    and not exists (select from named where named.id = b.id)
    and not exists (select from boundary_parent q join named on named.id = q.parent where q.child = b.id)
)
select (select base from data_revision) + (select count(*) from data_change) as revision,
       (select count(*) from below)::integer as total,
       array(select id from below order by left(id, 1), length(id), id collate "C" limit $4::integer) as ids
