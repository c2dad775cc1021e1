-- name: format_add
-- params: $1 names of formats
-- returns: the names that were not known before; files of them can be saved now
insert into file_format (name) select unnest($1::text[]) on conflict do nothing returning name

-- name: format_unknown
-- params: $1 the formats of this release
-- returns: the formats of files that are not among them
select distinct format from file_blob where format <> all ($1::text[]) order by format
