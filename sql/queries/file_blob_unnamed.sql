-- params: $1 limit, $2 seconds since someone set about putting it; returns: blobs that no entry names (any more)
select b.sha256, b.format, b.bytes from file_blob b
where b.claimed_at < now() - make_interval(secs => $2)
  and not exists (select from file f where f.sha256 = b.sha256)
limit $1
