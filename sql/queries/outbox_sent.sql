-- takes: $1 mail; gives: nothing; it is done with, sent or given up
delete from outbox where id = $1
