-- name: search_containers
-- params: $1 folded names or codes
-- returns: administrative boundaries with one of these names that contain other boundaries, the most important first
select n.folded, n.boundary_id as id, b.name, b.countries,
       case when b.admin_level = 2 or b.kind = 'country' then b.country end as country
from unnest($1::text[]) as wanted (name)
cross join lateral (
  select m.folded, m.boundary_id, m.weight
  from boundary_name m
  where m.folded = wanted.name and m.type not in ('word', 'wikidata') and m.weight > 0
    and exists (select from boundary_parent p where p.parent = m.boundary_id)
  order by m.weight desc, m.boundary_id collate "C"
  limit 5
) n
join boundary b on b.id = n.boundary_id
where b.type = 'administrative'
order by n.weight desc, n.boundary_id collate "C"

-- name: search_exact
-- params: $1 folded names, $2 ids of places that must contain the results or null, $3 countries of those places, $4
--   countries or null, $5 kind or null, $6 admin_level or null, $7 most rows per name
-- returns: boundaries with exactly such a name, the most important first, each with the matched name, its type, and
--   which of the places contain the boundary
-- not null: inside
-- types: kind 'postal_code' | 'state' | 'country' | 'region' | 'province' | 'county' | 'district' | 'municipality' |
--   'city' | 'borough' | 'ward' | 'neighbourhood'
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

-- name: search_index
-- params: $1 folded name, $2 boundary id and $3 type of the last row of the previous page, $4 most rows
-- returns: names in code point order
select n.folded, n.boundary_id as id, n.type as name_type, n.weight
from boundary_name n
where n.folded ~>=~ $1
  and (n.folded ~>~ $1 or (n.boundary_id collate "C", n.type collate "C") > ($2, $3))
order by n.folded using ~<~, n.boundary_id collate "C", n.type collate "C"
limit $4

-- name: search_index_places
-- params: $1 id of the last row of the previous page, $2 most rows
-- returns: boundaries by id, with what search, ranking and display need, whether they contain others, and the ids of
--   their parents, outermost first
-- not null: contains
-- types: kind 'postal_code' | 'state' | 'country' | 'region' | 'province' | 'county' | 'district' | 'municipality' |
--   'city' | 'borough' | 'ward' | 'neighbourhood'; countries string[]; stale { readonly reason: string, readonly lat:
--   number, readonly lon: number, readonly since: string } | null
select b.id, b.type, b.name, b.kind, b.admin_level, b.country, b.countries, b.disputed, b.population, b.wikidata, b.iso,
       b.west, b.south, b.east, b.north, b.lat, b.lon, b.has_geometry, b.source, b.version, b.stale,
       exists (select from boundary_parent p where p.parent = b.id) as contains,
       array(select p.parent from boundary_parent p where p.child = b.id order by p.position, p.parent) as parents
from (select * from boundary where id collate "C" > $1 order by id collate "C" limit $2) b
order by b.id collate "C"

-- name: search_index_size
-- params: nothing
-- returns: how many names and boundaries there are, and the total bytes of the folded names, the boundary ids and the
--   local names
-- not null: names, letters, places, ids, titles
select n.names, n.letters, b.places, b.ids, b.titles
from (select count(*)::integer as names, coalesce(sum(octet_length(folded)), 0)::bigint as letters from boundary_name) n,
     (select count(*)::integer as places, coalesce(sum(octet_length(id)), 0)::bigint as ids,
             coalesce(sum(octet_length(name)), 0)::bigint as titles
      from boundary) b

-- name: search_names
-- params: $1 folded query, $2 the query as a compact code, $3 a canonical id or null, $4 whether to complete codes too,
--   $5 countries or null, $6 kind or null, $7 admin_level or null, $8 most rows of one step, $9 ids of places that must
--   contain the results or null, $10 countries of those places
-- returns: boundaries with a name or code that equals or starts with the query, with the best step of each (0 name, 1
--   name without its type word or former name, 2 code or id, 3 start of a name, 4 later words, 5 start of a later word)
--   and what ranking needs
-- not null: step, weight, whole, name_type, id, kind, type
-- types: kind 'postal_code' | 'state' | 'country' | 'region' | 'province' | 'county' | 'district' | 'municipality' |
--   'city' | 'borough' | 'ward' | 'neighbourhood'; type 'administrative' | 'postal_code'
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
  -- Important names first: a short prefix may have a hundred thousand completions.
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

-- name: search_near
-- params: $1 folded query, $2 wests, $3 south and north, $4 easts of two boxes in degrees, $5 countries or null, $6
--   kind or null, $7 admin_level or null, $8 most rows
-- returns: boundaries in the boxes whose name equals or starts with the query; columns as in search_names
with hit as (
  select n.boundary_id as id, n.weight, n.folded = $1 or starts_with(n.folded, $1 || ' ') as whole,
         case when n.folded <> $1 then case n.type when 'word' then 5 else 3 end
              else case n.type when 'stripped' then 1 when 'old_name' then 1 when 'word' then 4 else 0 end end as step,
         b.kind, n.type as name_type, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
  from boundary_shape s
  join boundary_name n on n.boundary_id = s.boundary_id
  join boundary b on b.id = s.boundary_id
  where (s.geom && ST_MakeEnvelope(($2::float8[])[1], ($3::float8[])[1], ($4::float8[])[1], ($3::float8[])[2], 4326)
      or s.geom && ST_MakeEnvelope(($2::float8[])[2], ($3::float8[])[1], ($4::float8[])[2], ($3::float8[])[2], 4326))
    and n.folded ~>=~ $1 and n.folded ~<~ ($1 || chr(1114111)) and n.type not in ('code', 'wikidata')
    and ($5::text[] is null or b.countries && $5::text[])
    and ($6::text is null or b.kind = $6::text) and ($7::integer is null or b.admin_level = $7::integer)
  order by n.weight desc, n.boundary_id collate "C"
  limit $8
)
select distinct on (id) id, step, weight, whole, kind, name_type, type, west, south, east, north, lat, lon
from hit
order by id, step, whole desc

-- name: search_threshold
-- params: $1 a similarity between 0 and 1
-- returns: the same; until the transaction ends, sets the similarity that search_typos requires and disables sequential
--   scans: the planner assumes that comparing trigrams (2 µs a name) costs as little as comparing numbers
select set_config('pg_trgm.word_similarity_threshold', $1, true) as similarity, set_config('enable_seqscan', 'off', true) as scans

-- name: search_typos
-- params: $1 the query in ASCII, or null to search only the spellings, $2 spellings one typo away, $3 suffix that gives
--   the upper bound of the prefix range, $4 most rows of one step, $5 countries or null, $6 kind or null, $7
--   admin_level or null, $8 ids of places that must contain the results or null, $9 countries of those places
-- returns: names similar to the query, most similar first, and names that start with such a spelling, the most
--   important first; the type of the name, and what ranking needs
-- not null: id, weight, folded, name_type
-- types: kind 'postal_code' | 'state' | 'country' | 'region' | 'province' | 'county' | 'district' | 'municipality' |
--   'city' | 'borough' | 'ward' | 'neighbourhood'
select hit.id, hit.folded, hit.name_type, hit.weight, b.kind, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
from (
  (select n.boundary_id as id, n.folded, n.type as name_type, n.weight
   from boundary_name n
   where n.ascii %> $1::text
     -- Thousands of names may match: read a boundary only if a filter needs it.
     and ($5::text[] is null and $6::text is null and $7::integer is null and $8::text[] is null
       or exists (select from boundary b
                  where b.id = n.boundary_id and ($5::text[] is null or b.countries && $5::text[])
                    and ($6::text is null or b.kind = $6::text) and ($7::integer is null or b.admin_level = $7::integer)
                    and ($8::text[] is null or b.countries && $9::text[]
                      or exists (select from boundary_parent p where p.child = b.id and p.parent = any ($8::text[])))))
   order by word_similarity($1::text, n.ascii) desc, n.weight desc, n.boundary_id collate "C"
   limit $4)
  union all
  (select n.boundary_id, n.folded, n.type, n.weight
   from unnest($2::text[]) as spelling
   -- The index order with a limit leaves the planner one choice: one index scan per spelling.
   cross join lateral (select m.boundary_id, m.folded, m.type, m.weight
                       from boundary_name m
                       where m.folded ~>=~ spelling and m.folded ~<~ (spelling || $3) and m.type not in ('code', 'wikidata')
                         and ($5::text[] is null and $6::text is null and $7::integer is null and $8::text[] is null
                           or exists (select from boundary b
                                      where b.id = m.boundary_id and ($5::text[] is null or b.countries && $5::text[])
                                        and ($6::text is null or b.kind = $6::text)
                                        and ($7::integer is null or b.admin_level = $7::integer)
                                        and ($8::text[] is null or b.countries && $9::text[]
                                          or exists (select from boundary_parent p
                                                     where p.child = b.id and p.parent = any ($8::text[])))))
                       order by m.folded using ~<~, m.weight desc, m.boundary_id collate "C" limit 20) n
   order by n.weight desc, n.boundary_id collate "C"
   limit $4)
) hit
join boundary b on b.id = hit.id
