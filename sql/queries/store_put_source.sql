-- params: id, name, url, licence, attribution, resolution, seed; returns: nothing
insert into source (id, name, url, licence, attribution, resolution, seed)
values ($1, $2, $3, $4, $5, $6, $7)
on conflict (id) do update
set name = excluded.name, url = excluded.url, licence = excluded.licence, attribution = excluded.attribution,
    resolution = excluded.resolution, seed = excluded.seed, imported_at = now()
