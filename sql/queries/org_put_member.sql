-- params: $1 org, $2 account, $3 role; returns: the account, or no row when it is a member already, who keeps the role they have
insert into membership (org, account, role) values ($1, $2, $3) on conflict (org, account) do nothing returning account
