-- Who is told of which changes. What is watched is worked out when a subscription is made.
create table change_subscription (
  id text primary key,                 -- sub_ + ULID
  org text not null references org on delete cascade,
  account text not null references account on delete cascade,
  about text not null,                 -- JSON: what was asked for
  boundaries text[] not null,          -- canonical ids
  parents text[] not null,             -- and the boundaries within these
  country text,                        -- and those of this country
  admin_level smallint,                -- only of this level; null: of all
  file text references file on delete cascade,
  webhook text,
  mail boolean not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,                 -- when the last message was written
  mailed_on date,                      -- the day whose mails are counted
  mailed integer not null default 0,
  check (webhook is not null or mail)
);
create index change_subscription_org on change_subscription (org, created_at desc, id desc);
create index change_subscription_account on change_subscription (account);
create index change_subscription_file on change_subscription (file);
create index change_subscription_boundaries on change_subscription using gin (boundaries);
create index change_subscription_parents on change_subscription using gin (parents);
create index change_subscription_country on change_subscription (country);
