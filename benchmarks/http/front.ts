import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasNginx, type Nginx, startNginx } from '../../test/deploy/nginx.ts';
import { BenchDatabase, server } from '../import/native.ts';
import { compared, type Options, type Result, timingOf } from '../measure.ts';
import { importRings } from './rings.ts';
import { type BenchServer, cpuTime, firstKey, startService } from './server.ts';

const CONNECTIONS = 64;
/** Rings with these numbers of vertices are 17 and 59 kB of GeoJSON. */
const VERTICES = [700, 2_450];
const ROUNDS = 7;
const run = promisify(execFile);

/**
 * Measures finished exports at their permanent URLs through nginx with deploy/nginx.conf (one worker) against one
 * process of the service alone, alternating, under wrk with one thread (a generator in Node needs more processor time
 * per request than nginx does). The row has the time per request, the note the processor time of each side. Uses the
 * native PostGIS if one is configured, else the embedded database. Returns no rows without nginx and wrk.
 */
export async function benchFront(_dataDir: string, options: Options): Promise<Result[]> {
  if (!hasNginx || spawnSync('wrk', ['-v']).error) {
    process.stderr.write('front: nginx or wrk is not installed (Debian: nginx-light, wrk)\n');
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
    const ids = await importRings(folder, env, options.smoke ? VERTICES.slice(0, 1) : VERTICES);
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

/** The path of the permanent URL of an export. */
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
  const seconds = options.smoke ? 1 : 4;
  if (!options.smoke) for (const { port } of sides) await requestsIn(seconds, port, path);
  for (let round = 0; round < (options.smoke ? 1 : ROUNDS); round++) {
    for (const { port, pid, times, cpu } of sides) {
      const before = cpuTime(pid);
      const { requests, milliseconds } = await requestsIn(seconds, port, path);
      times.push(milliseconds / requests);
      cpu.push((1000 * (cpuTime(pid) - before)) / requests);
    }
  }
  const [front, service] = sides.map(({ times }) => timingOf(times));
  const [frontCpu, serviceCpu] = sides.map(({ cpu }) => timingOf(cpu).median);
  const ratio = (serviceCpu / frontCpu).toFixed(1);
  const note = `processor time ${frontCpu.toFixed(0)} against ${serviceCpu.toFixed(0)} µs, a ratio of ${ratio}`;
  const name = `export of ${(body.length / 1e3).toFixed(0)} kB through nginx, ${CONNECTIONS} connections`;
  return { ...compared(name, front, 'one process of the service alone', service, body.equals(other)), note };
}

/**
 * The number of requests that wrk completes over 64 connections, and its time; throws unless each response is a 200.
 */
async function requestsIn(
  seconds: number,
  port: number,
  path: string,
): Promise<{ requests: number; milliseconds: number }> {
  const words = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, `http://127.0.0.1:${port}${path}`];
  const { stdout } = await run('wrk', words);
  const all = /(\d+) requests in ([\d.]+)s/.exec(stdout);
  if (!all || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk ${words.join(' ')}: ${stdout}`);
  return { requests: Number(all[1]), milliseconds: 1000 * Number(all[2]) };
}
