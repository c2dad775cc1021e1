-- params: $1 way ids; returns: the administrative boundaries whose border each is part of, with what is known of their country
select w.id as way, b.id, b.admin_level, b.country_code, b.country, b.has_geometry, t.basis
from unnest($1::bigint[]) as w (id)
join boundary b on b.ways @> array[w.id]
left join unshaped t on t.boundary_id = b.id
where b.type = 'administrative' and b.version > 0
