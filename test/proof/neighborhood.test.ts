import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { importFile } from '../../src/sources/import.ts';
import { readOsmFile } from '../../src/sources/osm/read.ts';
import { OSM_SOURCE } from '../../src/sources/osm/source.ts';
import { toSourceBoundaries } from '../../src/sources/osm/tags.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { StoreSummary } from '../../src/sources/store/summary.ts';
import { leading } from '../setup/elements.ts';
import { dataDir, openEnvironment, openSeededEnvironment, type ProofEnvironment } from './environment.ts';
import { madeGrid, storeMade } from './made.ts';

/** How many arcs are stored. */
async function arcsOf({ test }: ProofEnvironment): Promise<number> {
  const { count } = only(await test.db.query<{ count: number }>('select count(*)::integer as count from arc'));
  return count;
}

describe('an edit', { timeout: 300_000 }, () => {
  it('of one cell reads and changes what is around it, however large the grid is', async () => {
    const seen: { arcs: number; loaded: number; retiered: number }[] = [];
    for (const size of [8, 16]) {
      const server = await openEnvironment();
      try {
        const grid = madeGrid(1, size, 60_000_000, 490_000_000, { cell: 400_000 }).filter(({ sourceId }) =>
          sourceId.startsWith('cell '),
        );
        await storeMade(server, grid);
        const cell = grid.find(({ sourceId }) => sourceId === 'cell 4-3');
        if (!cell || !('rings' in cell.border)) throw new Error('the grid has no such cell');
        // The ring without one of its corners.
        const ring = defined(cell.border.rings[0]);
        const less = Int32Array.from([...ring.subarray(0, 2), ...ring.subarray(4)]);
        const { summary } = await storeMade(server, [{ ...cell, version: '2', border: { rings: [less] } }]);
        seen.push({ arcs: await arcsOf(server), loaded: summary.loaded, retiered: summary.retiered });
      } finally {
        await server.close();
      }
    }
    const [small, large] = leading(seen, 2);
    expect(large.arcs).toBeGreaterThan(3 * small.arcs);
    expect(large.loaded).toBeLessThan(80);
    expect(large.loaded).toBeLessThan(1.5 * small.loaded + 10);
    expect(large.retiered).toBeLessThan(20);
  });
});

describe.skipIf(!dataDir)('beside the seed data', { timeout: 1_200_000 }, () => {
  it('a country reads its neighbors, and an edit of one commune what is around it', async () => {
    const server = await openSeededEnvironment();
    try {
      const deps = { db: server.test.db, engine: server.engine };
      const file = join(dataDir as string, 'osm/liechtenstein-2024.boundaries.osm.pbf');
      const country = await importFile(deps, file, null);
      expect(await arcsOf(server)).toBeGreaterThan(30_000);
      expect(country.loaded).toBeLessThan(60);
      expect(country.retiered).toBeLessThan(30);

      const extract = await readOsmFile(file);
      const commune = extract.relations.find(({ tags }) => tags.admin_level === '8' && tags.name === 'Ruggell');
      if (!commune) throw new Error('the file has no such commune');
      const way = commune.members
        .map(({ ref }) => extract.ways.get(ref)?.coords)
        .find((coords) => coords && coords.length > 40);
      if (!way) throw new Error('the commune has no such way');
      way[2 * Math.floor(way.length / 4)] = defined(way[2 * Math.floor(way.length / 4)]) + 700;
      const edit: StoreSummary = await storeBoundaries(deps, {
        source: OSM_SOURCE,
        file: 'edited',
        boundaries: toSourceBoundaries({ ...extract, relations: [commune] }).boundaries,
        relations: [commune],
        ways: extract.ways,
        few: true,
      });
      expect(edit.replaced + edit.reassembled).toBeGreaterThan(0);
      // Names beside the index would be read by each search.
      expect(await server.test.db.query("select gin_clean_pending_list('boundary_name_trigram') as pages")).toEqual([
        { pages: expect.toSatisfy((pages) => Number(pages) === 0) },
      ]);
      expect(edit.loaded).toBeLessThan(150);
      expect(edit.retiered).toBeLessThan(60);
    } finally {
      await server.close();
    }
  });
});
