-- A relation that was deleted by mistake is brought back by a change that does not hold its ways: they are kept for it.

alter table boundary_gone add column ways bigint[] not null default '{}';
create index boundary_gone_ways on boundary_gone using gin (ways);
