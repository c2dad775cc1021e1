import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchDatabase, server } from '../import/native.ts';
import { compared, type Options, type Result, timingOf } from '../measure.ts';
import { drive } from './generator.ts';
import { importRings } from './rings.ts';
import { type BenchServer, firstKey, startBare, startService } from './server.ts';

const CONNECTIONS = 64;
/** A ring with this many vertices is 1 MB of GeoJSON at 7 digits. */
const VERTICES = 43_500;

/**
 * Measures a finished export of 1 MB over 64 connections against a bare Koa route that sends the same buffer, each
 * server in its own process, alternating under the same generator: at its permanent URL, and through export_boundary
 * with key and metering. The bytes are compared first. Uses the native PostGIS if one is configured, else the embedded
 * database.
 */
export async function benchHotExport(_dataDir: string, options: Options): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-hot-'));
  const home = server();
  const database = home ? new BenchDatabase(home, 'hot') : null;
  const running: BenchServer[] = [];
  try {
    await database?.empty();
    const env = { DATABASE_URL: database?.url ?? '' };
    const [id] = await importRings(folder, env, [VERTICES]);
    const ours = await startService(folder, env);
    running.push(ours);
    const headers = { Authorization: `Bearer ${await firstKey(folder)}` };
    const keyed = `/v1/boundaries/${id}/export?format=geojson&detail=full`;
    const origin = `http://127.0.0.1:${ours.port}`;
    const first = await fetch(origin + keyed, { headers });
    const body = Buffer.from(await first.arrayBuffer());
    const location = first.headers.get('content-location');
    if (!first.ok || !location) throw new Error(`export: ${first.status} ${body.toString().slice(0, 200)}`);
    const permanent = new URL(location, origin).pathname;
    const file = join(folder, 'body.geojson');
    await writeFile(file, body);
    const bare = await startBare(file);
    running.push(bare);

    const bodyOf = async (url: string, init?: RequestInit) => Buffer.from(await (await fetch(url, init)).arrayBuffer());
    const sent = [
      await bodyOf(`${origin}${keyed}`, { headers }),
      await bodyOf(`${origin}${permanent}`),
      await bodyOf(`http://127.0.0.1:${bare.port}/`),
    ];
    const same = sent.every((one) => one.equals(body));
    const sides = [
      () => drive(ours.port, [permanent], {}, count, CONNECTIONS),
      () => drive(ours.port, [keyed], headers, count, CONNECTIONS),
      () => drive(bare.port, ['/'], {}, count, CONNECTIONS),
    ];
    let count = options.smoke ? 64 : 500;
    for (const side of sides) await side();
    count = options.smoke ? 64 : 1_000;
    const times: number[][] = [[], [], []];
    let busy = 0;
    for (let round = 0; round < (options.smoke ? 1 : 7); round++) {
      for (const [k, side] of sides.entries()) {
        const one = await side();
        times[k].push(one.milliseconds / count);
        busy = Math.max(busy, one.busy);
      }
    }
    process.stderr.write(`hot export: the generator was busy at most ${Math.round(100 * busy)} % of the time\n`);
    const [plain, metered, theirs] = times.map(timingOf);
    const size = `${(body.length / 1e6).toFixed(1)} MB, ${CONNECTIONS} connections`;
    const rival = 'bare Koa sending the same buffer';
    return [
      compared(`hot export, permanent url, ${size}`, plain, rival, theirs, same),
      compared(`hot export, key and metering, ${size}`, metered, rival, theirs, same),
    ];
  } finally {
    for (const one of running) await one.stop();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  }
}
