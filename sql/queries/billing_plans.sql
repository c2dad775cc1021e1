-- params: nothing; returns: every plan in order, `listed` false for the one of callers without a key
select id, name, price_month, included_units::double precision as included_units, requests_per_minute, batch_size, listed
from plan
order by position, id
