-- What a change reaches: the tiers of an arc depend on what lies in the cells noted of it, and a change elsewhere leaves
-- them as they are. Arcs run from junction to junction of the boundaries there are, whatever ways they came from.

do $$
begin
  if exists (select from arc) then
    raise exception 'boundaries stored before version 0.1 cannot be carried over: import them into an empty database';
  end if;
end $$;

drop table way_arc;

alter table arc
  add column class smallint not null default 12,        -- the smallest end class of a boundary that uses it
  add column main boolean not null default false,       -- in the shell of the largest part of a boundary
  add column reach bytea not null,                      -- workers/kernels/reach.ts
  add column reach_box box not null;                    -- of the cells of those
create index arc_reach_box on arc using gist (reach_box);
alter table arc alter column reach set storage external; -- made of differences already: nothing is left to compress

alter table boundary_shape add column largest integer not null default 0; -- its polygon with the largest area
