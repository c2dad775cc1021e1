-- params: $1 folded names, $2 ids of places that have to contain what is found or null, $3 countries of those places, $4 countries or null, $5 kind or null, $6 admin_level or null, $7 most rows for a name; returns: boundaries called exactly so, the most important first, with the name that was found, its type, and which of the places contain them
select hit.*, array(select p.parent from boundary_parent p
                    where $2::text[] is not null and p.child = hit.id and p.parent = any ($2::text[])) as inside
from unnest($1::text[]) as wanted (name)
cross join lateral (
  select n.boundary_id as id, n.folded, n.type as name_type, n.weight, b.kind, b.countries,
         b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
  from boundary_name n
  join boundary b on b.id = n.boundary_id
  where n.folded = wanted.name and n.type not in ('code', 'wikidata', 'word')
    and ($2::text[] is null or b.countries && $3::text[]
      or exists (select from boundary_parent p where p.child = b.id and p.parent = any ($2::text[])))
    and ($4::text[] is null or b.countries && $4::text[])
    and ($5::text is null or b.kind = $5::text) and ($6::integer is null or b.admin_level = $6::integer)
  order by n.weight desc, n.boundary_id collate "C"
  limit $7
) hit
