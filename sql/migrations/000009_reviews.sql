-- Reviews of the service: one an account, every version kept, the newest published one shown.

create table review (
  id text primary key,                 -- rev_ + ULID
  account text not null unique references account on delete cascade,
  response text,
  responded_at timestamptz,
  created_at timestamptz not null default now()
);

create table review_version (
  review text not null references review on delete cascade,
  version integer not null,
  rating smallint not null check (rating between 1 and 5),
  title text not null,
  body text not null,
  likes text not null,
  dislikes text not null,
  use_case text not null,
  display_name text not null,
  display_company text,
  marketing_consent boolean not null,
  length integer not null,             -- characters of all its texts: what "helpful" sorts by
  created_at timestamptz not null default now(),
  published_at timestamptz,            -- null: pending
  primary key (review, version)
);
create index review_version_published on review_version (review, version desc) where published_at is not null;
