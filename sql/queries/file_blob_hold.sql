-- params: $1 sha256, $2 generation; returns: a row when these bytes stay until the end of the transaction; no row when they were removed, or are about to be
select from file_blob where sha256 = $1 and generation = $2 and leaving_at is null for update
