-- params: $1 a canonical id, $2 its own admin_level or null, $3 the admin_level wanted or null for any; returns: whether it has administrative descendants of it
select exists (
  select from boundary_parent p
  join boundary b on b.id = p.child
  where p.parent = $1 and b.type = 'administrative'
    and (b.admin_level is null or $2::integer is null or b.admin_level > $2::integer)
    and ($3::integer is null or b.admin_level = $3::integer)
) as found
