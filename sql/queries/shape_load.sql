-- takes: $1 boundary ids; gives: the live rings of each as signed arc ids, with the revision of every arc
select s.boundary_id, s.arcs, s.ring_end, s.polygon_end, encode(b.ring_hash, 'hex') as ring_hash,
       array(select a.revision
             from unnest(s.arcs) with ordinality as r (ref, position)
             join arc a on a.id = abs(r.ref)
             order by r.position) as revisions
from boundary_shape s
join boundary b on b.id = s.boundary_id
where s.boundary_id = any ($1::text[])
