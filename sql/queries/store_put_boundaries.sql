-- params: $1 boundaries as a JSON array of rows without their shape; returns: nothing. The shape's columns of a stored row stay
insert into boundary
select * from jsonb_populate_recordset(null::boundary, $1::jsonb)
on conflict (id) do update
set source = excluded.source, source_id = excluded.source_id, source_version = excluded.source_version,
    version = excluded.version, imported_at = excluded.imported_at, type = excluded.type, name = excluded.name,
    names = excluded.names, kind = excluded.kind, kind_given = excluded.kind_given,
    admin_level = excluded.admin_level, country = excluded.country, countries = excluded.countries,
    disputed = excluded.disputed, country_given = excluded.country_given, country_code = excluded.country_code,
    iso = excluded.iso, wikidata = excluded.wikidata, population = excluded.population, tags = excluded.tags,
    place = excluded.place, subareas = excluded.subareas, other_names = excluded.other_names,
    codes = excluded.codes, ways = excluded.ways, meta_hash = excluded.meta_hash
