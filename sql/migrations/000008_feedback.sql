-- The public board of feature requests and issue reports.

create table feedback_item (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('feature', 'issue')),
  status text not null default 'open'
    check (status in ('open', 'planned', 'in_progress', 'done', 'declined', 'duplicate')),
  duplicate_of bigint references feedback_item,
  title text not null,
  details text not null,
  folded text not null,                -- the title, folded as search folds names
  ascii text not null,                 -- title and details in the letters that trigrams see in every locale
  author text references account on delete set null,
  upvotes integer not null default 0 check (upvotes >= 0),
  comments integer not null default 0 check (comments >= 0),
  created_at timestamptz not null,
  check ((status = 'duplicate') = (duplicate_of is not null)),
  check (duplicate_of <> id)
);
create index feedback_item_top on feedback_item (upvotes desc, id desc);
create index feedback_item_author on feedback_item (author);
create index feedback_item_trigram on feedback_item using gin (ascii gin_trgm_ops);

create table feedback_vote (
  item bigint not null references feedback_item on delete cascade,
  account text not null references account on delete cascade,
  created_at timestamptz not null default now(),
  primary key (item, account)
);
create index feedback_vote_account on feedback_vote (account);

create table feedback_comment (
  id bigint generated always as identity primary key,
  item bigint not null references feedback_item on delete cascade,
  author text references account on delete set null,
  by_operator boolean not null,
  body text not null,
  created_at timestamptz not null default now()
);
create index feedback_comment_item on feedback_comment (item, id);
create index feedback_comment_author on feedback_comment (author);

create table feedback_status (
  item bigint not null references feedback_item on delete cascade,
  position integer not null,
  status text not null,
  duplicate_of bigint,
  set_at timestamptz not null default now(),
  primary key (item, position)
);

-- The count is right whatever takes a vote away, the end of an account included.
create function feedback_count_votes() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update feedback_item set upvotes = upvotes + 1 where id = new.item;
  else
    update feedback_item set upvotes = upvotes - 1 where id = old.item;
  end if;
  return null;
end
$$;
create trigger feedback_count_votes after insert or delete on feedback_vote
  for each row execute function feedback_count_votes();
