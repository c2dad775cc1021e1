-- takes: $1 the query in ASCII, or null where the spellings are all there are, $2 spellings that are one slip away, $3 most rows of one step, $4 countries or null, $5 kind or null, $6 admin_level or null; gives: names that resemble the query, most alike first, and names whose first words are such a spelling, the most important first, and what ranking needs
(select n.boundary_id as id, n.folded, n.weight, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
 from boundary_name n
 join boundary b on b.id = n.boundary_id
 where n.ascii %> $1::text
   and (($4::text[] is null or b.countries && $4::text[])
    and ($5::text is null or b.kind = $5::text) and ($6::integer is null or b.admin_level = $6::integer)
   )
 order by word_similarity($1::text, n.ascii) desc, n.weight desc, n.boundary_id collate "C"
 limit $3)
union all
(select n.boundary_id, n.folded, n.weight, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
 from unnest($2::text[]) as spelling
 -- In the order of the index, with a limit: so one look into it for each spelling is the only way to go.
 cross join lateral (select m.boundary_id, m.folded, m.weight from boundary_name m
                     where m.folded ~>=~ spelling and m.folded ~<~ (spelling || '!') and m.type not in ('code', 'wikidata')
                     order by m.folded using ~<~ limit $3) n
 join boundary b on b.id = n.boundary_id
 where (($4::text[] is null or b.countries && $4::text[])
    and ($5::text is null or b.kind = $5::text) and ($6::integer is null or b.admin_level = $6::integer)
   )
 order by n.weight desc, n.boundary_id collate "C"
 limit $3)
