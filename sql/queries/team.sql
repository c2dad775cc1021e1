-- name: team_count
-- params: $1 org
-- returns: how many teams it has
-- not null: teams
select count(*)::integer as teams from team where org = $1

-- name: team_drop
-- params: $1 team
-- returns: nothing
delete from team where id = $1

-- name: team_drop_members
-- params: $1 org, $2 team or null for any, $3 account or null for anyone
-- returns: the memberships that were deleted, with the names of team and member
with dropped as (
  delete from team_member
  where org = $1 and ($2::text is null or team = $2) and ($3::text is null or account = $3)
    and ($2::text is not null or $3::text is not null)
  returning team, account
)
select d.team, t.name as team_name, d.account, a.email
from dropped d
join team t on t.id = d.team
join account a on a.id = d.account
order by t.name, d.team, d.account

-- name: team_find
-- params: $1 org, $2 id or slug of a team
-- returns: the team, its row locked, or no row
select id, slug, name from team where org = $1 and (id = $2 or slug = $2) for no key update

-- name: team_list
-- params: $1 org
-- returns: its teams by name, each with its members
-- types: members { readonly id: string, readonly email: string, readonly name: string | null }[]
select t.id, t.slug, t.name, t.created_at,
       coalesce((
         select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name, 'email', a.email) order by x.created_at, a.id)
         from team_member x
         join account a on a.id = x.account
         where x.team = t.id
       ), '[]'::jsonb) as members
from team t
where t.org = $1
order by t.name, t.id

-- name: team_put
-- params: $1 new id, $2 org, $3 slug, $4 name
-- returns: when it was created, or no row when another team of the org has the slug
insert into team (id, org, slug, name) values ($1, $2, $3, $4)
on conflict (org, slug) do nothing
returning created_at

-- name: team_put_member
-- params: $1 team, $2 org, $3 account
-- returns: the account, or no row when it is already in the team
insert into team_member (team, org, account) values ($1, $2, $3) on conflict (team, account) do nothing returning account

-- name: team_update
-- params: $1 team, $2 org, $3 name or null, $4 slug or null
-- returns: its id, or no row when another team of the org has the slug
update team set name = coalesce($3, name), slug = coalesce($4, slug)
where id = $1 and not exists (select 1 from team other where other.org = $2 and other.slug = $4 and other.id <> $1)
returning id
