-- takes: $1 org, $2 account; gives: nothing; they leave its teams as well
delete from membership where org = $1 and account = $2
