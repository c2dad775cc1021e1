-- takes: a source, the time of its data; gives: nothing. It never goes back
update source set data_at = greatest(data_at, $2::timestamptz) where id = $1
