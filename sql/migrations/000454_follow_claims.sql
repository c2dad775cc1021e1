-- A claim of a file that follows is extended while its process makes the file, so that its end cannot name it.
alter table file_follow add column claim bigint not null default 0; -- of the last one, which alone writes
