import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createNameIndex, type NameIndex } from '../../src/domain/read_model/name_index.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { openSeededEnvironment, type ProofEnvironment } from '../proof/environment.ts';
import { Draw, type Stored, storedOf } from './made.ts';

/** Queries of one class. */
const COUNT = 30;
/** The United States in languages of queries, behind a code. */
const COUNTRY = ['USA', 'United States', 'Estados Unidos', 'États-Unis', 'Vereinigte Staaten', 'Jungtinės Valstijos'];

describe('names beside codes, countries and their own names', { timeout: 600_000 }, () => {
  const draw = new Draw();
  let server: ProofEnvironment;
  let names: NameIndex;
  let counties: Stored[];

  beforeAll(async () => {
    server = await openSeededEnvironment();
    names = createNameIndex(server.test.db, 2 ** 28);
    await names.warm();
    counties = (await storedOf(server.test.db, 'US', 6)).filter(({ kind }) => kind === 'county');
  }, 600_000);
  afterAll(() => server?.close());

  const first = async (q: string) =>
    (
      await searchBoundaries(
        { db: server.test.db, boundaries: createBoundaries(server.test.db), names },
        { q, limit: 3 },
      )
    )[0];

  it('a county before the code or the name of its state and the country, without a comma between them', async () => {
    for (const { id, name, within, within_iso } of draw.some(counties, COUNT)) {
      const state = draw.one([within_iso?.slice(3) ?? '', within ?? '']);
      const q = `${name} County, ${state} ${draw.one(COUNTRY)}`;
      expect((await first(q))?.id, `${q} (MADE_SEED=${draw.seed})`).toBe(id);
    }
  });

  it.each([
    ['the Sooner State', 'US-OK'],
    ['Last Frontier Alaska', 'US-AK'],
    ['Sunshine State, Florida', 'US-FL'],
    ['Texas Lone Star State', 'US-TX'],
    ['Calif. USA', 'US-CA'],
    ['Land Down Under', 'AU'],
  ])('%s is %s', async (q, code) => {
    const [wanted] = await server.test.db.query<{ id: string }>('select id from boundary where iso = $1', [code]);
    expect((await first(q))?.id).toBe(wanted?.id);
  });

  it.each([
    ["Martha's Vineyard", 'Dukes', 'US-MA'],
    ['Nantucket Island', 'Nantucket', 'US-MA'],
    ['Mpls', 'Hennepin', 'US-MN'],
    ['Republic County, Kanas', 'Republic', 'US-KS'],
    ['Republic Couty, Kannsas', 'Republic', 'US-KS'],
  ])('%s is %s in %s', async (q, name, state) => {
    const wanted = counties.find((one) => one.name === name && one.within_iso === state);
    expect((await first(q))?.id).toBe(wanted?.id);
  });

  it.each(['Oregon Sunshine State', 'PEI Mexico', 'The Lone Star', 'Harris County, ZZ USA'])(
    '%s means no place by a short name',
    async (q) => {
      expect((await first(q))?.match).not.toBe('alias');
    },
  );
});
