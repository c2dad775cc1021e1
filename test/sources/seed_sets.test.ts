import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import { importSeed } from '../../src/sources/import.ts';
import { missingSeedSets, SEED_SETS } from '../../src/sources/seed/all.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';

describe('sets of seed data that a database lacks', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await testDatabase();
  });
  afterAll(() => test?.close());

  const sourcesAre = async (seed: Readonly<Record<string, boolean>>, unfinished: string[] = []): Promise<void> => {
    await test.db.query('delete from import_run');
    await test.db.query('delete from source');
    for (const [id, isSeed] of Object.entries(seed)) {
      await test.db.query('insert into source (id, name, licence, attribution, seed) values ($1, $1, $1, $1, $2)', [
        id,
        isSeed,
      ]);
      const finished = unfinished.includes(id) ? null : new Date();
      await test.db.query('insert into import_run (source, file, finished_at) values ($1, $1, $2)', [id, finished]);
    }
  };

  it('are all in an empty one, and none in one that holds other data', async () => {
    expect(await missingSeedSets(test.db, SEED_SETS)).toEqual(['countries', 'us-atlas', 'es-atlas']);
    expect(await missingSeedSets(test.db, ['countries'])).toEqual(['countries']);
    expect(await missingSeedSets(test.db, [])).toEqual([]);
    await sourcesAre({ osm: false });
    expect(await missingSeedSets(test.db, SEED_SETS)).toEqual([]);
  });

  it('are those that an interrupted start did not store', async () => {
    await sourcesAre({ 'world-atlas': true });
    expect(await missingSeedSets(test.db, SEED_SETS)).toEqual(SEED_SETS);
    await sourcesAre({ 'geo-maps': true, 'world-atlas': true, 'us-atlas': true, osm: false });
    expect(await missingSeedSets(test.db, SEED_SETS)).toEqual(['es-atlas']);
    expect(await missingSeedSets(test.db, ['countries'])).toEqual([]);
    const all = { 'geo-maps': true, 'world-atlas': true, 'us-atlas': true, 'es-atlas': true };
    await sourcesAre(all);
    expect(await missingSeedSets(test.db, SEED_SETS)).toEqual([]);
    await sourcesAre(all, ['us-atlas']);
    expect(await missingSeedSets(test.db, SEED_SETS)).toEqual(['us-atlas']);
    await sourcesAre({});
  });

  it('are those behind the last one that was loaded', { timeout: 180_000 }, async () => {
    const engine = new Engine(test.db, {
      threads: 2,
      arcBytes: 64e6,
      cache: createCache(16e6),
      maxResponseBytes: 64e6,
    });
    try {
      const countries = await importSeed({ db: test.db, engine }, undefined, ['countries']);
      expect(countries.map(({ file }) => file)).toEqual(['geo-maps', 'world-atlas']);
      expect(await missingSeedSets(test.db, SEED_SETS)).toEqual(['us-atlas', 'es-atlas']);
    } finally {
      await engine.close();
    }
  });
});
