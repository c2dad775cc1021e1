-- params: nothing; returns: nothing. The provider tries for three days; older events do not come again.
delete from payment_event where received_at < now() - interval '30 days'
