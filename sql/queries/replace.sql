-- name: replace_written
-- params: $1 ids of boundaries that were written
-- returns: the administrative ones with a polygon, as replace_candidates takes them
-- not null: id, name, codes, kind, ring_hash
select b.id, b.name, b.wikidata, b.iso, b.codes, b.country, b.admin_level, b.kind, n.folded,
       encode(b.ring_hash, 'hex') as ring_hash
from boundary b
left join boundary_name n on n.boundary_id = b.id and n.type = 'name' and n.lang is null
where b.id = any ($1::text[]) and b.type = 'administrative' and b.has_geometry

-- name: replace_candidates
-- params: $1 a JSON array of administrative boundaries: id, wikidata, iso, codes, country, admin_level, kind, folded
-- returns: seed boundaries that may be the same place, with the rule that matched (1 is the most certain).
--   Each is looked up by what tells most (offset 0): within a first import there are no statistics, and any two
--   boundaries of a country would be compared
-- not null: id, seed, seed_name, rule, same_level
with made as materialized (
  select * from jsonb_to_recordset($1::jsonb) as m (
    id text, wikidata text, iso text, codes text[], country text, admin_level smallint, kind text, folded text)
), pair as materialized (
  select m.id, s.id as seed, 1 as rule from made m join boundary s on s.wikidata = m.wikidata
  union all
  select m.id, s.id, 2 from made m join boundary s on s.iso = m.iso
  union all
  select m.id, s.id, 3
  from made m
  cross join unnest(m.codes) as c (code)
  cross join lateral (select b.id, b.country, b.admin_level from boundary b where b.source_id = c.code offset 0) s
  where s.country = m.country and s.admin_level = m.admin_level
  union all
  select m.id, s.id, 4
  from made m
  cross join lateral (
    select n.boundary_id from boundary_name n where n.folded = m.folded and n.type = 'name' offset 0) n
  cross join lateral (select b.id, b.kind, b.country from boundary b where b.id = n.boundary_id offset 0) s
  where s.kind = m.kind and s.country = m.country
)
select pair.id, pair.seed, s.name as seed_name, encode(s.ring_hash, 'hex') as seed_hash, min(pair.rule) as rule,
       m.admin_level is not distinct from s.admin_level as same_level
from pair
join made m on m.id = pair.id
cross join lateral (select * from boundary b where b.id = pair.seed and b.type = 'administrative' offset 0) s
join source o on o.id = s.source and o.seed
where pair.id <> pair.seed
group by pair.id, m.admin_level, pair.seed, s.name, s.admin_level, s.ring_hash
order by min(pair.rule), same_level desc, length(pair.id), pair.id, pair.seed

-- name: replace_doubles
-- params: $1 ids of administrative boundaries that were written, $2 seed boundaries that are replaced
-- returns: how many other seed boundaries of the same kind and country overlap them and stay
-- not null: doubles
select count(distinct s.id)::integer as doubles
from boundary m
join boundary_shape ms on ms.boundary_id = m.id
join boundary_shape ss on ss.geom && ms.geom
join boundary s on s.id = ss.boundary_id and s.kind = m.kind and s.country = m.country and s.admin_level = m.admin_level
join source o on o.id = s.source and o.seed
where exists (select from source any_seed where any_seed.seed)
  and m.id = any ($1::text[]) and m.type = 'administrative' and s.id <> m.id and not (s.id = any ($2::text[]))
  and st_covers(st_makeenvelope(m.west / 1e7, m.south / 1e7, m.east / 1e7, m.north / 1e7, 4326),
                st_setsrid(st_makepoint(s.lon / 1e7, s.lat / 1e7), 4326))

-- name: replace_keep
-- params: arrays of a seed boundary and the boundary that takes its place
-- returns: nothing. Keeps what the seed boundary says and its polygon, before its row is deleted or written over
insert into boundary_replaced (id, heir, facts, geom, parents, children)
select b.id, t.heir, to_jsonb(b) - 'recorded_in', s.geom,
       array(select p.parent from boundary_parent p where p.child = b.id order by p.parent),
       array(select p.child from boundary_parent p
             join boundary c on c.id = p.child
             join source o on o.id = c.source and o.seed
             where p.parent = b.id order by p.child)
from unnest($1::text[], $2::text[]) as t (id, heir)
join boundary b on b.id = t.id
join boundary_shape s on s.boundary_id = b.id
on conflict (id) do nothing

-- name: replace_polygons
-- params: $1 ids of seed boundaries
-- returns: the polygon of each that has one (well-known binary, degrees)
-- not null: wkb
select s.boundary_id as id, st_asbinary(s.geom) as wkb from boundary_shape s where s.boundary_id = any ($1::text[])

-- name: replace_heirs
-- params: $1 boundary ids
-- returns: those that took the place of seed boundaries: what they say, and the rows of these boundaries, by id
select b.id, b.name, b.names, b.other_names, b.codes, b.code_ids, b.iso, b.country_code, b.wikidata, b.population, b.place,
       b.kind_given, b.country_given, b.admin_level, b.inherited,
       (select jsonb_agg(r.facts order by r.id) from boundary_replaced r where r.heir = b.id) as seeds
from boundary b
where b.id = any ($1::text[]) and exists (select from boundary_replaced r where r.heir = b.id)

-- name: replace_inherit
-- params: $1 a JSON array of rows with the columns that are set
-- returns: nothing
update boundary b
set names = g.names, other_names = g.other_names, codes = g.codes, code_ids = g.code_ids, iso = g.iso, country_code = g.country_code,
    wikidata = g.wikidata, population = g.population, place = g.place, kind_given = g.kind_given,
    country_given = g.country_given, inherited = g.inherited
from jsonb_populate_recordset(null::boundary, $1::jsonb) g
where b.id = g.id

-- name: replace_touched
-- params: $1 ids of boundaries that took the place of seed boundaries
-- returns: the ids of all boundaries whose parents or country may depend on them, including themselves
with heir as materialized (
  select b.id, b.country_code from boundary b where b.id = any ($1::text[])
), near as (
  select id from heir
  union
  select p.child from heir join boundary_parent p on p.parent = heir.id
  union
  select coalesce(c.id, o.heir)
  from heir
  join boundary_replaced r on r.heir = heir.id
  cross join unnest(r.children) as k (id)
  left join boundary c on c.id = k.id
  left join boundary_replaced o on o.id = k.id and c.id is null
  union
  select b.id from heir join boundary b on b.country = heir.country_code
)
select id from near where id is not null
union
select p.child from near join boundary_parent p on p.parent = near.id

-- name: replace_kept
-- params: $1 ids of boundaries that are being removed
-- returns: the seed boundaries that they replaced: their rows, sources and polygons (well-known binary)
select r.id, r.heir, r.facts, st_asbinary(r.geom) as wkb, s.id as source, s.name as source_name,
       s.url as source_url, s.licence as license, s.attribution, s.resolution
from boundary_replaced r
join source s on s.id = r.facts ->> 'source'
where r.heir = any ($1::text[])
order by r.id

-- name: replace_pass_on
-- params: arrays of a boundary that is being removed and the one that takes its place
-- returns: nothing. The second inherits what the first had inherited
update boundary_replaced r set heir = t.next
from unnest($1::text[], $2::text[]) as t (heir, next)
where r.heir = t.heir

-- name: replace_drop
-- params: $1 ids of seed boundaries that are stored again
-- returns: nothing
delete from boundary_replaced where id = any ($1::text[])

-- name: replace_away
-- params: $1 a source of seed data, $2 ids within that source
-- returns: those whose place another boundary took
select r.facts ->> 'source_id' as source_id
from boundary_replaced r
where r.facts ->> 'source' = $1 and r.facts ->> 'source_id' = any ($2::text[])
