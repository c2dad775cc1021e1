-- takes: $1 plan, $2 a price at the payment provider or null; gives: the plan when it is there
update plan set payment_price = $2 where id = $1 and id <> 'anonymous' returning id
