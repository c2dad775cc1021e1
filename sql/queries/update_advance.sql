-- params: address, sequence number (null for a file given by hand), time of the data (null: unknown), the source; returns: nothing
with source_time as (
  update source set data_at = greatest(data_at, $3::timestamptz) where id = $4
)
insert into update_state as s (address, sequence, data_at)
values ($1, $2::bigint, $3::timestamptz)
on conflict (address) do update
set sequence = excluded.sequence, data_at = greatest(s.data_at, excluded.data_at), applied_at = now()
