-- params: $1 plan, $2 a price at the payment provider or null; returns: the plan when it is there
update plan set payment_price = $2 where id = $1 and id not in ('anonymous', 'anonymous_own') returning id
