-- takes: $1 the query in ASCII, $2 spellings that are one slip away, $3 most rows of one step, $4 countries or null, $5 kind or null, $6 admin_level or null; gives: names that resemble the query, most alike first, and what ranking needs
(select n.boundary_id as id, n.folded, n.weight, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
 from boundary_name n
 join boundary b on b.id = n.boundary_id
 where n.ascii %> $1
   and (($4::text[] is null or b.countries && $4::text[])
    and ($5::text is null or b.kind = $5::text) and ($6::integer is null or b.admin_level = $6::integer)
   )
 order by word_similarity($1, n.ascii) desc, n.weight desc, n.boundary_id collate "C"
 limit $3)
union all
(select n.boundary_id, n.folded, n.weight, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
 from boundary_name n
 join boundary b on b.id = n.boundary_id
 where n.folded = any ($2::text[]) and n.type not in ('code', 'wikidata')
   and (($4::text[] is null or b.countries && $4::text[])
    and ($5::text is null or b.kind = $5::text) and ($6::integer is null or b.admin_level = $6::integer)
   )
 order by n.weight desc, n.boundary_id collate "C"
 limit $3)
