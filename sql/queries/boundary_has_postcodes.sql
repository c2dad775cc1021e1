-- params: $1 country codes; returns: for each whether a postcode area of it is stored with its polygon, and the revision of the data
select asked.country,
       exists (select from boundary b where b.type = 'postal_code' and b.country = asked.country and b.has_geometry) as mapped,
       (select base from data_revision) + (select count(*) from data_change) as revision
from unnest($1::text[]) as asked (country)
