import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../../src/app/app.ts';
import { seeded } from '../../src/bench/random.ts';
import { loadConfig } from '../../src/config.ts';
import { importFile } from '../../src/sources/import.ts';
import { BenchDatabase, server } from '../import/native.ts';
import { hasData } from '../kernels/worlds.ts';
import { compared, type Options, type Result, timingOf } from '../measure.ts';
import { drive } from './generator.ts';
import { type BenchServer, firstKey, startService } from './server.ts';

const SEED = 20_261_126;
const FILE = 'editions/switzerland/2024/municipalities.shp';
const DATE = '2015-06-01';
/** Points and boundaries that are asked for in turn. */
const ASKED = 200;

/**
 * Measures a hot get and a reverse as of a date against the same of today, one connection, in turn under one generator:
 * the municipalities of Switzerland are stored as an edition and as today's boundaries. Names are compared first. No
 * rows without the real data.
 */
export async function benchAsOf(data: string, options: Options): Promise<Result[]> {
  if (!hasData(data)) return [];
  const folder = await mkdtemp(join(tmpdir(), 'boundary-as-of-'));
  const home = server();
  const database = home ? new BenchDatabase(home, 'as_of') : null;
  const running: BenchServer[] = [];
  try {
    await database?.empty();
    const env = { DATABASE_URL: database?.url ?? '' };
    const places = await fill(folder, env, join(data, FILE));
    const service = await startService(folder, env);
    running.push(service);
    const headers = { Authorization: `Bearer ${await firstKey(folder)}` };
    const next = seeded(SEED);
    const some = Array.from({ length: ASKED }, () => places[Math.floor(next() * places.length)]);
    const rows: Result[] = [];
    for (const [name, paths] of [
      ['hot get', some.map(({ id }) => `/v1/boundaries/${id}?detail=low`)],
      ['reverse', some.map(({ lat, lon }) => `/v1/boundaries/reverse?lat=${lat}&lon=${lon}`)],
    ] as const) {
      const past = paths.map((path) => `${path}&as_of=${DATE}`);
      const namesOf = async (asked: readonly string[]) => {
        const found: string[][] = [];
        for (const path of asked.slice(0, 20)) found.push(names(await body(service.port, path, headers)));
        return found;
      };
      const same = JSON.stringify(await namesOf(paths)) === JSON.stringify(await namesOf(past));
      const sides = [past, paths].map((asked) => (count: number) => drive(service.port, asked, headers, count, 1));
      // Boxes of a date that is asked for often are read in the background.
      for (const side of sides) await side(options.smoke ? 50 : 2_000);
      const count = options.smoke ? 50 : 1_000;
      const times: number[][] = [[], []];
      for (let round = 0; round < (options.smoke ? 1 : 7); round++) {
        for (const [k, side] of sides.entries()) times[k].push((await side(count)).milliseconds / count);
      }
      const [then, today] = times.map(timingOf);
      rows.push(compared(`as_of: ${name} as of a date`, then, 'the same of today', today, same));
    }
    return rows;
  } finally {
    for (const one of running) await one.stop();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Place {
  readonly id: string;
  readonly lat: number;
  readonly lon: number;
}

/** Stores the file as today's boundaries and as an edition of 2015. Returns the boundaries. */
async function fill(folder: string, env: Readonly<Record<string, string>>, file: string): Promise<Place[]> {
  const app = await openApp(loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', ...env }));
  try {
    const about = { source: 'bfs', license: 'open use', attribution: 'BFS', country: 'CH', adminLevel: 8 };
    const coverage = { ...about, map: { id: 'id', name: 'name' } };
    await importFile(app.services, file, coverage, { validFrom: '2015-01-01' });
    await importFile(app.services, file, coverage);
    return app.services.db.query<Place>('select id, lat / 1e7 as lat, lon / 1e7 as lon from boundary order by id');
  } finally {
    await app.close();
  }
}

async function body(port: number, path: string, headers: Record<string, string>): Promise<unknown> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

/** The names of an answer of get or reverse. */
function names(answer: unknown): string[] {
  const { items, name, properties } = answer as {
    readonly items?: readonly { readonly name: string }[];
    readonly name?: string;
    readonly properties?: { readonly name: string };
  };
  return items?.map((one) => one.name) ?? [name ?? properties?.name ?? ''];
}
