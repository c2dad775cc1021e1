-- params: $1 boundary ids; returns: their parents as stored, outermost first
select p.child, p.parent, p.share, b.admin_level, b.country
from boundary_parent p
join boundary b on b.id = p.parent
where p.child = any ($1::text[])
order by p.child, p.position
