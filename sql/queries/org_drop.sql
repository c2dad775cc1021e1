-- takes: $1 org; gives: nothing; all that is in it goes with it
delete from org where id = $1
