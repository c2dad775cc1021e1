-- params: how many; returns: boundaries whose answer is too old or that are wanted again, the oldest first
select key from upstream_fetch
where outcome in ('found', 'broken') and holds_until <= now() and key ~ '^[rw][0-9]+$'
  and (leased_until is null or leased_until <= now())
order by holds_until
limit $1
