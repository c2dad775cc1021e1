import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createNameIndex, type NameIndex } from '../../src/domain/read_model/name_index.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { dataDir, openSeededEnvironment, type ProofEnvironment } from '../proof/environment.ts';
import { fillWithPlaces } from './stored_places.ts';

interface Query {
  readonly class: string;
  readonly lang: string;
  readonly q: string;
  /** What may come first, as source/code; empty: nothing may be found. */
  readonly expect: readonly string[];
}

/**
 * 303 queries for places of 19 countries, made by rule from the data, and 191 texts that name no stored place, written
 * before any of them was tried; docs/search.md has the figures of the first try.
 */
const QUERIES: readonly Query[] = JSON.parse(readFileSync(join(import.meta.dirname, 'held_out.json'), 'utf8'));
const NOTHING = QUERIES.filter((query) => query.expect.length === 0);
const PLACES = QUERIES.filter((query) => query.expect.length > 0);

/** Shares that have to be right at the first place, and among the first three. */
const FIRST = 0.95;
const FIRST_THREE = 0.98;

describe.skipIf(!dataDir)('queries held out (needs REAL_DATA_DIR)', { timeout: 900_000 }, () => {
  let server: ProofEnvironment;
  let names: NameIndex;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    server = await openSeededEnvironment();
    const { db } = server.test;
    names = createNameIndex(db, 2 ** 28);
    const made = await fillWithPlaces(server);
    const rows = await db.query<{ id: string; source: string; code: string }>(
      "select id, source, regexp_replace(source_id, '^.*/', '') as code from boundary",
    );
    for (const { id, source, code } of rows) ids.set(`${source}/${code}`, id);
    for (const [source, { keys }] of Object.entries(made))
      for (const [key, id] of keys) ids.set(`${source}/${key}`, id);
    await names.warm();
  }, 900_000);
  afterAll(() => server?.close());

  async function search(q: string): Promise<string[]> {
    const services = { db: server.test.db, boundaries: createBoundaries(server.test.db), names };
    return (await searchBoundaries(services, { q, limit: 10 })).map(({ id }) => id);
  }

  it.each([...new Set(PLACES.map((query) => query.class))])('%s', async (name) => {
    const asked = PLACES.filter((query) => query.class === name);
    const wrong: string[] = [];
    let three = 0;
    for (const { q, expect: keys } of asked) {
      const wanted = keys.map((key) => ids.get(key));
      expect(wanted, q).not.toContain(undefined);
      const found = await search(q);
      const isRight = (places: number) => found.slice(0, places).some((id) => wanted.includes(id));
      if (!isRight(1)) wrong.push(q);
      if (isRight(3)) three++;
    }
    expect(1 - wrong.length / asked.length, wrong.join('; ')).toBeGreaterThanOrEqual(FIRST);
    // One of a small class may be missing.
    expect((three + 1) / asked.length, wrong.join('; ')).toBeGreaterThanOrEqual(FIRST_THREE);
  });

  it('nothing is found for what names no stored place', async () => {
    const found: string[] = [];
    for (const { q } of NOTHING) if ((await search(q)).length > 0) found.push(q);
    expect(1 - found.length / NOTHING.length, found.join('; ')).toBeGreaterThanOrEqual(0.95);
  });
});
