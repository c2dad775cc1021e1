-- params: $1 account; returns: the ids of the orgs it is in, their rows locked in one order for all
select o.id from org o
where o.id in (select m.org from membership m where m.account = $1)
order by o.id
for no key update
