-- params: $1 key, $2 org, $3 account or null for any; returns: whose it is, or no row
select account from api_key where id = $1 and org = $2 and ($3::text is null or account = $3)
