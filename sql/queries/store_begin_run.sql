-- params: $1 source, $2 file; returns: the number of a new import run
insert into import_run (source, file) values ($1, $2) returning id
