import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compared, type Options, type Result } from '../measure.ts';
import { run, versionOf } from './command.ts';
import { BenchDatabase, OurImport, query, server } from './native.ts';
import { inTurn } from './rounds.ts';

/** What osm2pgsql stores (flex output): the boundaries with all tags and their polygons, and nothing of the rest. */
const STYLE = `
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
 * A whole import into a native PostGIS against osm2pgsql into the same server, each round into an empty database.
 * osm2pgsql stores polygons and tags; ours also arcs, all detail levels, areas, parents, kinds, search names and the
 * ways themselves. The same answer: every relation that assembles here is one there, and every tenth has the same
 * points.
 */
export async function benchWholeImport(
  path: string,
  folder: string,
  name: string,
  options: Options,
): Promise<Result[]> {
  const home = server();
  const osm2pgsql = await versionOf('osm2pgsql');
  if (!home || osm2pgsql === null) {
    process.stderr.write(
      home ? 'import: osm2pgsql is not installed\n' : 'import: no PostGIS to import into (set TEST_DATABASE_URL)\n',
    );
    return [];
  }
  const style = join(folder, 'boundary.lua');
  await writeFile(style, STYLE);
  const [ours, theirs] = [new BenchDatabase(home, 'ours'), new BenchDatabase(home, 'theirs')];
  const importer = new OurImport(ours, path, null);
  try {
    const times = await inTurn(options.smoke ? 1 : 3, importer, {
      prepare: () => theirs.empty(),
      work: () => run('osm2pgsql', ['-d', theirs.url, '-O', 'flex', '-S', style, path]),
    });
    const same = await sameShapes(ours.url, theirs.url);
    const rival = `${osm2pgsql} (polygons and tags alone)`;
    return [compared(`${name} into PostGIS`, times.ours, rival, times.theirs, same)];
  } finally {
    await importer.close();
    await ours.drop();
    await theirs.drop();
  }
}

interface Shape {
  readonly id: string;
  readonly points: string | null;
}

/** Points as a set of text, so that where a ring starts and which way it runs does not show. */
const POINTS = (id: string, geom: string) =>
  `case when ${id} % 10 = 0 then (select md5(string_agg(p.text, ',' order by p.text)) from
     (select distinct round((st_x(d.geom) * 1e7)::numeric) || ' ' || round((st_y(d.geom) * 1e7)::numeric) as text
      from st_dumppoints(${geom}) d) p) end as points`;

async function sameShapes(ours: string, theirs: string): Promise<boolean> {
  const mine = await query<Shape>(
    ours,
    `select boundary_id as id, ${POINTS('substr(boundary_id, 2)::bigint', 'geom')} from boundary_shape
     where boundary_id like 'r%'`,
  );
  const others = await query<Shape>(
    theirs,
    `select 'r' || osm_id as id, ${POINTS('osm_id', 'geom')} from boundary where osm_type = 'R' and geom is not null`,
  );
  const known = new Map(others.map((one) => [one.id, one.points]));
  const differ = mine.filter(({ id, points }) => !known.has(id) || known.get(id) !== points);
  if (differ.length > 0 || mine.length !== known.size) {
    process.stderr.write(
      `import: ${mine.length} polygons here, ${known.size} by osm2pgsql, ${differ.length} differ (${differ[0]?.id})\n`,
    );
  }
  return mine.length > 0 && differ.length === 0;
}
