-- params: $1 email of an account, $2 its new email in lower case; returns: the account, or no row when there is none with $1 or another has $2
with changed as (
  update account set email = $2
  where email = $1 and not exists (select 1 from account other where other.email = $2)
  returning id, email),
renamed as (
  update org set name = $2 where name = $1 and personal_of = (select id from changed))
select id, email from changed
