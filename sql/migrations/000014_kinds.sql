-- Whether the kinds table or a tag knew the kind: the rest is what is to be added to the table.

alter table boundary add column kind_known boolean not null default true;
create index boundary_kind_unknown on boundary (country, admin_level) where not kind_known;
create index boundary_postcodes on boundary (country) where type = 'postal_code';
