-- params: $1 plan; returns: its price at the payment provider, when it is sold there
select payment_price from plan where id = $1 and listed and payment_price is not null
