-- takes: $1 name; gives: its value, or no row
select value from secret where name = $1
