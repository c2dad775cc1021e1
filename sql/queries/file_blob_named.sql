-- params: $1 values of sha256; returns: those of them that entries name
select distinct f.sha256 from file f where f.sha256 = any ($1::text[])
