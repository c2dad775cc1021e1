-- params: $1 new id, $2 slug, $3 name, $4 plan, $5 account that founds it, $6 whether it is the account's personal one; returns: the new org, or no row when the slug is taken
insert into org (id, slug, name, plan, personal_of, pool)
select $1::text, $2::text, $3::text, $4::text, case when $6::boolean then a.id end, unit_pool(a.email)
from account a where a.id = $5
on conflict (slug) do nothing
returning id, slug, name, plan, personal_of
