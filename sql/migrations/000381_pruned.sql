-- Which editions of a layer (source, type and admin level) were pruned. As of a date for which one of them counted, nothing
-- else answers in its place.
create table history_pruned (
  source text not null,
  valid_from date not null,
  type text not null,
  admin_level smallint,
  pruned_in bigint not null,           -- number of a transaction (data_record)
  again_in bigint                      -- that in which it was imported again
);
create index history_pruned_layer on history_pruned (source, type, admin_level, valid_from);

-- As before, but a boundary of today is also ended by an edition that was pruned since.
create or replace view boundary_today_span as
select b.id, day_of(b.imported_at) as valid_from,
       least((select min(e.valid_from)
              from edition e
              join edition_layer l on l.edition = e.id
              where e.source = b.source and e.valid_from > day_of(b.imported_at)
                and l.type = b.type and l.admin_level is not distinct from b.admin_level),
             (select min(i.valid_from)
              from edition_interval i
              where i.boundary_id = b.id and i.recorded_to is null and i.valid_from > day_of(b.imported_at)),
             (select min(p.valid_from)
              from history_pruned p
              where p.source = b.source and p.valid_from > day_of(b.imported_at) and p.again_in is null
                and p.type = b.type and p.admin_level is not distinct from b.admin_level)) as valid_to
from boundary b;
