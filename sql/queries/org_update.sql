-- params: $1 org, $2 name or null, $3 slug or null; returns: its id, or no row when another org has the slug
update org set name = coalesce($2, name), slug = coalesce($3, slug)
where id = $1 and not exists (select 1 from org other where other.slug = $3 and other.id <> $1)
returning id
