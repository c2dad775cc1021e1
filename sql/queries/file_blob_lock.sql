-- params: $1 sha256, $2 format, $3 bytes; returns: nothing; the row, made where there is none, is held until the end of the transaction
insert into file_blob (sha256, format, bytes) values ($1, $2, $3)
on conflict (sha256) do update set format = file_blob.format
