import { setTimeout as sleep } from 'node:timers/promises';
import type { Deployment } from '../../src/bench/deployment.ts';
import { bytesOf } from '../faults/check.ts';
import { query } from '../import/native.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * Creates jobs on all of Spain, one after another, until `signal` aborts: collections, a dissolve, a crosswalk. `url`
 * is the database of the server.
 * @returns how many jobs ended
 * @throws Error when a job fails
 */
export async function jobAfterJob(us: Deployment, url: string, signal: AbortSignal): Promise<number> {
  const level8 = { children_of: 'iso:ES', admin_level: 8 };
  const rows = await query<{ id: string; parent: string }>(
    url,
    'select id, left(id, length(id) - 2) as parent from boundary where admin_level = 8 order by id',
  );
  const groups: Record<string, string[]> = {};
  for (const { id, parent } of rows) groups[parent] = [...(groups[parent] ?? []), id];
  const kinds = [
    { op: 'export_collection', input: { ...level8, format: 'geojson', detail: 'full' } },
    { op: 'dissolve', input: { groups, format: 'geopackage' } },
    { op: 'crosswalk', input: { a: level8, b: { children_of: 'iso:ES', admin_level: 6 } } },
    { op: 'export_collection', input: { ...level8, format: 'flatgeobuf' } },
  ];
  let ended = 0;
  for (let i = 0; !signal.aborted; i++) {
    const sent = { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(kinds[i % kinds.length]) } as const;
    const { id } = JSON.parse((await bytesOf(us, '/v1/jobs', sent)).toString()) as { id: string };
    while (!signal.aborted) {
      await sleep(500);
      const [row] = await query<{ state: string }>(url, `select state from job where id = '${id}'`);
      if (row.state === 'failed') throw new Error(`job ${id} failed`);
      if (row.state === 'done') {
        ended++;
        break;
      }
    }
  }
  return ended;
}

/** Waits until a process has claimed a job, for 15 s at most. */
export async function untilRuns(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++, await sleep(50)) {
    const [{ n }] = await query<{ n: number }>(url, "select count(*)::int as n from job where state = 'running'");
    if (n > 0) return;
  }
  throw new Error('no process took the job');
}
