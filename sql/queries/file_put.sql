-- params: $1 id, $2 org, $3 creator, $4 name, $5 boundary, $6 its version, $7 format, $8 detail, $9 visibility, $10 sha256; returns: the id, or no row when there is such an entry already
insert into file (id, org, creator, name, boundary, version, format, detail, visibility, sha256)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict do nothing
returning id
