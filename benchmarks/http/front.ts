import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasNginx, type Nginx, startNginx } from '../../test/deploy/nginx.ts';
import { BenchDatabase, server } from '../import/native.ts';
import { compared, type Options, type Result, timingOf } from '../measure.ts';
import { drive } from './generator.ts';
import { importRings } from './rings.ts';
import { type BenchServer, cpuTime, firstKey, startService } from './server.ts';

const CONNECTIONS = 64;
/** Rings of so many vertices are 17 and 59 kB of GeoJSON. */
const VERTICES = [700, 2_450];
const ROUNDS = 7;

/**
 * Finished exports at their permanent addresses through nginx with deploy/nginx.conf (one worker) against one process of
 * the service alone, in turns under the same generator: time for a request, and in the note the processor time of each side.
 * On a native PostGIS when one is named, else embedded. Nothing without nginx.
 */
export async function benchFront(_dataDir: string, options: Options): Promise<Result[]> {
  if (!hasNginx) {
    process.stderr.write('front: nginx is not installed (Debian: nginx-light)\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'boundary-front-'));
  const home = server();
  const database = home ? new BenchDatabase(home, 'front') : null;
  let ours: BenchServer | null = null;
  let nginx: Nginx | null = null;
  try {
    await database?.empty();
    const env = { DATABASE_URL: database?.url ?? '', TRUSTED_PROXIES: '127.0.0.1' };
    const ids = await importRings(folder, env, VERTICES);
    ours = await startService(folder, env);
    nginx = await startNginx(ours.port);
    const key = await firstKey(folder);
    const results: Result[] = [];
    for (const id of ids) results.push(await through(ours, nginx, await exportOf(ours, key, id), options));
    return results;
  } finally {
    await nginx?.close();
    await ours?.stop();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The path of the permanent address of an export. */
async function exportOf(ours: BenchServer, key: string, id: string): Promise<string> {
  const origin = `http://127.0.0.1:${ours.port}`;
  const headers = { Authorization: `Bearer ${key}` };
  const made = await fetch(`${origin}/v1/boundaries/${id}/export?format=geojson&detail=full`, { headers });
  const location = made.headers.get('content-location');
  if (!made.ok || !location) throw new Error(`export: ${made.status} ${await made.text()}`);
  await made.arrayBuffer();
  return new URL(location, origin).pathname;
}

async function through(ours: BenchServer, nginx: Nginx, path: string, options: Options): Promise<Result> {
  const alone = `http://127.0.0.1:${ours.port}`;
  const [body, other] = await Promise.all(
    [nginx.origin, alone].map(async (origin) => Buffer.from(await (await fetch(origin + path)).arrayBuffer())),
  );
  const sides = [
    { port: Number(new URL(nginx.origin).port), pid: nginx.pid, times: [] as number[], cpu: [] as number[] },
    { port: ours.port, pid: ours.pid, times: [] as number[], cpu: [] as number[] },
  ];
  const count = options.smoke ? 64 : 10_000;
  for (const { port } of sides) await drive(port, [path], {}, count, CONNECTIONS);
  let busy = 0;
  for (let round = 0; round < (options.smoke ? 1 : ROUNDS); round++) {
    for (const { port, pid, times, cpu } of sides) {
      const before = cpuTime(pid);
      const one = await drive(port, [path], {}, count, CONNECTIONS);
      times.push(one.milliseconds / count);
      cpu.push((1000 * (cpuTime(pid) - before)) / count);
      busy = Math.max(busy, one.busy);
    }
  }
  const [front, service] = sides.map(({ times }) => timingOf(times));
  const [frontCpu, serviceCpu] = sides.map(({ cpu }) => timingOf(cpu).median);
  const ratio = (serviceCpu / frontCpu).toFixed(1);
  const note =
    `processor time ${frontCpu.toFixed(0)} against ${serviceCpu.toFixed(0)} µs, a ratio of ${ratio}; ` +
    `the generator was busy at most ${Math.round(100 * busy)} % of the time`;
  const name = `export of ${(body.length / 1e3).toFixed(0)} kB through nginx, ${CONNECTIONS} connections`;
  return { ...compared(name, front, 'one process of the service alone', service, body.equals(other)), note };
}
