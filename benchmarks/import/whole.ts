import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compared, type Options, type Result } from '../measure.ts';
import { run, versionOf } from './command.ts';
import { BenchDatabase, OurImport, query, server } from './native.ts';
import { inTurn } from './rounds.ts';
import { EQUIVALENT_REST, EQUIVALENT_STYLE, STYLE } from './style.ts';

/**
 * A complete import into a native PostGIS against osm2pgsql into the same server, each round into an empty database:
 * once with a style that stores only polygons and tags, and once with the closest to our import (style.ts; without
 * parents, kinds and countries). The answers are the same if osm2pgsql has every relation that we assemble, and every
 * tenth has the same points.
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
  const [small, equivalent] = [join(folder, 'boundary.lua'), join(folder, 'equivalent.lua')];
  await writeFile(small, STYLE);
  await writeFile(equivalent, EQUIVALENT_STYLE);
  const [ours, theirs, more] = ['ours', 'theirs', 'more'].map((side) => new BenchDatabase(home, side));
  const importer = new OurImport(ours, path, null);
  const load = (url: string, style: string) => run('osm2pgsql', ['-d', url, '-O', 'flex', '-S', style, path]);
  try {
    const times = await inTurn(
      options.smoke ? 1 : 3,
      importer,
      { prepare: () => theirs.empty(), work: () => load(theirs.url, small) },
      {
        prepare: () => more.empty(),
        work: async () => {
          await load(more.url, equivalent);
          for (const statement of EQUIVALENT_REST.split(';')) await query(more.url, statement);
        },
      },
    );
    const same = await sameShapes(ours.url, theirs.url);
    const title = `${name} into PostGIS`;
    return [
      compared(title, times.ours, `${osm2pgsql}: polygons and tags alone`, times.theirs, same),
      compared(
        title,
        times.ours,
        `${osm2pgsql}: also ways, areas, names with indexes, three tiers`,
        times.others[0],
        same && (await sameShapes(ours.url, more.url)),
      ),
    ];
  } finally {
    await importer.close();
    for (const database of [ours, theirs, more]) await database.drop();
  }
}

interface Shape {
  readonly id: string;
  readonly points: string | null;
}

/** A digest of the set of points, which does not depend on the start and direction of rings. */
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
