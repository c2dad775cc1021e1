import { join } from 'node:path';
import { compared, type Result } from '../measure.ts';
import { importBesideSeed } from './beside_seed.ts';
import { run, versionOf } from './command.ts';
import { BenchDatabase, OurImport, polygonsIn, query, server } from './native.ts';
import { inTurn } from './rounds.ts';

/** Import options for the file of France's communes. */
export const COMMUNES = {
  source: 'ign-communes',
  map: { id: 'code', name: 'nom' },
  adminLevel: 8,
  country: 'FR',
  license: 'Licence Ouverte 2.0',
  attribution: 'IGN, INSEE',
};

/** The same as CLI options. */
export const COMMUNES_OPTIONS = [
  ...['--source', COMMUNES.source, '--map', 'id=code,name=nom', '--admin-level', '8', '--country', 'FR'],
  ...['--license', COMMUNES.license, '--attribution', COMMUNES.attribution],
];

/**
 * Imports France's 35,357 communes, a coverage, into a native PostGIS against ogr2ogr (COPY, with an index) into the
 * same server, once each: into an empty database in this process, and with the CLI into one that holds the seed data.
 * The answers are the same if the number of polygons is equal and the areas agree to a millionth (one commune is
 * invalid as shipped and cleaned here).
 */
export async function benchCommunes(data: string): Promise<Result[]> {
  const home = server();
  const ogr2ogr = await versionOf('ogr2ogr');
  if (!home || ogr2ogr === null) {
    process.stderr.write(home ? 'import: ogr2ogr is not installed (apt install gdal-bin)\n' : '');
    return [];
  }
  const path = join(data, 'coverage/fr-communes.geojson.gz');
  const [ours, theirs] = [new BenchDatabase(home, 'ours'), new BenchDatabase(home, 'theirs')];
  const importer = new OurImport(ours, path, COMMUNES);
  // Quoted, because an empty password would consume the next word.
  const { hostname, port, username, password, pathname } = new URL(theirs.url);
  const place = `PG:host=${hostname} port=${port || 5432} user=${username} password='${password}' dbname=${pathname.slice(1)}`;
  const options = ['-nln', 'boundary', '-nlt', 'PROMOTE_TO_MULTI', '-lco', 'GEOMETRY_NAME=geom'];
  try {
    const times = await inTurn(1, importer, {
      prepare: () => theirs.empty(),
      work: () =>
        run('ogr2ogr', ['-f', 'PostgreSQL', place, `/vsigzip/${path}`, '--config', 'PG_USE_COPY', 'YES', ...options]),
    });
    const [mine, others] = [await polygonsIn(ours.url), await polygonsIn(theirs.url, 'boundary')];
    const same = mine.count === others.count && Math.abs(mine.area / others.area - 1) < 1e-6;
    if (!same) process.stderr.write(`import: communes ${JSON.stringify(mine)}, ogr2ogr ${JSON.stringify(others)}\n`);
    const rival = `${ogr2ogr} (polygons alone)`;
    await importer.close();
    const beside = await importBesideSeed(ours, path, COMMUNES_OPTIONS);
    const [{ count }] = await query<{ count: number }>(
      ours.url,
      `select count(*)::int as count from boundary where source = '${COMMUNES.source}' and has_geometry`,
    );
    const whole = { median: beside.ms, spread: 0 };
    return [
      compared("France's 35,357 communes into PostGIS", times.ours, rival, times.theirs, same),
      {
        ...compared(
          'the same beside the seed data, by boundary import',
          whole,
          rival,
          times.theirs,
          count === others.count,
        ),
        note: `memory at most ${beside.peakMb.toFixed(0)} MB`,
      },
    ];
  } finally {
    await importer.close();
    await ours.drop();
    await theirs.drop();
  }
}
