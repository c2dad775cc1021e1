-- params: $1 model, $2 how many all networks together may have stored, $3 how many are left when there are more; returns: nothing; the networks with the most lose their oldest first
delete from oauth_record
where model = $1 and id_hash in (
  select id_hash from (
    select id_hash, expires_at, row_number() over (partition by network order by expires_at desc, id_hash) as place
    from oauth_record
    where model = $1 and network is not null and expires_at is not null
      and (select count(*) from oauth_record
           where model = $1 and network is not null and expires_at is not null) > $2) ranked
  order by place desc, expires_at, id_hash
  limit greatest(0, (select count(*) from oauth_record
                     where model = $1 and network is not null and expires_at is not null) - $3))
