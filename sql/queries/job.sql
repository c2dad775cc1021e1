-- name: job_any
-- params: nothing
-- returns: one row: whether a job of any organization waits, now or for a later try, or runs
-- not null: live
select exists (select from job where state in ('queued', 'running')) as live

-- name: job_begin
-- params: $1 job, $2 token, $3 revision of the data, $4 state of the area sets or null, $5 how many boundaries
-- returns: how often parts were discarded because they were made from other data; no row when the lease is lost
update job set
  revision = $3,
  sets = $4,
  total = $5,
  resets = resets + case when (revision, sets) is distinct from ($3::bigint, $4::text) and revision is not null then 1 else 0 end,
  done = case when (revision, sets) is distinct from ($3::bigint, $4::text) then 0 else done end,
  failed = case when (revision, sets) is distinct from ($3::bigint, $4::text) then '[]' else failed end
where id = $1 and token = $2 and state = 'running'
returning resets

-- name: job_cancel
-- params: $1 job, $2 org
-- returns: its reservation and what is needed to end it; no row when it has already ended
update job set state = 'canceled', ended_at = now(), lease_until = null
where id = $1 and org = $2 and state in ('queued', 'running')
returning reservation, op, units, webhook

-- name: job_claim
-- params: $1 seconds that the lease lasts
-- returns: the claimed job: the oldest due job of the organization with the fewest running jobs. No row: none is due.
--   No retry is put off for more than an hour: what is due later was queued before the clock was set back
-- types: role 'owner' | 'admin' | 'member' | 'viewer'
update job set state = 'running', token = token + 1, attempts = attempts + 1,
  lease_until = now() + make_interval(secs => $1), started_at = coalesce(started_at, now())
where id = (
  select c.id from job c
  where c.state = 'queued' and (c.run_at <= now() or c.run_at > now() + interval '2 hours') or c.state = 'running' and c.lease_until <= now()
  order by (select count(*) from job r where r.org = c.org and r.state = 'running' and r.lease_until > now()),
           c.run_at, c.id
  limit 1 for update skip locked)
returning id, org, account, role, op, input, name, visibility, units, reservation, token, attempts, mail, webhook, sets, language

-- name: job_creator
-- params: $1 account, $2 org
-- returns: the creator with current role, and the plan with the days it keeps results; no row when they left
select a.id, a.email, a.name, a.operator, m.role, o.slug, o.plan, p.job_days
from account a
join membership m on m.account = a.id
join org o on o.id = m.org
join plan p on p.id = o.plan
where a.id = $1 and m.org = $2

-- name: job_drop_parts
-- params: $1 job
-- returns: the blobs of its parts, which are deleted
delete from job_part where job = $1 returning blob

-- name: job_end
-- params: $1 job, $2 token, $3 state, $4 units charged, $5 file or null, $6 error as JSON or null
-- returns: a row, or none when the lease is lost
update job set state = $3, charged = $4, file = $5, error = $6::jsonb,
  done = case when $3 = 'done' then total else done end, ended_at = clock_timestamp(), lease_until = null
where id = $1 and token = $2 and state = 'running'
returning id

-- name: job_figures
-- params: nothing
-- returns: one row: jobs queued, running and failed within the last day, and the seconds that the oldest due job has
--   waited
-- not null: queued, running, failed, age_s
select count(*) filter (where state = 'queued')::integer as queued,
       count(*) filter (where state = 'running')::integer as running,
       count(*) filter (where state = 'failed')::integer as failed,
       coalesce(extract(epoch from now() - min(run_at) filter (where state = 'queued' and run_at <= now())), 0)::float8 as age_s
from job
where state in ('queued', 'running') or ended_at > now() - interval '1 day'

-- name: job_free
-- params: nothing
-- returns: nothing. Ends all leases at once: only for a process that has the database to itself
update job set lease_until = now() - interval '1 second' where state = 'running'

-- name: job_held
-- params: nothing
-- returns: the reservations of jobs that have not ended
select id, org, op, units, reservation from job where state in ('queued', 'running') and reservation is not null

-- name: job_input
-- params: $1 org, $2 account, $3 whether they see all jobs, $4 job
-- returns: the input of the job as given, or no row
select j.input from job j where j.org = $1 and ($3::boolean or j.account = $2) and j.id = $4

-- name: job_list
-- params: $1 org, $2 account, $3 whether they see all jobs, $4 limit, $5 offset
-- returns: the jobs they see, newest first, each with the total
select count(*) over ()::integer as of_all, j.id, j.op, j.name, j.visibility, j.state, j.units, j.charged, j.total, j.done,
       '[]'::jsonb as failed, jsonb_array_length(j.failed) as failed_count, j.error, j.file, j.doing, null::jsonb as report,
       j.mail, j.webhook, j.created_at, j.started_at, j.ended_at, now() as read_at, j.account, a.email, a.name as account_name,
       coalesce((select not may_read_file(f, $2, $3::boolean) from file f where f.id = j.file), false) as file_hidden
from job j
join account a on a.id = j.account
where j.org = $1 and ($3::boolean or j.account = $2)
order by j.created_at desc, j.id desc
limit $4 offset $5

-- name: job_hold_op
-- params: $1 operation
-- returns: one row. Until the end of the transaction no other one that asks it creates a job of the operation
select pg_advisory_xact_lock(hashtext('job_op'), hashtext($1))

-- name: job_live
-- params: $1 org
-- returns: one row: how many jobs it has queued or running, and how many job results it keeps
-- not null: live, kept
select (select count(*) from job where org = $1 and state in ('queued', 'running'))::integer as live,
       (select count(*) from job j where j.org = $1 and j.file is not null)::integer as kept

-- name: job_op_live
-- params: $1 operation
-- returns: one row: whether a job of it, of any organization, waits or runs
-- not null: live
select exists (select from job where op = $1 and state in ('queued', 'running')) as live

-- name: job_parts
-- params: $1 job
-- returns: its finished parts
-- types: about unknown
select part, blob, about from job_part where job = $1 order by part

-- name: job_put
-- params: $1 id, $2 org, $3 account, $4 role, $5 op, $6 input, $7 name, $8 visibility, $9 units, $10 reservation or
--   null, $11 boundaries, $12 whether mail is sent, $13 webhook or null, $14 the area set that it adds to, '' for a new
--   one, or null, $15 language of the mail
-- returns: nothing
insert into job (id, org, account, role, op, input, name, visibility, units, reservation, total, mail, webhook, sets, language)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)

-- name: job_put_part
-- params: $1 job, $2 token, $3 part, $4 blob, $5 about as JSON, $6 boundaries done in all, $7 boundaries that failed as
--   JSON
-- returns: a row, or none when the lease is lost
with held as (
  update job set done = $6, attempts = 0, failed = $7::jsonb
  where id = $1 and token = $2 and state = 'running'
  returning id
)
insert into job_part (job, part, blob, about)
select id, $3, $4, $5::jsonb from held
on conflict (job, part) do update set blob = excluded.blob, about = excluded.about
returning job

-- name: job_release
-- params: $1 job, $2 token, $3 seconds until the next attempt, $4 how many attempts not to count
-- returns: nothing; puts it back in the queue
update job set state = 'queued', run_at = now() + make_interval(secs => $3), lease_until = null,
  attempts = greatest(0, attempts - $4::integer)
where id = $1 and token = $2 and state = 'running'

-- name: job_renew
-- params: $1 job, $2 token, $3 seconds that the lease lasts from now
-- returns: a row, or none when the lease is lost
update job set lease_until = now() + make_interval(secs => $3)
where id = $1 and token = $2 and state = 'running'
returning id

-- name: job_revision
-- params: $1 job
-- returns: the revision of the data and the state of the area sets that its parts were made from, or nulls; locks the
--   row until the end of the transaction
select revision, sets from job where id = $1 for update

-- name: job_report
-- params: $1 job, $2 token, $3 report as JSON
-- returns: a row, or none when the lease is lost
update job set report = $3::jsonb where id = $1 and token = $2 and state = 'running' returning id

-- name: job_say
-- params: $1 job, $2 token, $3 what it does
-- returns: nothing
update job set doing = $3 where id = $1 and token = $2 and state = 'running'

-- name: job_seen
-- params: $1 org, $2 account, $3 whether they see all jobs, $4 job
-- returns: the job, or no row
select j.id, j.op, j.name, j.visibility, j.state, j.units, j.charged, j.total, j.done,
       coalesce((select jsonb_agg(f) from (select f from jsonb_array_elements(j.failed) f limit 1000) f), '[]'::jsonb) as failed,
       jsonb_array_length(j.failed) as failed_count, j.error, j.file, j.doing, j.report, j.mail, j.webhook, j.created_at,
       j.started_at, j.ended_at, now() as read_at, j.account, a.email, a.name as account_name,
       coalesce((select not may_read_file(f, $2, $3::boolean) from file f where f.id = j.file), false) as file_hidden
from job j
join account a on a.id = j.account
where j.org = $1 and ($3::boolean or j.account = $2) and j.id = $4

-- name: job_sweep
-- params: $1 days that an ended job is listed
-- returns: nothing. Keeps jobs whose result is still in the library: the sweep of files deletes it
delete from job where ended_at < now() - make_interval(days => $1) and file is null

-- name: job_unnamed
-- params: $1 blobs
-- returns: those that are not a part of any job
-- not null: blob
select b.blob from unnest($1::text[]) as b (blob) where not exists (select from job_part p where p.blob = b.blob)
