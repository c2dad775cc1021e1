-- params: $1 boundary ids that were made; returns: nothing. What is known to lie in them by name alone, without a shape, stays
delete from boundary_parent p
where p.child = any ($1::text[])
   or (p.parent = any ($1::text[]) and exists (select from boundary_shape s where s.boundary_id = p.child))
