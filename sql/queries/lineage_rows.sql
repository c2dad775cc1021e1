-- params: $1 boundary ids; returns: what country, kind and names are derived from
select b.id, b.type, b.name, b.names, b.other_names, b.codes, b.iso, b.wikidata, b.kind, b.kind_given, b.admin_level,
       b.country, b.countries, b.disputed, b.country_given, b.country_code, b.tags, b.place, b.population, b.lat, b.lon,
       b.area_km2, b.kind_known, (select t.country from unshaped t where t.boundary_id = b.id) as traced_country,
       array(select bp.parent from boundary_parent bp where bp.child = b.id order by bp.position) as parents,
       coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'country_code', p.country_code, 'admin_level', p.admin_level)
                                  order by bp.position)
                 from boundary_parent bp
                 join boundary p on p.id = bp.parent
                 where bp.child = b.id and p.country_code is not null), '[]'::jsonb) as carriers
from boundary b
where b.id = any ($1::text[])
