/**
 * `DATABASE_URL=… tsx benchmarks/jobs/memory.ts`: measures the resident memory of one `boundary serve` on a filled
 * database while it answers collections of 1,000 and 5,000 boundaries of level 8 of a country, and runs a job of
 * 35,000, in one format of each family. COUNTRY defaults to FR. Prints the memory before and the peak, in MB, each row
 * from a new process. Leaves an account in the database.
 */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import { bytesOf } from '../faults/check.ts';
import { startService } from '../http/server.ts';
import { query } from '../import/native.ts';

const COUNTRY = process.env.COUNTRY ?? 'FR';
const FORMATS = (process.env.FORMATS ?? 'ndjson,topojson,flatgeobuf,geoparquet,geopackage').split(',');
const SIZES = [1_000, 5_000, 35_000];
const JSON_TYPE = { 'content-type': 'application/json' };

const url = process.env.DATABASE_URL ?? '';
const folder = await mkdtemp(join(tmpdir(), 'boundary-memory-'));
const app = await openApp(loadConfig({ DATABASE_URL: url, DATA_DIR: folder, LOG_LEVEL: 'silent' }));
const { key } = await app.services.keys.create({ email: 'memory@example.org', plan: 'business' });
await app.close();
const rows = await query<{ id: string }>(
  url,
  `select id from boundary where admin_level = 8 and country = '${COUNTRY}' order by id limit 100000`,
);

/** Resident memory of a process, in MB. */
const memoryOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000);

try {
  for (const format of FORMATS) {
    for (const size of SIZES) {
      const ids = rows.slice(0, size).map(({ id }) => id);
      const server = await startService(folder, { DATABASE_URL: url, DATA_DIR: folder });
      const us = { address: `http://127.0.0.1:${server.port}`, key };
      const before = memoryOf(server.pid);
      let most = before;
      const look = setInterval(() => {
        most = Math.max(most, memoryOf(server.pid));
      }, 20);
      const began = performance.now();
      let bytes = 0;
      try {
        const input = { ids, format, detail: 'full' };
        if (ids.length <= 5_000) {
          const { statusCode, body } = await request(`${us.address}/v1/collections`, {
            method: 'POST',
            headers: { ...JSON_TYPE, authorization: `Bearer ${key}` },
            body: JSON.stringify(input),
          });
          for await (const part of body) bytes += (part as Buffer).byteLength;
          if (statusCode !== 200) throw new Error(`${format}: ${statusCode}`);
        } else {
          const sent = { method: 'POST', headers: JSON_TYPE } as const;
          const order = JSON.stringify({ op: 'export_collection', input });
          const { id } = JSON.parse((await bytesOf(us, '/v1/jobs', { ...sent, body: order })).toString());
          for (let state = 'queued'; state !== 'done'; await sleep(100)) {
            state = JSON.parse((await bytesOf(us, `/v1/jobs/${id}`)).toString()).state;
            if (state === 'failed') throw new Error(`the job of ${format} failed`);
          }
        }
      } finally {
        clearInterval(look);
        await server.stop();
      }
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const what = bytes === 0 ? 'a job' : `${(bytes / 1e6).toFixed(1)} MB`;
      process.stdout.write(
        `${format}, ${ids.length} boundaries: ${before} MB before, ${most} MB at most (${what}, ${seconds} s)\n`,
      );
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
