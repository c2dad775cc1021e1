-- params: id, name, url, licence, attribution, resolution, starter; returns: nothing
insert into source (id, name, url, licence, attribution, resolution, starter)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (id) do update
set name = excluded.name, url = excluded.url, licence = excluded.licence, attribution = excluded.attribution,
    resolution = excluded.resolution, starter = excluded.starter, imported_at = now()
