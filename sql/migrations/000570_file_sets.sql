-- The area sets (area_set.id) whose areas are in a file that a job or a call made: whoever may not read all of them at the
-- moment may not read the file. Null: no such file. No foreign key, as no one may read a set that was deleted.
alter table file add column sets text[];
create index file_with_sets on file (org) where sets is not null;

-- Files of jobs that are there: those sets whose names are in the input of the job.
update file f
set sets = array(select s.id from area_set s where s.org = j.org and strpos(lower(j.input), s.name) > 0)
from job j
where j.file = f.id and j.sets is not null;

-- may_read_sets: whether a member may read all of these area sets; everyone: they see all sets of the organization.
create function may_read_sets(sets text[], of_org text, member text, everyone boolean) returns boolean
language sql stable parallel safe as $$
  select sets is null or not exists (
    select from unnest(sets) w (id)
    where not exists (
      select from area_set s
      where s.id = w.id and s.org = of_org
        and (everyone or s.visibility = 'org' or s.creator = member
             or exists (select from area_set_share h
                        where h.area_set = s.id
                          and (h.account = member
                               or h.team in (select t.team from team_member t where t.org = of_org and t.account = member))))
    )
  )
$$;
