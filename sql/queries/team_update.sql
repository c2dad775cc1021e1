-- params: $1 team, $2 org, $3 name or null, $4 slug or null; returns: its id, or no row when another team there has the slug
update team set name = coalesce($3, name), slug = coalesce($4, slug)
where id = $1 and not exists (select 1 from team other where other.org = $2 and other.slug = $4 and other.id <> $1)
returning id
