-- params: $1 team, $2 org, $3 account; returns: the account, or no row when it is in the team already
insert into team_member (team, org, account) values ($1, $2, $3) on conflict (team, account) do nothing returning account
