-- params: $1 org, $2 account, $3 role; returns: nothing
update membership set role = $3 where org = $1 and account = $2
