-- What a running job does, as a sentence, and what a job that makes no file says of its result.
alter table job add column doing text;
alter table job add column report jsonb;
