-- params: $1 org; returns: nothing; all that is in it goes with it, but what calls that still run hold of a pool
with months as (delete from usage_month where purse = $1),
by_op as (delete from usage_by_op where org = $1)
delete from org where id = $1
