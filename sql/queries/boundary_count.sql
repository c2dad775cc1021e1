-- params: nothing; returns: how many boundaries are stored, counted up to a thousand
select count(*)::integer as count from (select from boundary limit 1000) b
