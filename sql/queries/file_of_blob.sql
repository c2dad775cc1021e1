-- params: $1 sha256; returns: the entries that name it
select id, org, name, boundary, version, format, detail from file where sha256 = $1 order by id
