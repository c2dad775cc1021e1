-- params: $1 account, $2 org; returns: nothing; its sessions there move to its own org, else to the one it joined first, else to none
update session s set org = (
  select m.org from membership m join org o on o.id = m.org
  where m.account = $1 and m.org <> $2
  order by o.personal_of is distinct from $1, m.created_at, m.org
  limit 1)
where s.account = $1 and s.org = $2
