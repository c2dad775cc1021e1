-- params: $1 org, $2 account; returns: nothing; they leave its teams as well
delete from membership where org = $1 and account = $2
