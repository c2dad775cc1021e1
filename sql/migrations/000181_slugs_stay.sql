-- Every slug that an organization has or had. The slug of a deleted organization is not given to another one, which
-- would be taken for it; a renamed one can take its own back.

create table org_slug (
  slug text primary key,
  org text not null                    -- no reference: it may be deleted
);
insert into org_slug (slug, org) select slug, id from org;
