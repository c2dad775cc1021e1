import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { compile } from '../http/server.ts';
import { compared, type Options, type Result } from '../measure.ts';
import { run } from './command.ts';
import { BenchDatabase, query, server } from './native.ts';
import { inTurn, type Side } from './rounds.ts';

/** Malta's boundaries with and without its coastline. */
const FILES = ['malta-2018.coast-and-boundaries.osm.pbf', 'malta-2018.boundaries.osm.pbf'] as const;

/**
 * `boundary import` of a map of boundaries with its coastline, which works out their land, against the same without the
 * coastline, each into an empty migrated database. The answers are the same if the areas of the boundaries of both are (the map with the coastline has one boundary more).
 */
export async function benchCoastline(dataDir: string, options: Options): Promise<Result[]> {
  const home = server();
  const [withCoast, without] = FILES.map((name) => join(dataDir, 'osm', name)) as [string, string];
  if (!home || ![withCoast, without].every((path) => existsSync(path))) return [];
  compile();
  const folder = await mkdtemp(join(tmpdir(), 'boundary-bench-'));
  const [ours, theirs] = [new BenchDatabase(home, 'ours'), new BenchDatabase(home, 'theirs')];
  const side = (database: BenchDatabase, path: string): Side => {
    const env = { DATA_DIR: folder, DATABASE_URL: database.url, LOG_LEVEL: 'silent' };
    return {
      async prepare() {
        await database.empty();
        await (await openApp(loadConfig(env))).close();
      },
      work: () => run('env', [...variables(env), process.execPath, 'dist/src/main.js', 'import', path]),
    };
  };
  try {
    const times = await inTurn(options.smoke ? 1 : 5, side(ours, withCoast), side(theirs, without));
    const [found, wanted] = [await areas(ours.url), await areas(theirs.url)];
    const others = [...wanted].filter(([id, area]) => found.get(id) !== area);
    if (others.length > 0) process.stderr.write(`import: other areas with the coastline: ${others.join()}\n`);
    const same = wanted.size > 0 && others.length === 0;
    const row = `boundary import of ${found.size} boundaries of Malta with its coastline`;
    return [compared(row, times.ours, 'the same without it', times.theirs, same)];
  } finally {
    await ours.drop();
    await theirs.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

const variables = (env: Readonly<Record<string, string>>): string[] =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);

/** The area of each shape in a database, in square degrees. */
async function areas(url: string): Promise<ReadonlyMap<string, number>> {
  const rows = await query<{ id: string; area: number }>(
    url,
    'select boundary_id as id, st_area(geom) as area from boundary_shape',
  );
  return new Map(rows.map(({ id, area }) => [id, area]));
}
