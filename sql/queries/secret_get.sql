-- params: $1 name; returns: its value, or no row
select value from secret where name = $1
