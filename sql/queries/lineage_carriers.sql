-- params: nothing; returns: pairs of boundaries that carry an ISO 3166-1 code and lie in each other
select bp.child, bp.parent
from boundary c
join boundary_parent bp on bp.child = c.id
join boundary p on p.id = bp.parent
where c.country_code is not null and p.country_code is not null
