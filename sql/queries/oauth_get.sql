-- params: $1 model, $2 SHA-256 of the id in hexadecimal; returns: payload and when it was consumed (seconds since the epoch), or no row
select payload, extract(epoch from consumed_at)::double precision as consumed
from oauth_record
where model = $1 and id_hash = decode($2, 'hex') and (expires_at is null or expires_at > now())
