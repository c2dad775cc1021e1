import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStorage } from '../../src/adapters/open_storage.ts';
import { backUp } from '../../src/backup/backup.ts';
import { checkBackup, restoreBackup } from '../../src/backup/restore.ts';
import { type MadeArea, middleOf, rowOf, storeMade } from '../history/made_editions.ts';
import { editionRows } from '../history/stored_editions.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'boundary-backup-history-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const area = (id: string, name: string, from: number, to: number, level = 8): MadeArea => ({
  id,
  name,
  level,
  cells: rowOf(0, from, to),
});
const canton = area('K', 'Kanem', 0, 8, 4);
const EDITIONS: Readonly<Record<string, readonly MadeArea[]>> = {
  '2010-01-01': [canton, area('A', 'Abeche', 0, 2), area('B', 'Bol', 2, 4), area('C', 'Chari', 4, 8)],
  '2015-01-01': [canton, area('A', 'Abeche', 0, 3), area('B', 'Bol', 3, 4), area('C', 'Chari', 4, 8)],
  '2020-01-01': [canton, area('D', 'Doba', 0, 4), area('C', 'Chari-Sud', 4, 8)],
};
const TODAY = [canton, area('D', 'Doba', 0, 5), area('C', 'Chari-Sud', 5, 8)];
const DATES = ['2009-12-31', '2010-01-01', '2014-12-31', '2016-06-01', '2020-01-01', '2025-01-01'];

/** What is asked before and after: every kind of question as of every date. */
function questions(ids: readonly string[]): { method: string; path: string; json?: object }[] {
  const { lat, lon } = middleOf(2, 0);
  return DATES.flatMap((date) => [
    ...ids.flatMap((id) => [
      { method: 'GET', path: `/v1/boundaries/${id}?as_of=${date}&detail=full` },
      { method: 'GET', path: `/v1/boundaries/${id}/children?as_of=${date}` },
      { method: 'GET', path: `/v1/boundaries/${id}/neighbors?as_of=${date}` },
      { method: 'GET', path: `/v1/boundaries/${id}/export?as_of=${date}&format=wkt` },
    ]),
    { method: 'GET', path: `/v1/boundaries/reverse?lat=${lat}&lon=${lon}&as_of=${date}` },
    { method: 'GET', path: `/v1/boundaries/search?q=Chari&as_of=${date}` },
    { method: 'POST', path: '/v1/boundaries/union', json: { include: ids.slice(0, 2), as_of: date, detail: 'full' } },
    { method: 'GET', path: `/v1/changes?from=${date}&to=2025-06-01&source=made` },
  ]);
}

async function answersOf(server: BoundaryTestServer, ids: readonly string[], key: string): Promise<string[]> {
  const answers: string[] = [];
  for (const { method, path, json } of questions(ids)) {
    const { status, bytes, headers } = await server.ask(method, path, { key, json });
    const hash = createHash('sha256').update(bytes).digest('hex');
    // A refusal names the request, which has a number of its own.
    answers.push(`${method} ${path}: ${status} ${status === 200 ? `${headers.etag} ${hash}` : ''}`);
  }
  for (const id of ids) answers.push((await server.get(`/v1/boundaries/${id}/versions`, key)).text);
  return answers;
}

it('keeps every edition: restored, it has the same rows and the same bytes of every answer as of a date', {
  timeout: 600_000,
}, async () => {
  const file = join(folder, 'history.backup');
  const first = await openBoundaryTestServer();
  const { key } = await first.key();
  let before: string[];
  let rows: Record<string, string[]>;
  let ids: string[];
  try {
    for (const [date, areas] of Object.entries(EDITIONS)) await storeMade(first, date, areas);
    await storeMade(first, null, TODAY);
    const found = await first.services.db.query<{ id: string }>(
      'select distinct boundary_id as id from edition_interval order by 1',
    );
    ids = found.map(({ id }) => id);
    expect(ids).toHaveLength(5);
    before = await answersOf(first, ids, key);
    expect(before.filter((one) => one.includes(': 200 ')).length).toBeGreaterThan(80);
    rows = await editionRows(first.services.db);
    const library = await openStorage(null, first.dataDir, 'library');
    await backUp(file, { db: first.services.db, library, progress: () => undefined });
  } finally {
    await first.close();
  }
  const manifest = await checkBackup(file);
  expect(manifest.tables.edition?.rows).toBe(3);
  expect(manifest.tables).not.toHaveProperty('edition_draft');
  const second = await openBoundaryTestServer();
  try {
    const library = await openStorage(null, second.dataDir, 'library');
    await restoreBackup(file, manifest, { db: second.services.db, library, progress: () => undefined });
    expect(await editionRows(second.services.db)).toEqual(rows);
    expect(await answersOf(second, ids, key)).toEqual(before);
    // It goes on from there: a further edition shares what is stored.
    const more = await storeMade(second, '2021-01-01', EDITIONS['2020-01-01'] ?? []);
    expect([more.newArcs, more.newShapes, more.newStates]).toEqual([0, 0, 0]);
  } finally {
    await second.close();
  }
});
