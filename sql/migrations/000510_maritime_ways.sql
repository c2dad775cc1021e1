-- Ways of borders that the map itself marks as borders at sea.
create function way_is_maritime(tags jsonb) returns boolean language sql immutable
  return coalesce(tags ->> 'maritime' = 'yes' or tags ->> 'boundary_type' = 'maritime' or tags ->> 'boundary' = 'maritime', false);
create index way_maritime on way (id) where way_is_maritime(tags);
create view maritime_way as select id, coords from way where way_is_maritime(tags) and coords is not null;

-- A tag changes without any boundary.
create trigger way_maritime_put after insert on way
  for each row when (way_is_maritime(new.tags)) execute function data_changed();
create trigger way_maritime_removed after delete on way
  for each row when (way_is_maritime(old.tags)) execute function data_changed();
create trigger way_maritime_changed after update on way
  for each row when (way_is_maritime(old.tags) <> way_is_maritime(new.tags)
                     or way_is_maritime(new.tags) and old.coords is distinct from new.coords)
  execute function data_changed();

-- It is known only of today: not as of a date, and not of a past state.
do $$
declare
  own text := current_schema();
  one text;
begin
  foreach one in array array[own || '_as_of', own || '_as_of_sets', own || '_pin', own || '_pin_as_of'] loop
    execute format('create view %I.maritime_way as select * from %I.maritime_way where false', one, own);
    execute format('grant select on %I.maritime_way to public', one);
  end loop;
  one := own || '_sets';
  execute format('create view %I.maritime_way as select * from %I.maritime_way where %I.reads_official()', one, own, own);
  execute format('grant select on %I.maritime_way to public', one);
end
$$;
