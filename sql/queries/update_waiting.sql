-- params: nothing; returns: OpenStreetMap boundaries that wait for objects which were never stored
select b.id, b.name, b.source_version, b.ways
from boundary b
where b.source = 'osm'
  and (b.stale ->> 'reason' like '%missing %' or b.broken ->> 'reason' like '%missing %')
order by b.id
