-- params: $1 new id, $2 org, $3 slug, $4 name; returns: when it was made, or no row when another team there has the slug
insert into team (id, org, slug, name) values ($1, $2, $3, $4)
on conflict (org, slug) do nothing
returning created_at
