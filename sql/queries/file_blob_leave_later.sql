-- params: $1 sha256, $2 generation whose bytes could not be removed, $3 seconds after which whoever set about it is taken for dead, $4 seconds after which another may try; returns: nothing
update file_blob set leaving_at = now() - make_interval(secs => $3::float8 - $4::float8)
where sha256 = $1 and generation = $2 and leaving_at is not null
