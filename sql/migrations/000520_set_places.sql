-- Boundaries at a place beside area sets, without a look at the areas that other organizations have there: a condition on
-- the versions that a call reads is no condition of a GiST index, so that all areas of the place were read, and most of
-- them dropped. Here each version is looked up apart, in an index that begins with it. Builds an index: writes to area
-- sets wait meanwhile.
create extension if not exists btree_gist;
create index set_shape_place on set_shape using gist (version_id, geom);
drop index set_shape_geom;

-- shapes_meeting: the ids of the boundaries whose boxes meet that of a place.
do $$
declare
  own text := current_schema();
  base text;
begin
  execute format('create function %I.shapes_meeting(place geometry) returns setof text language sql stable as %L', own,
                 format('select s.boundary_id from %I.boundary_shape s where s.geom && place', own));
  foreach base in array array[own, own || '_as_of'] loop
    execute format('create function %I.shapes_meeting(place geometry) returns setof text language sql stable as %L',
                   base || '_sets',
                   format('select s.boundary_id from %I.boundary_shape s where %I.reads_official() and s.geom && place '
                          'union all select s.boundary_id from unnest(%I.read_versions()) v (id) cross join lateral '
                          -- As it stands: the planner would drop the other versions after it has read them.
                          '(select boundary_id from %I.set_shape where version_id = v.id and geom && place offset 0) s',
                          base, own, own, own));
  end loop;
end
$$;
