-- What a change reaches: the tiers of an arc depend on what lies in the cells noted of it, and a change elsewhere leaves
-- them as they are. Arcs run from junction to junction of the boundaries there are, whatever ways they came from.

drop table way_arc;

alter table arc
  add column class smallint not null default 12,        -- the smallest end class of a boundary that uses it
  add column main boolean not null default false,       -- in the shell of the largest part of a boundary
  add column reach bigint[] not null default '{}';      -- keys of workers/kernels/surroundings.ts
create index arc_reach on arc using gin (reach);
alter table arc alter column reach set statistics 0;

alter table boundary_shape add column largest integer not null default 0; -- its polygon with the largest area
