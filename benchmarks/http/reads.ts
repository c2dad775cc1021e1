import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { seedSpain } from '../../src/sources/seed/spain.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { BenchDatabase, server } from '../import/native.ts';
import { timing } from '../import/rounds.ts';
import { compared, type Options, type Result } from '../measure.ts';
import { random } from '../random.ts';
import { drive } from './generator.ts';
import { type BenchServer, firstKey, startBare, startNaiveReverse, startService } from './server.ts';

const CONNECTIONS = 64;
const SEED = 20_261_122;
const PLACES = 400;

/**
 * Everyday calls over HTTP on Spain's seed set in a native PostGIS: reverse at random places against a handler of twenty
 * lines on the same tables (rivals/naive_reverse.ts), over 64 connections and alone; a hot get at low detail against a
 * bare Koa that sends the same bytes. The answers are compared first. Without a native database there is no rival.
 */
export async function benchReads(_dataDir: string, options: Options): Promise<Result[]> {
  const home = server();
  if (!home) {
    process.stderr.write('reads: no native PostGIS is named, so there is no rival\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'boundary-reads-'));
  const database = new BenchDatabase(home, 'reads');
  const running: BenchServer[] = [];
  try {
    await database.empty();
    const env = { DATABASE_URL: database.url };
    await fill(folder, env, options);
    const ours = await startService(folder, env);
    const naive = await startNaiveReverse(database.url);
    running.push(ours, naive);
    const headers = { Authorization: `Bearer ${await firstKey(folder)}` };
    const origin = `http://127.0.0.1:${ours.port}`;

    const next = random(SEED);
    const paths: string[] = [];
    let same = true;
    for (let tries = 0; paths.length < PLACES && tries < 20 * PLACES; tries++) {
      const query = `lat=${(36.5 + 6.5 * next()).toFixed(5)}&lon=${(-8.5 + 11 * next()).toFixed(5)}`;
      const theirs = await (await fetch(`http://127.0.0.1:${naive.port}/?${query}`)).json();
      if ((theirs as { items: unknown[] }).items.length === 0) continue;
      const mine = await (await fetch(`${origin}/v1/boundaries/reverse?${query}`, { headers })).json();
      // On water beside the coarse coast ours begins with the country.
      if (!isDeepStrictEqual(withoutCountry(mine), withoutCountry(theirs))) {
        process.stderr.write(`reads: another answer at ${query}\n`);
        same = false;
      }
      paths.push(`?${query}`);
    }
    const low = '/v1/boundaries/iso:ES-SE?detail=low';
    const body = Buffer.from(await (await fetch(origin + low, { headers })).arrayBuffer());
    await writeFile(join(folder, 'body.geojson'), body);
    const bare = await startBare(join(folder, 'body.geojson'));
    running.push(bare);

    const reverse = paths.map((path) => `/v1/boundaries/reverse${path}`);
    const asked = paths.map((path) => `/${path}`);
    const pairs = [
      {
        name: `reverse over HTTP, ${CONNECTIONS} connections`,
        rival: 'Koa, pg and ST_Covers on subdivided polygons',
        same,
        ours: (count: number) => drive(ours.port, reverse, headers, count, CONNECTIONS),
        theirs: (count: number) => drive(naive.port, asked, {}, count, CONNECTIONS),
      },
      {
        name: 'reverse over HTTP, alone',
        rival: 'Koa, pg and ST_Covers on subdivided polygons',
        same,
        ours: (count: number) => drive(ours.port, reverse, headers, Math.ceil(count / 4), 1),
        theirs: (count: number) => drive(naive.port, asked, {}, Math.ceil(count / 4), 1),
      },
      {
        name: `hot get at low, ${(body.length / 1e3).toFixed(0)} kB, ${CONNECTIONS} connections`,
        rival: 'bare Koa sending the same buffer',
        same: true,
        ours: (count: number) => drive(ours.port, [low], headers, count, CONNECTIONS),
        theirs: (count: number) => drive(bare.port, ['/'], {}, count, CONNECTIONS),
      },
    ];
    const count = options.smoke ? 128 : 2_000;
    const results: Result[] = [];
    for (const pair of pairs) {
      const times: [number[], number[]] = [[], []];
      await pair.ours(count);
      await pair.theirs(count);
      for (let round = 0; round < (options.smoke ? 1 : 7); round++) {
        times[0].push((await pair.ours(count)).milliseconds / count);
        times[1].push((await pair.theirs(count)).milliseconds / count);
      }
      results.push(compared(pair.name, timing(times[0]), pair.rival, timing(times[1]), pair.same));
    }
    return results;
  } finally {
    for (const one of running) await one.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Answer {
  readonly items: readonly { readonly kind: string }[];
}

const withoutCountry = (answer: unknown) => (answer as Answer).items.filter(({ kind }) => kind !== 'country');

/** Spain's seed set (a smoke run: its provinces), and the table of pieces that the rival looks places up in. */
async function fill(folder: string, env: Readonly<Record<string, string>>, { smoke }: Options): Promise<void> {
  const app = await openApp(loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', ...env }));
  try {
    const { source, boundaries } = await seedSpain();
    const chosen = smoke ? boundaries.filter(({ adminLevel }) => adminLevel === 6) : boundaries;
    const about = { ...source, seed: true };
    await storeBoundaries(app.services, { source: about, file: source.id, boundaries: chosen });
    await app.services.db.exec(
      `create table naive_piece as select boundary_id, st_subdivide(geom, 128) as geom from boundary_shape;
       create index on naive_piece using gist (geom);
       analyze;`,
    );
  } finally {
    await app.close();
  }
}
