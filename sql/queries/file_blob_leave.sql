-- params: $1 sha256, $2 seconds after which whoever set about removing it is taken for dead; returns: the generation that the caller is to remove; no row when an entry names it, or another removes it
update file_blob b set leaving_at = now()
where b.sha256 = $1
  and (b.leaving_at is null or b.leaving_at < now() - make_interval(secs => $2))
  and not exists (select from file f where f.sha256 = b.sha256)
returning b.generation
