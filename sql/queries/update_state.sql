-- params: an address ('' for files given by hand); returns: how far its changes were taken in, and the newest time of any
select (select sequence from update_state where address = $1) as sequence,
       (select max(data_at) from update_state) as data_at
