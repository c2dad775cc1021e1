-- The language of a mail: that of the page or the request that asked for it (en, es, de, fr). Null: English.
alter table outbox add column language text;
alter table job add column language text;
alter table change_subscription add column language text;
