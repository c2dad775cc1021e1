-- name: secret_get
-- params: $1 name
-- returns: its value, or no row
select value from secret where name = $1

-- name: secret_put
-- params: $1 name, $2 value
-- returns: nothing; keeps a value that is already stored
insert into secret (name, value) values ($1, $2) on conflict (name) do nothing
