-- takes: $1 sha256; gives: it when no entry names it and the row was dropped, otherwise no row
delete from file_blob b
where b.sha256 = $1 and not exists (select from file f where f.sha256 = b.sha256)
returning b.sha256
