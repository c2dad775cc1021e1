-- takes: $1 team, $2 account; gives: the account, or no row when it was not in the team
delete from team_member where team = $1 and account = $2 returning account
