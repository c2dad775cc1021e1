-- Codes of boundaries with their schemes, which are ids of boundaries: fips:48201, nuts:DE212.
alter table boundary add column code_ids text[];                 -- as written; null: none, or stored by an earlier release

-- What a code id is found by: it in lower case, and its scheme with the colon.
create function code_keys(code_ids text[]) returns text[]
language sql immutable strict parallel safe
return (select array_agg(lower(c)) || array_agg(distinct lower(split_part(c, ':', 1)) || ':') from unnest(code_ids) as u (c));

create index boundary_code_keys on boundary using gin (code_keys(code_ids)) where code_ids is not null;
