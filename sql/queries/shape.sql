-- name: shape_load
-- params: $1 ids of boundaries whose rings are wanted, $2 ids of arcs wanted besides those of the rings, $3 and $4 as
--   $1 for shapes of other arrangements than the present one: arrangements, and the id of a boundary in each
-- returns: one row per boundary (rings as signed arc ids, id null) and one row per arc (boundary_id null; all that the
--   kernels need, and the ids of arcs it meets other than at its ends)
-- prepared: planned once per session, because planning takes longer than running
with shape as (
  select s.boundary_id, 0 as arrangement, arrangement_of(b.id) as conflict_scope, s.arcs, s.ring_end, s.polygon_end,
         encode(b.ring_hash, 'hex') as ring_hash
  from boundary_shape s
  join boundary b on b.id = s.boundary_id
  where s.boundary_id = any ($1::text[])
  union all
  select s.boundary_id, s.arrangement, s.arrangement::text, s.arcs, s.ring_end, s.polygon_end,
         encode(s.ring_hash, 'hex')
  from unnest($3::smallint[], $4::text[]) as w (arrangement, id)
  join shape_apart s on s.arrangement = w.arrangement and s.boundary_id = w.id
),
wanted as (
  select abs(r.ref) as id from shape s, unnest(s.arcs) as r (ref)
  union
  select w.id from unnest($2::bigint[]) as w (id)
)
select s.boundary_id, s.arrangement, s.conflict_scope, s.arcs, s.ring_end, s.polygon_end, s.ring_hash,
       null::bigint as id, null::integer as revision, null::bytea as coords, null::bytea as weights,
       null::bytea as ends, null::integer as exact, null::float8 as area, null::float8 as turn,
       null::bigint[] as conflicts
from shape s
union all
select null, null, null, null, null, null, null,
       a.id, a.revision, a.coords, a.weights, a.ends, a.exact, a.area, a.turn,
       array(select c.b from arc_conflict c where c.a = a.id
             union all
             select c.a from arc_conflict c where c.b = a.id and c.a <> a.id)
from wanted w
-- Looked up one by one: the planner takes the arcs of a few shapes for thousands, and would read those of all sets.
cross join lateral (select r.id, r.revision, r.coords, r.weights, r.ends, r.exact, r.area, r.turn from arc r where r.id = w.id offset 0) a
