-- params: $1 org; returns: its subscriptions, those that are paid for first, the newest of each state first
select id, customer, state, status, price from subscription
where org = $1
order by array_position(array['live', 'late', 'ended'], state), changed_at desc, id desc
