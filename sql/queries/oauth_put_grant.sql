-- params: $1 grant, $2 account, $3 org, $4 client id, $5 client name, $6 scope; returns: the grant when the account is in the org
insert into oauth_grant (id, account, org, client_id, client_name, scope)
select $1::text, m.account, m.org, $4::text, $5::text, $6::text
from membership m where m.account = $2 and m.org = $3
for key share
returning id
