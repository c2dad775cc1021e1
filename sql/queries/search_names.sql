-- params: $1 folded query, $2 the query as a compact code, $3 a canonical id or null, $4 whether codes are completed too, $5 countries or null, $6 kind or null, $7 admin_level or null, $8 most rows of one step, $9 ids of places that have to contain what is found or null, $10 countries of those places; returns: boundaries found by a name or code or the start of one, with the best step of each (0 name, 1 without its type word or a former name, 2 code or id, 3 start, 4 later words, 5 start of a later word) and what ranking needs
with hit as (
  (select n.boundary_id as id, n.weight, true as whole,
          case n.type when 'stripped' then 1 when 'old_name' then 1 when 'word' then 4 else 0 end as step,
          b.kind, n.type as name_type, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
   from boundary_name n
   join boundary b on b.id = n.boundary_id
   where n.folded = $1 and n.type not in ('code', 'wikidata')
     and (($5::text[] is null or b.countries && $5::text[])
      and ($6::text is null or b.kind = $6::text) and ($7::integer is null or b.admin_level = $7::integer)
      and ($9::text[] is null or b.countries && $10::text[]
        or exists (select from boundary_parent p where p.child = b.id and p.parent = any ($9::text[])))
     )
   order by n.weight desc, n.boundary_id collate "C"
   limit $8)
  union all
  (select n.boundary_id, n.weight, true, 2, b.kind, n.type as name_type, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
   from boundary_name n
   join boundary b on b.id = n.boundary_id
   where n.folded = $2 and n.type in ('code', 'wikidata')
     and (($5::text[] is null or b.countries && $5::text[])
      and ($6::text is null or b.kind = $6::text) and ($7::integer is null or b.admin_level = $7::integer)
      and ($9::text[] is null or b.countries && $10::text[]
        or exists (select from boundary_parent p where p.child = b.id and p.parent = any ($9::text[])))
     )
   order by n.weight desc, n.boundary_id collate "C"
   limit $8)
  union all
  (select n.boundary_id, n.weight, true, 2, b.kind, 'code' as name_type, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
   from boundary b
   join boundary_name n on n.boundary_id = b.id
   where b.id = $3
     and (($5::text[] is null or b.countries && $5::text[])
      and ($6::text is null or b.kind = $6::text) and ($7::integer is null or b.admin_level = $7::integer)
      and ($9::text[] is null or b.countries && $10::text[]
        or exists (select from boundary_parent p where p.child = b.id and p.parent = any ($9::text[])))
     )
   limit 1)
  union all
  -- What is important first: a short start of a name may have a hundred thousand completions.
  (select n.boundary_id, n.weight, starts_with(n.folded, $1 || ' '), case n.type when 'word' then 5 else 3 end,
          b.kind, n.type as name_type, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
   from boundary_name n
   join boundary b on b.id = n.boundary_id
   where n.weight >= 7 and n.folded ~>=~ $1 and n.folded ~<~ ($1 || chr(1114111))
     and n.type not in ('code', 'wikidata')
     and (($5::text[] is null or b.countries && $5::text[])
      and ($6::text is null or b.kind = $6::text) and ($7::integer is null or b.admin_level = $7::integer)
      and ($9::text[] is null or b.countries && $10::text[]
        or exists (select from boundary_parent p where p.child = b.id and p.parent = any ($9::text[])))
     )
   order by n.weight desc, n.boundary_id collate "C", n.folded collate "C"
   limit $8)
  union all
  (select n.boundary_id, n.weight, starts_with(n.folded, $1 || ' '), case n.type when 'word' then 5 else 3 end,
          b.kind, n.type as name_type, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
   from boundary_name n
   join boundary b on b.id = n.boundary_id
   where n.folded ~>=~ $1 and n.folded ~<~ ($1 || chr(1114111))
     and n.type not in ('code', 'wikidata')
     and (($5::text[] is null or b.countries && $5::text[])
      and ($6::text is null or b.kind = $6::text) and ($7::integer is null or b.admin_level = $7::integer)
      and ($9::text[] is null or b.countries && $10::text[]
        or exists (select from boundary_parent p where p.child = b.id and p.parent = any ($9::text[])))
     )
   order by n.folded using ~<~, n.boundary_id collate "C"
   limit $8)
  union all
  (select n.boundary_id, n.weight, false, 3, b.kind, n.type as name_type, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
   from boundary_name n
   join boundary b on b.id = n.boundary_id
   where $4::boolean and n.folded ~>=~ $2 and n.folded ~<~ ($2 || chr(1114111)) and n.type = 'code'
     and (($5::text[] is null or b.countries && $5::text[])
      and ($6::text is null or b.kind = $6::text) and ($7::integer is null or b.admin_level = $7::integer)
      and ($9::text[] is null or b.countries && $10::text[]
        or exists (select from boundary_parent p where p.child = b.id and p.parent = any ($9::text[])))
     )
   order by n.folded using ~<~, n.boundary_id collate "C"
   limit $8)
)
select distinct on (id) id, step, weight, whole, kind, name_type, type, west, south, east, north, lat, lon
from hit
order by id, step, whole desc
