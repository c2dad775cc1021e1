/** The osm2pgsql style (flex output) with only boundaries: all their tags and polygons. */
export const STYLE = `
local boundaries = osm2pgsql.define_table({
  name = 'boundary',
  ids = { type = 'any', id_column = 'osm_id', type_column = 'osm_type' },
  columns = {
    { column = 'name', type = 'text' },
    { column = 'tags', type = 'jsonb' },
    { column = 'geom', type = 'geometry', projection = 4326 },
  },
})
local function wanted(tags) return tags.boundary == 'administrative' or tags.boundary == 'postal_code' end
function osm2pgsql.process_way(way)
  if way.is_closed and wanted(way.tags) then
    boundaries:insert({ name = way.tags.name, tags = way.tags, geom = way:as_polygon() })
  end
end
function osm2pgsql.process_relation(relation)
  local tags = relation.tags
  if wanted(tags) and (tags.type == 'boundary' or tags.type == 'multipolygon') then
    boundaries:insert({ name = tags.name, tags = tags, geom = relation:as_multipolygon() })
  end
end
`;

/**
 * The closest that osm2pgsql can get to our import: besides polygons and tags, the ways of borders (an update starts
 * from them), an area, and every name in every language as a row to search. It cannot derive parents, kinds and
 * countries.
 */
export const EQUIVALENT_STYLE = `
local boundaries = osm2pgsql.define_table({
  name = 'boundary',
  ids = { type = 'any', id_column = 'osm_id', type_column = 'osm_type' },
  columns = {
    { column = 'name', type = 'text' },
    { column = 'tags', type = 'jsonb' },
    { column = 'area', type = 'real' },
    { column = 'geom', type = 'geometry', projection = 4326 },
  },
})
local names = osm2pgsql.define_table({
  name = 'boundary_name',
  ids = { type = 'any', id_column = 'osm_id', type_column = 'osm_type' },
  columns = { { column = 'key', type = 'text' }, { column = 'name', type = 'text' } },
})
local ways = osm2pgsql.define_way_table('border_way', {
  { column = 'tags', type = 'jsonb' },
  { column = 'geom', type = 'linestring', projection = 4326 },
})
local members = {}
local function wanted(tags) return tags.boundary == 'administrative' or tags.boundary == 'postal_code' end
local function put(tags, geom)
  boundaries:insert({ name = tags.name, tags = tags, area = geom:area(), geom = geom })
  for key, value in pairs(tags) do
    if key == 'name' or key:sub(1, 5) == 'name:' or key:sub(-5) == '_name' then
      names:insert({ key = key, name = value })
    end
  end
end
function osm2pgsql.process_way(way)
  if members[way.id] then ways:insert({ tags = way.tags, geom = way:as_linestring() }) end
  if way.is_closed and wanted(way.tags) then put(way.tags, way:as_polygon()) end
end
function osm2pgsql.select_relation_members(relation)
  if wanted(relation.tags) then return { ways = osm2pgsql.way_member_ids(relation) } end
end
function osm2pgsql.process_relation(relation)
  local tags = relation.tags
  if wanted(tags) and (tags.type == 'boundary' or tags.type == 'multipolygon') then
    for _, member in ipairs(relation.members) do
      if member.type == 'w' then members[member.ref] = true end
    end
    put(tags, relation:as_multipolygon())
  end
end
`;

/**
 * SQL for what osm2pgsql cannot create: our indexes of names, and three simplified shapes (we store fifteen levels, in
 * which neighbors still fit).
 */
export const EQUIVALENT_REST = `
create extension if not exists pg_trgm;
create index on boundary_name (name text_pattern_ops);
create index on boundary_name using gin (name gin_trgm_ops);
create table boundary_tier as
select osm_type, osm_id, st_simplifypreservetopology(geom, 0.0004) as high,
       st_simplifypreservetopology(geom, 0.002) as medium, st_simplifypreservetopology(geom, 0.01) as low
from boundary`;
