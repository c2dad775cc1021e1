import { expect, test } from 'vitest';
import { renderJson } from '../../src/cli/render/table.ts';
import { holdWarnings, takeWarnings } from '../../src/common/held_warnings.ts';

test('a warning of a library that is loaded waits, and is not lost', async () => {
  // What other files of this process loaded may have warned.
  takeWarnings();
  const loaded = await holdWarnings(async () => {
    console.warn('Unsupported', 20);
    return 'library';
  });
  expect([loaded, takeWarnings(), takeWarnings()]).toEqual(['library', ['Unsupported 20'], []]);
});

test('a table of neighbors has the kilometers of each', () => {
  const boundary = { id: 'r1', name: 'a', kind: 'city', admin_level: 8, country: 'ES', parents: [], population: 1 };
  const items = [{ ...boundary, wikidata: 'Q1', contact: 'line', shared_km: 12.5 }];
  expect(renderJson({ items })).toMatch(/contact +shared_km\n.* line +12\.5\n/);
});
