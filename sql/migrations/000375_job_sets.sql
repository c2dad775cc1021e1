-- The area sets that the parts of a job were made from, and in which state: parts of another state are not joined to them.
alter table job add column sets text; -- null: none, or no part was made yet
