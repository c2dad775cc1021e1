-- params: $1 model, $2 SHA-256 of the id in hexadecimal, $3 payload as JSON, $4 grant or null, $5 seconds until it expires or null, $6 SHA-256 of the network in hexadecimal or null; returns: nothing
insert into oauth_record (model, id_hash, payload, grant_id, expires_at, network)
values ($1, decode($2, 'hex'), $3::text::jsonb, $4, now() + $5::double precision * interval '1 second', decode($6, 'hex'))
on conflict (model, id_hash) do update
set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at
