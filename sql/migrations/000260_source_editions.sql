-- The edition of a source that its publisher names, as the import was told it: "2024", "VG250 of 1 January".
alter table source add column edition text;                    -- null: not stated
