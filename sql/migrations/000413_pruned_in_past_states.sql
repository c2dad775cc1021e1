-- The span of a boundary of today in a past state, too, is ended by an edition that was pruned by then.
do $$
declare
  pin text := current_schema() || '_pin';
  path text := current_setting('search_path');
begin
  perform set_config('search_path', quote_ident(pin) || ', ' || path, true);
  execute format($view$
    create or replace view %I.boundary_today_span as
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
                  where p.source = b.source and p.valid_from > day_of(b.imported_at) and was_recorded(p.pruned_in)
                    and (p.again_in is null or not was_recorded(p.again_in))
                    and p.type = b.type and p.admin_level is not distinct from b.admin_level)) as valid_to
    from boundary b
  $view$, pin);
  perform set_config('search_path', path, true);
end
$$;
