-- params: nothing; returns: how far changes were taken in, by address
select address, sequence, data_at, applied_at from update_state order by address
