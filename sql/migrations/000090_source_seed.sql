-- Seed data is what every text calls it. (The trigger source_told_changed follows the column by itself.)

alter table source rename column starter to seed;
