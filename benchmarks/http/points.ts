import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { openApp } from '../../src/app/app.ts';
import { seeded } from '../../src/bench/random.ts';
import { loadConfig } from '../../src/config.ts';
import { importFile } from '../../src/sources/import.ts';
import { COMMUNES } from '../import/communes.ts';
import { BenchDatabase, server } from '../import/native.ts';
import { hasData } from '../kernels/worlds.ts';
import type { Options, Result } from '../measure.ts';
import { peakOf } from '../peak.ts';
import { type BenchServer, firstKey, startService } from './server.ts';
import { fillWithSpain } from './spain.ts';

const SEED = 20_261_123;
/** An odd number, for a median. */
const RUNS = 5;
/** Where the points are, and the level they are looked up in. */
interface World {
  readonly name: string;
  readonly level: number;
  readonly rows: number;
  /** West, south, east, north in degrees. */
  readonly box: readonly [number, number, number, number];
}

/**
 * Measures locate_points over HTTP, from file to file: random points in the box of the communes of France (in a smoke
 * run, or without the real data, of Spain's seed set). The rival loads the same rows into PostGIS, joins them with
 * subdivided polygons and writes them out with psql. Returns no rows without a native database.
 */
export async function benchPoints(data: string, options: Options): Promise<Result[]> {
  const home = server();
  if (!home) {
    process.stderr.write('locate over HTTP: no native PostGIS is named, so there is no rival\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'boundary-points-'));
  const database = new BenchDatabase(home, 'points');
  let service: BenchServer | null = null;
  try {
    await database.empty();
    const world = await fill(folder, database.url, data, options);
    const [input, ours, theirs] = ['in.csv', 'ours.csv', 'theirs.csv'].map((name) => join(folder, name));
    await writeFile(input, rowsOf(world));
    service = await startService(folder, { DATABASE_URL: database.url });
    const key = await firstKey(folder);
    const path = `/v1/locate?levels=${world.level}&fields=id`;
    const times: number[] = [];
    await post(service.port, path, key, input, ours);
    const idle = memoryOf(service.pid);
    for (let run = 0; run < (options.smoke ? 1 : RUNS); run++) {
      const began = performance.now();
      await post(service.port, path, key, input, ours);
      times.push(performance.now() - began);
    }
    const more = Math.round(peakOf(service.pid) - idle);
    const began = performance.now();
    await joined(database.url, input, theirs, world.level);
    const rival = performance.now() - began;
    times.sort((a, b) => a - b);
    const median = times[Math.floor(times.length / 2)];
    const pace = `${Math.round(world.rows / median)},000 rows a second; memory at most ${more} MB above that after one file`;
    return [
      {
        case: `locate over HTTP: ${world.rows} rows of CSV in ${world.name}`,
        ours_ms: median,
        rival: 'psql: COPY, PostGIS join on ST_Subdivide, COPY',
        rival_ms: rival,
        ratio: rival / median,
        same_answer: sameRows(ours, theirs),
        spread: (times[times.length - 1] - times[0]) / median,
        note: pace,
      },
    ];
  } finally {
    await service?.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(folder: string, url: string, data: string, options: Options): Promise<World> {
  if (options.smoke || !hasData(data)) {
    await fillWithSpain(folder, { DATABASE_URL: url }, options);
    const [name, level] = options.smoke
      ? (['provinces of Spain', 6] as const)
      : (['municipalities of Spain', 8] as const);
    return { name, level, rows: options.smoke ? 2_000 : 1_000_000, box: [-9.3, 36, 3.3, 43.8] };
  }
  const app = await openApp(loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', DATABASE_URL: url }));
  try {
    await importFile(app.services, join(data, 'coverage/fr-communes.geojson.gz'), COMMUNES);
    await app.services.db.exec(
      `create table naive_piece as select boundary_id, st_subdivide(geom, 128) as geom from boundary_shape;
       create index on naive_piece using gist (geom);
       analyze;`,
    );
  } finally {
    await app.close();
  }
  return { name: '35357 communes of France', level: 8, rows: 1_000_000, box: [-4, 42.5, 8, 50.9] };
}

function rowsOf({ rows, box: [west, south, east, north] }: World): string {
  const random = seeded(SEED);
  const lines = Array.from({ length: rows }, (_, row) => {
    const [lat, lon] = [south + (north - south) * random(), west + (east - west) * random()];
    return `${row},${lat.toFixed(6)},${lon.toFixed(6)}\n`;
  });
  return `row,lat,lon\n${lines.join('')}`;
}

/** Sends a file, and writes the response to another. */
async function post(port: number, path: string, key: string, from: string, to: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'text/csv' };
  await new Promise<void>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', path, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${path}: ${answer.statusCode}`));
      pipeline(answer, createWriteStream(to)).then(resolve, reject);
    });
    sent.on('error', reject);
    createReadStream(from).pipe(sent);
  });
}

/** The same work in one psql session. */
async function joined(url: string, from: string, to: string, level: number): Promise<void> {
  const statements = [
    'create temp table place (row int, lat float8, lon float8)',
    `\\copy place from '${from}' with (format csv, header)`,
    'analyze place',
    `\\copy (select row, p.lat, p.lon, string_agg(distinct boundary_id, ';') from place p
     left join lateral (select boundary_id from naive_piece join boundary b on b.id = boundary_id
       where st_covers(geom, st_setsrid(st_makepoint(p.lon, p.lat), 4326)) and admin_level = ${level}) s on true
     group by row, p.lat, p.lon order by row) to '${to}' with (format csv, header)`.replaceAll('\n', ' '),
  ];
  await promisify(execFile)('psql', [url, '-q', '-v', 'ON_ERROR_STOP=1', ...statements.flatMap((one) => ['-c', one])]);
}

/** Whether two files list the same boundaries in each row, in any order. */
function sameRows(ours: string, theirs: string): boolean {
  const [mine, others] = [ours, theirs].map((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => (line.split(',')[3] ?? '').split(';').sort().join()),
  );
  return mine.length === others.length && mine.every((ids, i) => ids === others[i]);
}

/** Resident memory in MiB. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
