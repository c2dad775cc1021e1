-- A token is made when its mail is sent: the outbox says what a mail is about and holds no secret, however long it waits.
-- Each attempt to send makes one more token, and all of a link or an invitation end together.

delete from sign_in_link;              -- good for 15 minutes; whoever waits for one asks again
alter table sign_in_link drop column token_hash;
alter table sign_in_link add column id text primary key;   -- lnk_ + ULID

create table mailed_token (
  hash bytea primary key,              -- SHA-256: who reads this table can use none of them
  link text references sign_in_link on delete cascade,
  invite text references invite on delete cascade,
  check ((link is null) <> (invite is null))
);
create index mailed_token_link on mailed_token (link) where link is not null;
create index mailed_token_invite on mailed_token (invite) where invite is not null;
insert into mailed_token (hash, invite) select token_hash, id from invite;
alter table invite drop column token_hash;

delete from outbox where text like '%token=%';
alter table outbox alter column subject drop not null;
alter table outbox alter column text drop not null;
alter table outbox add column kind text not null default 'text';   -- text, sign_in, invite
alter table outbox add column reference text;                      -- the link or invitation; null: a text
alter table outbox add check ((kind = 'text') = (reference is null and subject is not null and text is not null));
