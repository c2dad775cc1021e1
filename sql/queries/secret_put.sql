-- params: $1 name, $2 value; returns: nothing; the first one stays
insert into secret (name, value) values ($1, $2) on conflict (name) do nothing
