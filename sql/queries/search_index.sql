-- params: $1 folded name, $2 boundary id and $3 type of the last row before, $4 most rows; returns: names in the order of their code points, with what searching and ranking need of their boundaries
select n.folded, n.boundary_id as id, n.type as name_type, n.weight, b.type, b.kind, b.admin_level, b.countries,
       b.west, b.south, b.east, b.north, b.lat, b.lon,
       b.name, b.country, array(select p.parent from boundary_parent p where p.child = b.id order by p.parent) as parents,
       exists (select from boundary_parent p where p.parent = b.id) as has_children
from boundary_name n
join boundary b on b.id = n.boundary_id
where n.folded ~>=~ $1
  and (n.folded ~>~ $1 or (n.boundary_id collate "C", n.type collate "C") > ($2, $3))
order by n.folded using ~<~, n.boundary_id collate "C", n.type collate "C"
limit $4
