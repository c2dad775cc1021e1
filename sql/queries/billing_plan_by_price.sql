-- params: $1 a price at the payment provider; returns: the plan
select id from plan where payment_price = $1
