import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBoundaries } from '../../src/domain/boundaries.ts';
import { type Hit, type Search, searchBoundaries } from '../../src/domain/search.ts';
import { importFile, importSeed } from '../../src/sources/import.ts';
import { dataDir, type House, openHouse } from '../proof/house.ts';

/** A query as people type it; `expect`: what may come first (id, iso:CODE or source/id in the source), or nothing at all. */
interface Query {
  readonly class: string;
  readonly lang: string;
  readonly q: string;
  readonly expect: readonly string[];
}

const queries: readonly Query[] = JSON.parse(readFileSync(join(import.meta.dirname, 'queries.json'), 'utf8'));
const classes = [...new Set(queries.map((query) => query.class))];

/** Shares of a class that have to be right at the first place, and among the first three. */
const FIRST = 0.95;
const FIRST_THREE = 0.98;

const FILES = ['luxembourg-2018-boundaries', 'liechtenstein-2024', 'malta-2018', 'anhui-cn-2017'];

describe.skipIf(!dataDir)('queries as people type them (needs REAL_DATA_DIR)', { timeout: 600_000 }, () => {
  let house: House;
  const ids = new Map<string, string[]>();
  const search = (q: string, more: Partial<Search> = {}): Promise<Hit[]> =>
    searchBoundaries({ db: house.test.db, boundaries: createBoundaries(house.test.db) }, { q, limit: 10, ...more });

  beforeAll(async () => {
    house = await openHouse();
    const deps = { db: house.test.db, engine: house.engine };
    await importSeed(deps);
    for (const file of FILES) await importFile(deps, join(dataDir as string, `osm/${file}.boundaries.osm.pbf`), null);
    const rows = await house.test.db.query<{ id: string; iso: string | null; source: string; source_id: string }>(
      'select id, iso, source, source_id from boundary',
    );
    for (const { id, iso, source, source_id } of rows) {
      for (const key of [id, `iso:${iso}`, `${source}/${source_id}`]) ids.set(key, [...(ids.get(key) ?? []), id]);
    }
  }, 600_000);
  afterAll(() => house?.close());

  it('are at least 600 in ten languages, and what they expect is stored', () => {
    expect(queries.length).toBeGreaterThanOrEqual(600);
    expect(new Set(queries.map(({ lang }) => lang)).size).toBeGreaterThanOrEqual(10);
    const unknown = queries.flatMap((query) => query.expect).filter((key) => !ids.has(key));
    expect(unknown).toEqual([]);
  });

  it.each(classes)('%s', async (name) => {
    const wrong: string[] = [];
    let [all, first, three] = [0, 0, 0];
    for (const { q, expect: keys } of queries.filter((query) => query.class === name)) {
      const found = (await search(q)).map(({ id }) => id);
      const wanted = keys.flatMap((key) => ids.get(key) ?? []);
      const isRight = (places: number) =>
        keys.length === 0 ? found.length === 0 : found.slice(0, places).some((id) => wanted.includes(id));
      all++;
      if (isRight(1)) first++;
      else wrong.push(q);
      if (isRight(3)) three++;
    }
    expect(first / all, wrong.join('; ')).toBeGreaterThanOrEqual(FIRST);
    expect(three / all, wrong.join('; ')).toBeGreaterThanOrEqual(FIRST_THREE);
  });

  it('say how they were understood', async () => {
    const [chaves] = await search('Chaves County, NM');
    expect([chaves.name, chaves.match, chaves.interpretation]).toEqual([
      'Chaves',
      'exact',
      { name: 'chaves', within: { id: 'r162014', name: 'New Mexico' }, kind: 'county' },
    ]);
    const [misspelled] = await search('Roosvelt County');
    expect([misspelled.name, misspelled.match]).toEqual(['Roosevelt', 'fuzzy']);
    expect((await search('UK'))[0].match).toBe('alias');
    expect((await search('Sevil'))[0].match).toBe('prefix');
  });

  it('that are still being typed are completed and not corrected', async () => {
    expect((await search('sevil', { prefix: true }))[0].match).toBe('prefix');
    expect(await search('sevlla', { prefix: true })).toEqual([]);
  });

  it('are answered by what is near where several have the name', async () => {
    const georgia = await search('Georgia', { near: { lat: 33.75, lon: -84.39 } });
    expect(georgia[0].iso).toBe('US-GA');
    expect((await search('Georgia'))[0].iso).toBe('GE');
  });
});
