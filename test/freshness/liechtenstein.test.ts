import { afterAll, describe, expect, it } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { expectSoundArrangement } from '../proof/arrangement.ts';
import { dataDir, openEnvironment } from '../proof/environment.ts';
import { apply, hasOsmium, NEW, OLD, openFolder, stateOf } from './change_files.ts';

const folder = openFolder();
afterAll(() => folder.remove());

describe.skipIf(!dataDir || !hasOsmium)('Liechtenstein of 2021 and the changes to 2024', { timeout: 300_000 }, () => {
  // The 2021 file also has Autauga County, which is gone then; nothing else differs at the edges of the two extracts.
  it('are stored as a fresh import of 2024', async () => {
    const fresh = await openEnvironment(NEW);
    const wanted = await stateOf(fresh.test.db);
    await fresh.close();

    const server = await openEnvironment(OLD);
    try {
      const { db } = server.test;
      const path = folder.derive(OLD, NEW);
      const summary = await apply(server, path);
      expect(summary.deleted).toBeGreaterThan(0);
      const found = await stateOf(db);
      for (const table of Object.keys(wanted)) expect.soft(found[table], table).toEqual(wanted[table]);
      await expectSoundArrangement(server);

      const { gone } = only(await db.query<{ gone: number }>('select count(*)::integer as gone from boundary_gone'));
      expect(gone).toBe(summary.deleted);

      const again = await apply(server, path);
      expect(again).toMatchObject({ added: 0, replaced: 0, reassembled: 0, deleted: 0, broken: [] });
      expect(await stateOf(db)).toEqual(found);
    } finally {
      await server.close();
    }
  });
});
