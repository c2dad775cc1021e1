-- takes: $1 country codes; gives: whether a postcode area of one of them is stored
select exists (
  select from boundary where type = 'postal_code' and country = any ($1::text[]) and has_geometry
) as mapped
