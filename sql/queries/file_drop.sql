-- params: $1 file; returns: nothing; its shares go with it
delete from file where id = $1
