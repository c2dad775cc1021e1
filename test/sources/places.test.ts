import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putNodes, putRelations } from '../../src/sources/store/write.ts';
import { storedPlaces } from '../../src/sources/stored_places.ts';
import { NOWHERE } from '../../workers/osm/elements.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';

const node = (id: number, x: number, y: number) => ({ id, version: 1, tags: {}, x, y });
const relation = (id: number, ...members: (readonly ['n' | 'w', number, string])[]) => ({
  id,
  version: 1,
  tags: {},
  members: members.map(([type, ref, role]) => ({ type, ref, role })),
});

describe('places of stored boundaries', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await testDatabase();
    await test.db.transaction(async (tx) => {
      await putNodes(tx, [node(1, 10, 20), node(2, 30, 40), node(3, 50, 60), node(4, NOWHERE, NOWHERE)]);
      await putRelations(tx, [
        // The first of a role counts, in member order and not in that of ids; ways have no place.
        relation(1, ['n', 3, 'admin_center'], ['n', 2, 'label'], ['n', 1, 'label'], ['n', 1, 'admin_centre']),
        relation(2, ['w', 1, 'label'], ['n', 1, 'admin_centre'], ['n', 2, 'guidepost']),
        // Of one node only the tags are known, and of the other nothing.
        relation(3, ['n', 4, 'label'], ['n', 9, 'label'], ['n', 3, 'label'], ['n', 4, 'admin_centre']),
        relation(4, ['w', 2, 'outer']),
      ]);
    });
  });
  afterAll(() => test.close());

  it('are those of the first label and the first seat that are known, in member order', async () => {
    const found = await storedPlaces(test.db, ['r1', 'r2', 'r3', 'r4', 'r5', 'w1', 'w2']);
    expect(Object.fromEntries(found)).toEqual({
      r1: { label: [30, 40], seat: [50, 60] },
      r2: { label: null, seat: [10, 20] },
      r3: { label: [50, 60], seat: null },
    });
  });

  it('are of no way, whose number a relation may have', async () => {
    expect((await storedPlaces(test.db, ['w1'])).size).toBe(0);
  });
});
