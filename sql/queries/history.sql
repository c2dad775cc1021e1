-- name: history_members
-- params: $1 a source or null for all, $2 an admin_level or null for all, $3 the canonical id of a boundary that they
--   are in or null, $4 the most to return
-- returns: the boundaries with what may change of them; parent is the closest one; geometry_hash names the full shape;
--   attribution is that of the source
-- not null: parents
select b.id, b.source, b.type, b.name, b.admin_level, b.code_ids as codes, b.area_km2,
       encode(b.ring_hash, 'hex') as ring_hash, encode(b.geometry_hash, 'hex') as geometry_hash,
       array(select p.parent from boundary_parent p where p.child = b.id order by p."position", p.parent) as parents,
       (select s.attribution from source s where s.id = b.source) as attribution
from boundary b
where ($1::text is null or b.source = $1::text)
  and ($2::integer is null or b.admin_level = $2::integer)
  and ($3::text is null or exists (select from boundary_parent p where p.child = b.id and p.parent = $3::text))
  and b.has_geometry
order by b.id
limit $4::integer

-- name: history_versions
-- params: $1 a canonical id
-- returns: each time in which a state of it was in force, the earliest first, with the facts of the state; is_edition:
--   an edition has it, not today
-- not null: valid_from, name, names, is_edition
-- types: names Readonly<Record<string, string>>
select v.valid_from::text as valid_from, v.valid_to::text as valid_to, v.recorded_at, true as is_edition, b.name, b.names,
       b.admin_level, b.code_ids, b.area_km2, b.population, b.source, encode(b.geometry_hash, 'hex') as geometry_hash,
       array(select p.parent from edition_parent p where p.state = v.state order by p."position", p.parent) as parents
from boundary_state_span v
join edition_boundary b on b.state = v.state
where v.boundary_id = $1
union all
select v.valid_from::text, v.valid_to::text, v.recorded_at, false, b.name, b.names, b.admin_level, b.code_ids, b.area_km2,
       b.population, b.source, encode(b.geometry_hash, 'hex'),
       array(select p.parent from boundary_parent p where p.child = b.id order by p."position", p.parent)
from boundary_state_span v
join boundary b on b.id = v.boundary_id
where v.state is null and b.id = $1
order by valid_from

-- name: history_find
-- params: $1 the form of an id (wikidata, iso or code), $2 what follows it, a code with its scheme in lower case
-- returns: the boundary of editions that has it: the last in force, and of several the outermost
-- not null: id
select i.boundary_id as id
from (
  select state, type, admin_level from edition_boundary where $1::text = 'wikidata' and wikidata = $2::text
  union all
  select state, type, admin_level from edition_boundary where $1::text = 'iso' and (iso = $2::text or country_code = $2::text)
  union all
  select state, type, admin_level from edition_boundary
  where $1::text = 'code' and code_ids is not null and code_keys(code_ids) @> array[$2::text]
) b
join edition_interval i on i.state = b.state and i.recorded_to is null
order by i.valid_from desc, b.type, b.admin_level nulls last, i.boundary_id
limit 1

-- name: history_known
-- params: $1 canonical ids
-- returns: those that an edition has, with a name, and from when and until when (null: not ended) editions have them
-- not null: id, name, valid_from
select i.boundary_id as id, (array_agg(b.name order by i.valid_from desc))[1] as name, min(i.valid_from)::text as valid_from,
       case when bool_or(i.valid_to is null) then null else max(i.valid_to)::text end as valid_to
from edition_interval i
join edition_boundary b on b.state = i.state
where i.boundary_id = any ($1::text[]) and i.recorded_to is null
group by i.boundary_id
order by i.boundary_id

-- name: history_last_change
-- params: $1 a date
-- returns: the last date up to it from which an edition is valid, or on which a boundary of today was stored (null:
--   none); and if an edition that counted as of the date was pruned (at a pin: has been pruned since), which one, and
--   from
--   when on an edition of its layer is kept (null: none is)
-- types: pruned { readonly source: string, readonly valid_from: string, readonly next: string | null } | null
with pin as materialized (
  select coalesce(current_setting('boundary.pin', true), '') <> '' as is_set
), removed as (
  select p.*, case when pin.is_set then not was_recorded(p.pruned_in) else false end as is_later,
         case when p.again_in is null then true when pin.is_set then not was_recorded(p.again_in) else false end as is_away
  from history_pruned p
  cross join pin
  where p.valid_from <= $1::date
)
select greatest((select max(valid_from) from edition where valid_from <= $1::date),
                (select day_of(max(imported_at)) from boundary
                 where imported_at < ($1::date + 1)::timestamp at time zone 'UTC'))::text as day,
       (select jsonb_build_object('source', g.source, 'valid_from', g.valid_from, 'next', (
                 select min(e.valid_from)
                 from edition e
                 join edition_layer l on l.edition = e.id
                 where e.source = g.source and l.type = g.type and l.admin_level is not distinct from g.admin_level
                   and e.valid_from > $1::date))
        from removed g
        where g.is_later
           or g.is_away and not exists (
             select from edition e
             join edition_layer l on l.edition = e.id
             where e.source = g.source and l.type = g.type and l.admin_level is not distinct from g.admin_level
               and e.valid_from > g.valid_from and e.valid_from <= $1::date)
        order by g.valid_from desc, g.source
        limit 1) as pruned

-- name: history_pruned
-- params: $1 a canonical id
-- returns: the dates of editions of its source, type and level that were pruned (at a pin: by then, and not imported
--   again
--   by then), the earliest first
-- not null: valid_from
with pin as materialized (
  select coalesce(current_setting('boundary.pin', true), '') <> '' as is_set
)
select distinct p.valid_from::text as valid_from
from history_pruned p
cross join pin
where case when pin.is_set then was_recorded(p.pruned_in) and (p.again_in is null or not was_recorded(p.again_in))
           else p.again_in is null end
  and exists (select from boundary b where b.id = $1 and b.source = p.source and b.type = p.type
                and b.admin_level is not distinct from p.admin_level
              union all
              select from edition_boundary b where b.id = $1 and b.source = p.source and b.type = p.type
                and b.admin_level is not distinct from p.admin_level)
order by valid_from

-- name: history_pruned_since
-- params: nothing; the transaction is pinned
-- returns: whether an edition was pruned after the moment that it reads
-- not null: pruned
select exists (select from history_pruned p where not was_recorded(p.pruned_in)) as pruned

-- name: history_later
-- params: $1 canonical ids
-- returns: those that are stored today and that no edition has, with the date from which they are in force
-- not null: id, valid_from
select t.id, t.valid_from::text as valid_from
from boundary_today_span t
where t.id = any ($1::text[])
  and not exists (select from edition_interval i where i.boundary_id = t.id and i.recorded_to is null)
order by t.id

-- name: history_editions
-- params: $1 the most to return
-- returns: the types and levels of the latest editions of all sources, the earliest first; name is that of the source
-- not null: valid_from, source, name, type, boundaries
select e.valid_from::text as valid_from, e.source, coalesce(s.name, e.source) as name, l.type, l.admin_level, l.boundaries
from (select id, source, valid_from from edition order by valid_from desc, source limit $1::integer) e
join edition_layer l on l.edition = e.id
left join edition_source s on s.id = e.source
order by e.valid_from, e.source, l.admin_level, l.type
