-- params: $1 mail; returns: nothing; it is done with, sent or given up
delete from outbox where id = $1
