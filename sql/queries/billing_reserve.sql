-- params: $1 org, $2 reservation ids, $3 ops, $4 units, $5 milliseconds until each expires, all in the order of arrival; returns: a row with the ids that were granted, or no row when the org's purse has no row for this month yet (or the org is not there)
with recursive budget as (
  select purse, units from org_purse where org = $1
),
slot as (
  -- Locked, and read as the newest commit left it: processes and organizations that ask at once are granted one after the other.
  select m.purse, m.month, m.used + m.reserved as taken
  from usage_month m
  where m.purse = (select purse from budget) and m.month = date_trunc('month', now() at time zone 'UTC')::date
  for update
),
asked as (
  select * from unnest($2::text[], $3::text[], $4::bigint[], $5::double precision[])
    with ordinality as a (id, op, units, lifetime, position)
),
walk as (
  select 0::bigint as position, s.taken, false as granted from slot s
  union all
  select a.position, w.taken + case when fits.yes then a.units else 0 end, fits.yes
  from walk w
  join asked a on a.position = w.position + 1,
  lateral (select b.units is null or w.taken + a.units <= b.units as yes from budget b) fits
),
granted as (
  select a.* from walk w join asked a on a.position = w.position where w.granted
),
held as (
  insert into usage_reservation (id, org, purse, month, op, units, expires_at)
  select g.id, $1, s.purse, s.month, g.op, g.units, now() + g.lifetime * interval '1 millisecond' from granted g, slot s
),
counted as (
  update usage_month m set reserved = m.reserved + (select sum(g.units) from granted g)
  from slot s where m.purse = s.purse and m.month = s.month and exists (select from granted)
)
select coalesce((select array_agg(g.id) from granted g), '{}') as ids from slot
