-- params: $1 sha256, $2 generation whose bytes are gone; returns: nothing
delete from file_blob where sha256 = $1 and generation = $2 and leaving_at is not null
