-- params: $1 org; returns: its teams by name, each with its members
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
