-- params: $1 boundary ids that were made; returns: nothing. The parents of what has no shape stay: unshaped_touched says which are to be derived again
with shaped as (
  delete from unshaped t
  where t.boundary_id = any ($1::text[]) and exists (select from boundary_shape s where s.boundary_id = t.boundary_id)
)
delete from boundary_parent p
where p.child = any ($1::text[])
   or (p.parent = any ($1::text[]) and exists (select from boundary_shape s where s.boundary_id = p.child))
