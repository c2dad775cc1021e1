-- params: $1 the query in ASCII, or null where the spellings are all there are, $2 spellings that are one slip away, $3 what stands behind the last text that begins with one, $4 most rows of one step, $5 countries or null, $6 kind or null, $7 admin_level or null, $8 ids of places that have to contain what is found or null, $9 countries of those places; returns: names that resemble the query, most alike first, and names that begin with such a spelling, the most important first, whether that is a later word of a name, and what ranking needs
select hit.id, hit.folded, hit.later, hit.weight, b.kind, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
from (
  (select n.boundary_id as id, n.folded, false as later, n.weight
   from boundary_name n
   where n.ascii %> $1::text
     -- Of thousands of names, boundaries are only looked at where they decide.
     and ($5::text[] is null and $6::text is null and $7::integer is null and $8::text[] is null
       or exists (select from boundary b
                  where b.id = n.boundary_id and ($5::text[] is null or b.countries && $5::text[])
                    and ($6::text is null or b.kind = $6::text) and ($7::integer is null or b.admin_level = $7::integer)
                    and ($8::text[] is null or b.countries && $9::text[]
                      or exists (select from boundary_parent p where p.child = b.id and p.parent = any ($8::text[])))))
   order by word_similarity($1::text, n.ascii) desc, n.weight desc, n.boundary_id collate "C"
   limit $4)
  union all
  (select n.boundary_id, n.folded, n.type = 'word', n.weight
   from unnest($2::text[]) as spelling
   -- In the order of the index, with a limit: so one look into it for each spelling is the only way to go.
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
