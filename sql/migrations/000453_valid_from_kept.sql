-- What an OsmChange file changes may be in force from the time of an earlier change of the same boundary: of the versions
-- that are in force from one time, the last is what is stored, and when it was stored is when the service learned of it.
do $$
declare
  own text := current_schema();
  path text := current_setting('search_path');
  one text;
begin
  foreach one in array array[own, own || '_pin'] loop
    perform set_config('search_path', quote_ident(one) || ', ' || path, true);
    execute format($view$
      create or replace view %I.boundary_state_span as
      select i.state, i.boundary_id, v.valid_from, v.valid_to, i.recorded_from as recorded_at
      from edition_interval i
      left join boundary_today_span t on t.id = i.boundary_id
      cross join lateral (values (i.valid_from, least(i.valid_to, t.valid_from), true),
                                 (greatest(i.valid_from, t.valid_to), i.valid_to, t.valid_to is not null)
                         ) as v (valid_from, valid_to, applies)
      where i.recorded_to is null and v.applies and (v.valid_to is null or v.valid_from < v.valid_to)
      union all
      select null, t.id, t.valid_from, t.valid_to,
             coalesce((select max(v.imported_at) from boundary_version v
                       where v.boundary_id = b.id and v.valid_from = b.imported_at and v.version <= b.version), b.imported_at)
      from boundary_today_span t
      join boundary b on b.id = t.id
    $view$, one);
    perform set_config('search_path', path, true);
  end loop;
end
$$;
