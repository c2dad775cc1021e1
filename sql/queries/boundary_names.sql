-- params: $1 canonical ids, $2 first subtags of languages in lower case, null for all; returns: the names of each boundary in these languages, with the revision of the data; where none is stored, one row with the revision alone
with found as (
  select b.id,
         case when $2::text[] is null then b.names
              else coalesce((select jsonb_object_agg(n.key, n.value) from jsonb_each(b.names) n
                             where lower(split_part(n.key, '-', 1)) = any ($2::text[])), '{}'::jsonb) end as names
  from boundary b
  where b.id = any ($1::text[])
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
