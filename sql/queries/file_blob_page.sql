-- params: $1 the last sha256 of the page before, or '', $2 limit; returns: blobs that entries name, in order
select b.sha256, b.format, b.bytes from file_blob b
where b.sha256 > $1 and exists (select from file f where f.sha256 = b.sha256)
order by b.sha256
limit $2
