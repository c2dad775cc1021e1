-- takes: $1 limit; gives: blobs that no entry names any more
select b.sha256, b.format, b.bytes from file_blob b
where not exists (select from file f where f.sha256 = b.sha256)
limit $1
