-- What changed since a moment is read from that moment on, and boundaries of a country that ended without all others.
create index data_batch_recorded on data_batch (recorded_in);
create index data_event_ended on data_event ((before ->> 'country')) where after is null;
