-- Transactions that committed after one with a higher number: all that may have to be left out at a moment of the past.
create index data_record_late on data_record (number) where upto > number;
