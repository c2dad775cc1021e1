-- params: $1 sha256, $2 format, $3 bytes; returns: the generation of the bytes, which the caller is about to put; no row while someone removes them
insert into file_blob (sha256, format, bytes) values ($1, $2, $3)
on conflict (sha256) do update set claimed_at = now() where file_blob.leaving_at is null
returning generation
