import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { importSeed } from '../../src/sources/import.ts';
import { seedSpain } from '../../src/sources/seed/spain.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { Options } from '../measure.ts';
import { type BenchServer, firstKey, startService } from './server.ts';

const CONNECTIONS = 64;

/** What a server went through under load. */
export interface LoadReport {
  readonly requests: number;
  readonly lost: number;
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Delay of the server's event loop while it was under load, 99th percentile. */
  readonly event_loop_p99_ms: number;
}

/**
 * Searches and unions in turn over 64 connections, against a warm server in a process of its own on loopback, with the
 * seed data in an embedded database. A smoke run has the provinces of Spain alone, which are what is merged.
 */
export async function benchLoad(options: Options): Promise<LoadReport> {
  const folder = mkdtempSync(join(tmpdir(), 'boundary-load-'));
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let server: BenchServer | null = null;
  try {
    await fill(folder, options);
    server = await startService(folder);
    const { port } = server;
    const key = await firstKey(folder);
    const call = (i: number) => (i % 2 === 0 ? search(agent, port, key, i) : union(agent, port, key, i));
    await drive(options.smoke ? 20 : 400, call);
    await eventLoop(agent, port);
    const count = options.smoke ? 100 : 10_000;
    const started = performance.now();
    const { times, lost } = await drive(count, call);
    const seconds = (performance.now() - started) / 1000;
    const delay = await eventLoop(agent, port);
    times.sort((a, b) => a - b);
    return {
      requests: count,
      lost,
      per_second: count / seconds,
      p50_ms: times[Math.floor(times.length * 0.5)] ?? 0,
      p99_ms: times[Math.floor(times.length * 0.99)] ?? 0,
      event_loop_p99_ms: delay,
    };
  } finally {
    agent.destroy();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fill(folder: string, { smoke }: Options): Promise<void> {
  const app = await openApp(loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }));
  try {
    if (smoke) {
      const { source, boundaries } = await seedSpain();
      const provinces = boundaries.filter(({ adminLevel }) => adminLevel === 6);
      await storeBoundaries(app.services, {
        source: { ...source, seed: true },
        file: source.id,
        boundaries: provinces,
      });
    } else await importSeed(app.services);
  } finally {
    await app.close();
  }
}

const NAMES = ['Sevilla', 'Luxembourg', 'Los Angeles', 'Fidji', 'Girona', 'Kansas', 'Teruel', 'Deutschland'];
const PROVINCES = ['SE', 'CO', 'HU', 'CA', 'MA', 'GR', 'AL', 'J', 'B', 'GI', 'L', 'T', 'Z', 'TE'];

/** With a key: without one a network may ask sixty times a minute. */
function search(agent: Agent, port: number, key: string, i: number): Promise<Buffer> {
  const path = `/v1/boundaries/search?q=${encodeURIComponent(NAMES[i % NAMES.length])}`;
  return send(agent, port, 'GET', path, { Authorization: `Bearer ${key}` }, null);
}

function union(agent: Agent, port: number, key: string, i: number): Promise<Buffer> {
  const include = Array.from({ length: 2 + (i % 5) }, (_, j) => `iso:ES-${PROVINCES[(i + j) % PROVINCES.length]}`);
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return send(agent, port, 'POST', '/v1/boundaries/union', headers, JSON.stringify({ include, detail: 'low' }));
}

/** Keeps 64 calls running until `count` have ended. */
async function drive(count: number, call: (i: number) => Promise<Buffer>): Promise<{ times: number[]; lost: number }> {
  const times: number[] = [];
  let next = 0;
  let lost = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const i = next++;
      const started = performance.now();
      try {
        await call(i);
        times.push(performance.now() - started);
      } catch {
        lost++;
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return { times, lost };
}

/** The 99th percentile of the event loop's delay since it was last asked for, in milliseconds. */
async function eventLoop(agent: Agent, port: number): Promise<number> {
  const text = (await send(agent, port, 'GET', '/metrics', {}, null)).toString();
  return 1000 * Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1]);
}

function send(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | null,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers, timeout: 60_000 }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(parts));
        else reject(new Error(`${method} ${path}: ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.on('timeout', () => sent.destroy(new Error('timeout')));
    sent.end(body ?? undefined);
  });
}
