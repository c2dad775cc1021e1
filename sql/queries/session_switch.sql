-- params: $1 session, $2 org; returns: a row when the session's account is in that org
update session s set org = m.org
from membership m
where s.id = $1 and m.org = $2 and m.account = s.account
returning s.id
