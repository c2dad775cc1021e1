-- takes: $1 file; gives: nothing; its shares go with it
delete from file where id = $1
