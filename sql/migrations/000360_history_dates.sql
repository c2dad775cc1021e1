-- The last day up to a date on which a boundary of today was stored: answers as of a date are those of that day.
create index boundary_imported_at on boundary (imported_at);
