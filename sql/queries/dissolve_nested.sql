-- params: $1 canonical ids; returns: each pair of them of which one (child) lies in the other (parent), and the revision of the data; where there is none, one row with the revision alone
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
