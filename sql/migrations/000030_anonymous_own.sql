-- Callers without a key on the machine itself, and wherever the service is one's own: a map with search as one types.
insert into plan (id, name, price_month, included_units, requests_per_minute, batch_size, position, listed) values
  ('anonymous_own', 'Without a key, on one''s own service', null, 0, 3000, 0, 0, false);
