-- What was stored at each moment: rows of boundaries that were replaced or removed are kept beside those of today, so that
-- a request may ask for the answer that the service gave then. A transaction that changes boundaries has a number, which
-- its rows carry (null: from before numbers were given), and as it commits the moment from which others see it.
create table data_record (
  number bigint generated always as identity primary key,
  at timestamptz unique,               -- whole milliseconds, in the order of commits; null until it commits
  upto bigint                          -- the highest number of those that had committed by then
);
-- The first moment that can be asked for.
insert into data_record (at, upto) values (date_trunc('milliseconds', clock_timestamp()), 1);

-- The number of this transaction.
create function data_recording() returns bigint language plpgsql as $$
declare
  given bigint := nullif(current_setting('boundary.recording', true), '')::bigint;
begin
  if given is null then
    insert into data_record default values returning number into given;
    perform set_config('boundary.recording', given::text, true);
  end if;
  return given;
end
$$;

-- The last thing that a transaction does. The lock is held until it has committed: whoever takes it then, sees all
-- transactions with an earlier moment, and no later one gets an earlier moment.
create function data_recorded() returns trigger language plpgsql as $$
declare
  last record;
begin
  perform pg_advisory_xact_lock(1650421252, 1);
  select max(at) as at, max(upto) as upto into last
  from (select at, upto from data_record where at is not null order by at desc limit 1) r;
  update data_record
  set at = greatest(date_trunc('milliseconds', clock_timestamp()), last.at) + interval '1 millisecond',
      upto = greatest(new.number, last.upto)
  where number = new.number;
  return null;
end
$$;
create constraint trigger data_record_commit after insert on data_record
  deferrable initially deferred for each row execute function data_recorded();

create function row_recorded() returns trigger language plpgsql as $$
begin
  new.recorded_in := coalesce(nullif(current_setting('boundary.recording', true), '')::bigint, data_recording());
  return new;
end
$$;

-- Whether what a transaction did was there at the moment that this one asks for: its settings have the highest number by
-- then, and those of transactions with lower numbers that committed later.
create function was_recorded(number bigint) returns boolean language sql stable
  return number is null or (number <= nullif(current_setting('boundary.pin', true), '')::bigint
                            and number <> all (string_to_array(current_setting('boundary.pin_open', true), ',')::bigint[]));

-- A schema of views with the names of the tables, which are the rows at that moment; with it first in the search path, every
-- statement reads what was stored then. A second one reads that as of a date. A later column of one of these tables is
-- also one of its past_… and of its function.
do $$
declare
  own text := current_schema();
  path text := current_setting('search_path');
  pin text := current_schema() || '_pin';
  pin_past text := current_schema() || '_pin_as_of';
  one text;
  cols text;
  vals text;
  made text;
begin
  alter table edition_source add column recorded_in bigint;
  foreach one in array array['boundary', 'boundary_shape', 'boundary_name', 'boundary_parent', 'boundary_alias',
                             'boundary_gone', 'boundary_land', 'shape_apart', 'source', 'arc', 'arc_conflict', 'edition',
                             'edition_layer', 'edition_interval'] loop
    select string_agg(quote_ident(attname), ', ' order by attnum),
           -- Another name for the same shape: memory of shapes, by ring_hash and revision, has no conflicts of the past.
           string_agg(case when attname = 'ring_hash' then $q$sha256(ring_hash || 'past') as ring_hash$q$
                           when one = 'arc' and attname = 'revision' then '- revision as revision'
                           else quote_ident(attname) end, ', ' order by attnum)
    into cols, vals
    from pg_attribute
    where attrelid = one::regclass and attnum > 0 and not attisdropped;
    execute format('alter table %I add column recorded_in bigint', one);
    execute format('create table past_%s (like %I including storage, replaced_in bigint not null)', one, one);
    for made in
      select format('create index on past_%s %s', one, substring(pg_get_indexdef(i.indexrelid) from ' (USING .*)$'))
      from pg_index i
      join pg_class c on c.oid = i.indexrelid
      where i.indrelid = one::regclass and (one <> 'arc' or i.indisprimary)
        and c.relname not in ('boundary_ways', 'boundary_stale', 'boundary_land_pending')
      order by c.relname
    loop
      execute made;
    end loop;
    -- For removing the oldest.
    execute format('create index on past_%s (replaced_in)', one);
    execute format('create function past_%s() returns trigger language plpgsql as %L', one, format(
      'declare number bigint := data_recording(); begin '
      'insert into past_%s (%s, recorded_in, replaced_in) select %s, recorded_in, number from replaced '
      'where recorded_in is distinct from number; return null; end', one, cols, cols));
    execute format('create trigger %I before insert or update on %I for each row execute function row_recorded()',
                   one || '_recorded', one);
    execute format('create trigger %I after update on %I referencing old table as replaced for each statement execute '
                   'function past_%s()', one || '_replaced', one, one);
    execute format('create trigger %I after delete on %I referencing old table as replaced for each statement execute '
                   'function past_%s()', one || '_removed', one, one);
    execute format('create schema if not exists %I', pin);
    -- Conflicts of whatever moment: arcs that meet elsewhere than at their ends always did.
    execute format('create view %I.%I as select %s from (select %s, recorded_in, null::bigint as replaced_in from %I.%I '
                   'union all select %s, recorded_in, replaced_in from %I.past_%s) u where %s',
                   pin, one, vals, cols, own, one, cols, own, one,
                   case when one = 'arc_conflict' then 'true'
                        else 'was_recorded(u.recorded_in) and (u.replaced_in is null or not was_recorded(u.replaced_in))' end);
  end loop;
  -- The functions and views about dates again, over those views. Names of this schema are not qualified in their text.
  foreach one in array array['boundary_today_span', 'boundary_today_at', 'edition_state_at', 'boundary_state_span',
                             'arrangement_of_layer()', 'lasts_as_of()', 'today_has_as_of()', 'today_as_of()', 'state_since()',
                             'boundary_at', 'boundary_shape_at', 'boundary_name_at', 'boundary_parent_at', 'arc_at',
                             'arc_conflict_at', 'source_at', 'arrangement_at()', 'validity_at()'] loop
    if one like '%()' then
      select replace(pg_get_functiondef(oid), format('FUNCTION %I.', own), format('FUNCTION %I.', pin))
      into made
      from pg_proc
      where pronamespace = own::regnamespace and proname = rtrim(one, '()');
    else
      made := format('create view %I.%I as %s', pin, one, pg_get_viewdef(one::regclass));
    end if;
    perform set_config('search_path', quote_ident(pin) || ', ' || path, true);
    execute made;
    perform set_config('search_path', path, true);
  end loop;
  execute format('create schema if not exists %I', pin_past);
  foreach one in array array['boundary', 'boundary_shape', 'boundary_name', 'boundary_parent', 'arc', 'arc_conflict', 'source'] loop
    execute format('create view %I.%I as select * from %I.%I', pin_past, one, pin, one || '_at');
  end loop;
  -- Land and water are known only of today.
  foreach one in array array['boundary_land', 'shape_apart'] loop
    execute format('create view %I.%I as select * from %I.%I where false', pin_past, one, pin, one);
  end loop;
  execute format('create function %I.arrangement_of(boundary text) returns text language sql stable '
                 'return %I.arrangement_at(arrangement_of.boundary)', pin_past, pin);
  execute format('create function %I.validity_of(boundary text) returns text[] language sql stable '
                 'return %I.validity_at(validity_of.boundary)', pin_past, pin);
  foreach one in array array[pin, pin_past] loop
    execute format('grant usage on schema %I to public', one);
    execute format('grant select on all tables in schema %I to public', one);
  end loop;
end
$$;
