-- params: a source, the time of its data; returns: nothing. It never goes back
update source set data_at = greatest(data_at, $2::timestamptz) where id = $1
