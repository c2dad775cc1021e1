-- The ids of boundaries of today by a name that nothing hides: a transaction that stores an edition has a table boundary of
-- its own (sources/editions.ts), but its boundaries have the ids of today.
create view stored_boundary as
select b.id, b.source, b.source_id, b.type, b.admin_level, s.seed
from boundary b
join source s on s.id = b.source;
