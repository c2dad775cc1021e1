-- Which key made a key; null: a person did. No reference: both live as long as their account.
alter table api_key add column created_by_key text;
create index api_key_created_by_key on api_key (created_by_key) where created_by_key is not null;
