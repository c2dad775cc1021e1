-- params: $1 ids of administrative boundaries that were made, $2 seed shapes that give way; returns: how many others of the same kind and country overlap them and stay
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
