-- params: $1 a canonical id, $2 the ids of its arcs (negative: walked backward) and $3 the meters of each, $4 and $5 longitude and latitude (1e-7 degrees) of the vertices where they end and $6 the same as hexadecimal digits of two little-endian integers, $7 which boundaries: 'level' (administrative ones of $8, null: of none), 'postal_code' or 'all'; returns: one row: the revision of the data, the boundaries on the other side of the arcs with the meters shared, longest first, the meters shared with any, the ends of arcs of other boundaries at the vertices (boundary, vertex counted from 1, whether its ring leaves there, the vertex beyond), and those whose arcs cross or lie on the arcs
with own as materialized (
  select o.ref, o.meters from unnest($2::bigint[], $3::float8[]) as o (ref, meters)
),
-- Enclosing and enclosed boundaries are on the same side.
relative as materialized (
  select parent as id from boundary_parent where child = $1
  union
  select child from boundary_parent where parent = $1
),
around as materialized (
  select s.boundary_id as id, s.arcs
  from boundary_shape s
  join boundary b on b.id = s.boundary_id
  where s.arc_ids && array(select abs(ref) from own) and s.boundary_id <> $1
    and case $7::text
          when 'all' then true
          when 'postal_code' then b.type = 'postal_code'
          else b.type = 'administrative' and b.admin_level is not distinct from $8::integer
        end
),
shared as materialized (
  select around.id, own.ref, own.meters
  from around
  cross join unnest(around.arcs) as r (ref)
  join own on own.ref = -r.ref
),
line as materialized (
  select id, sum(meters) as meters from shared group by id
),
meeting as materialized (
  select n.number, a.id as arc, f.is_first,
         encode(case when f.is_first then substring(a.coords from 9 for 8)
                     else substring(a.coords from length(a.coords) - 15 for 8) end, 'hex') as beyond
  from unnest($4::float8[], $5::float8[], $6::text[]) with ordinality as n (x, y, key, number)
  join arc a on a.box && box(point(n.x, n.y), point(n.x, n.y))
  cross join (values (true), (false)) as f (is_first)
  where encode(case when f.is_first then substring(a.coords from 1 for 8)
                    else substring(a.coords from length(a.coords) - 7 for 8) end, 'hex') = n.key
),
point_only as materialized (
  select s.boundary_id as id, s.arcs
  from boundary_shape s
  join boundary b on b.id = s.boundary_id
  where s.arc_ids && array(select distinct arc from meeting where not exists (select from own where abs(own.ref) = arc))
    and s.boundary_id <> $1
    and not exists (select from line where line.id = s.boundary_id)
    and not exists (select from relative where relative.id = s.boundary_id)
    and case $7::text
          when 'all' then true
          when 'postal_code' then b.type = 'postal_code'
          else b.type = 'administrative' and b.admin_level is not distinct from $8::integer
        end
),
ray as materialized (
  select p.id, m.number, (r.ref > 0) = m.is_first as leaves, m.beyond
  from point_only p
  cross join unnest(p.arcs) as r (ref)
  join meeting m on m.arc = abs(r.ref)
),
conflict as materialized (
  select c.b as arc from own join arc_conflict c on c.a = abs(own.ref)
  union
  select c.a from own join arc_conflict c on c.b = abs(own.ref)
),
crossing as materialized (
  select s.boundary_id as id
  from boundary_shape s
  join boundary b on b.id = s.boundary_id
  where s.arc_ids && array(select arc from conflict) and s.boundary_id <> $1
    and not exists (select from relative where relative.id = s.boundary_id)
    and case $7::text
          when 'all' then true
          when 'postal_code' then b.type = 'postal_code'
          else b.type = 'administrative' and b.admin_level is not distinct from $8::integer
        end
)
select (select base from data_revision) + (select count(*) from data_change) as revision,
       array(select id from line order by meters desc, id collate "C") as ids,
       array(select meters from line order by meters desc, id collate "C") as meters,
       (select coalesce(sum(meters), 0) from (select distinct ref, meters from shared) once) as shared,
       array(select id from ray order by id collate "C", number, beyond, leaves) as ray_ids,
       array(select number::integer from ray order by id collate "C", number, beyond, leaves) as ray_vertices,
       array(select leaves from ray order by id collate "C", number, beyond, leaves) as ray_leaves,
       array(select beyond from ray order by id collate "C", number, beyond, leaves) as ray_beyond,
       array(select id from crossing order by id collate "C") as crossing
