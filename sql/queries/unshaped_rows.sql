-- params: $1 boundary ids; returns: those of them without a polygon that a source described (not only an upstream's list of names), and what is stored of where they lie
select b.id, b.type, b.admin_level, b.country_code, b.country_given, b.iso, b.tags, b.ways,
       t.country as traced_country, t.basis as traced_basis,
       st_xmin(t.extent) as west, st_ymin(t.extent) as south, st_xmax(t.extent) as east, st_ymax(t.extent) as north
from boundary b
left join unshaped t on t.boundary_id = b.id
where b.id = any ($1::text[]) and not b.has_geometry and b.version > 0
