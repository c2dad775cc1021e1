import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import type { Kind } from '../../src/core/schemas.ts';
import { loadQuery } from '../../src/db/query.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { foldName } from '../../src/domain/names/fold.ts';
import { toAscii } from '../../src/domain/names/names.ts';
import { createNameIndex, type NameIndex } from '../../src/domain/read_model/name_index.ts';
import type { NameHit, NameQuery, Names, StepOf } from '../../src/domain/read_model/names.ts';
import { type Lookups, lookupsInDatabase, lookupsInMemory } from '../../src/domain/search/lookups.ts';
import { searchBoundaries } from '../../src/domain/search/search.ts';
import { endOfSpelling, oneEditAway, similarityThresholds } from '../../src/domain/search/typos.ts';
import { type FixtureBoundary, insertFixtures } from '../domain/fixture_boundaries.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';

/** A generator with a fixed seed (MINSTD), so that a failure comes again. */
function generator(state = 7): () => number {
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** How many misspellings are compared; a few more starts of names, and half as many searches. SPELLINGS=120 is longer. */
const SPELLINGS = Number(process.env.SPELLINGS ?? 40);

const MOST = 2 ** 28;
const PARTS = [
  'san',
  'sa',
  'st',
  'a',
  'be',
  'bé',
  'ru',
  'ville',
  'kö',
  '中',
  '国',
  '市',
  '𠮷',
  'ﬁ',
  'да',
  'ё',
  '7',
  '12',
];
const KINDS: readonly Kind[] = ['municipality', 'county', 'state', 'country'];
const COUNTRIES = ['AA', 'BB', 'CC'];

function someBoundaries(): FixtureBoundary[] {
  const random = generator();
  const pick = <T>(list: readonly T[]): T => defined(list[Math.floor(random() * list.length)]);
  const word = () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(PARTS)).join('');
  const name = () => Array.from({ length: 1 + Math.floor(random() * 3) }, word).join(' ');
  return Array.from({ length: 3_000 }, (_, i): FixtureBoundary => {
    const kind = pick(KINDS);
    return {
      id: `r${i + 1}`,
      name: `${name()}${i % 5 === 0 ? ' county' : ''}`,
      names: { de: name(), zh: name() },
      otherNames: i % 7 === 0 ? [{ type: 'old_name', text: name() }] : [],
      kind: kind as FixtureBoundary['kind'],
      type: i % 11 === 0 ? 'postal_code' : 'administrative',
      adminLevel: 4 + (i % 5),
      country: pick(COUNTRIES),
      countries: i % 13 === 0 ? ['AA', 'BB'] : [pick(COUNTRIES)],
      population: Math.floor(10 ** (1 + random() * 7)),
      codes: [String(70_000 + i * 3), i % 3 === 0 ? `SA${i}` : 'sa'],
      parents: i < 40 ? [] : [`r${1 + (i % 40)}`, `r${1 + (i % 7)}`].slice(0, i % 40 === i % 7 ? 1 : 2),
      wikidata: `Q${i + 1}`,
      box: i % 17 === 0 ? null : [i / 100, 1, i / 100 + 0.5, 2],
    };
  });
}

describe('names in memory', () => {
  let test: TestDatabase;
  let names: Names;
  beforeAll(async () => {
    test = await testDatabase();
    await insertFixtures(test.db, someBoundaries());
    const read = await createNameIndex(test.db, MOST).warm();
    if (!read) throw new Error('the names were not read');
    names = read;
  });
  afterAll(() => test?.close());

  const fromDatabase = ({ name, code, id, completesCodes, country, kind, adminLevel, most }: NameQuery) =>
    test.db.query<NameHit>(loadQuery('search_names'), [
      name,
      code,
      id,
      completesCodes,
      country,
      kind,
      adminLevel,
      most,
      null,
      null,
    ]);
  // Past the whole name, the type of the name decides nothing: of several that begin so, any may be given.
  const compared = (hits: readonly NameHit[]) =>
    hits
      .map(({ name_type, ...hit }) => ({ ...hit, name_type: hit.step < 3 && hit.step !== 1 ? name_type : null }))
      .sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));

  it('gives what the database gives, for random starts of names and filters', async () => {
    const random = generator(99);
    const some = await test.db.query<{ folded: string }>(
      'select folded from boundary_name order by md5(folded) limit $1',
      [Math.ceil(1.25 * SPELLINGS)],
    );
    for (const { folded } of some) {
      const letters = [...folded];
      const name = foldName(letters.slice(0, 1 + Math.floor(random() * letters.length)).join(''));
      if (name === '') continue;
      const query: NameQuery = {
        name,
        code: name.replaceAll(' ', ''),
        id: random() < 0.2 ? `r${1 + Math.floor(random() * 3_000)}` : null,
        completesCodes: /\p{Nd}/u.test(name),
        country: random() < 0.3 ? ['BB', 'XX'] : null,
        kind: random() < 0.3 ? 'county' : null,
        adminLevel: random() < 0.2 ? 6 : null,
        most: random() < 0.5 ? 300 : 9,
      };
      expect(compared(names.find(query)), JSON.stringify(query)).toEqual(compared(await fromDatabase(query)));
    }
  });

  it('finds exact names, containers and misspellings as the database does', async () => {
    const random = generator(5);
    const pick = <T>(list: readonly T[]): T => defined(list[Math.floor(random() * list.length)]);
    const some = await test.db.query<{ folded: string }>(
      'select folded from boundary_name order by md5(folded) limit 300',
    );
    const within = () => ({
      ids: [`r${1 + Math.floor(random() * 45)}`, `r${1 + Math.floor(random() * 45)}`],
      country: random() < 0.5 ? 'BB' : null,
    });
    const inOrder = <T extends { readonly id: string }>(rows: readonly T[]) =>
      rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
    let [alike, cut] = [0, 0];
    for (let i = 0; i < SPELLINGS; i++) {
      const filters = {
        country: random() < 0.2 ? ['AA', 'XX'] : null,
        kind: random() < 0.2 ? ('county' as const) : null,
        adminLevel: random() < 0.2 ? 6 : null,
      };
      const [memory, database] = [
        lookupsInMemory(names, filters),
        lookupsInDatabase(test.db, createBoundaries(test.db), filters),
      ];
      const { ids, country } = within();
      const places = random() < 0.5 ? null : ids.map((id) => ({ id, country }));
      const wanted = [...new Set([pick(some).folded, pick(some).folded, 'sa', '𠮷'])];
      for (const most of [100, 3]) {
        const exact = async (lookups: Lookups) =>
          (await lookups.exact(wanted, places, most)).map((row) => ({ ...row, inside: [...row.inside].sort() }));
        expect(inOrder(await exact(memory))).toEqual(inOrder(await exact(database)));
      }
      const reported = (rows: Awaited<ReturnType<typeof memory.containers>>) =>
        rows.map(({ folded, id, name, country }) => ({ folded, id, name, country }));
      const containers = wanted.concat(pick(some).folded);
      expect(inOrder(reported(await memory.containers(containers)))).toEqual(
        inOrder(reported(await database.containers(containers))),
      );
      const letters = [...pick(some).folded];
      const typo = Math.floor(random() * letters.length);
      const typed = foldName([...letters.slice(0, typo), pick(PARTS), ...letters.slice(typo + 1)].join(''));
      if (typed === '') continue;
      const ascii = toAscii(typed);
      for (const likeness of similarityThresholds(typed, ascii)) {
        const asked = {
          ascii: likeness < 1 ? ascii : null,
          likeness,
          share: 0,
          spellings: oneEditAway(typed).filter((spelling) => spelling.length > 5),
          end: endOfSpelling(typed),
          within: places,
          most: 5_000,
        };
        // Told apart by their letters, which are not in the rows.
        const stepOf: StepOf = (_, length, { type }) => length + (type === 'word' ? 1_000 : 0);
        const rows = await database.similar(asked, stepOf);
        alike += rows.length;
        expect(inOrder(await memory.similar(asked, stepOf)), typed).toEqual(inOrder(rows));
        // Of few, those most alike, whether or not they have a step.
        const few = { ...asked, spellings: [], most: 12 };
        const some: StepOf = (name) => (defined(name[0]) % 2 === 0 ? 1 : null);
        const ofFew = inOrder(await database.similar(few, some));
        cut += ofFew.length;
        expect(inOrder(await memory.similar(few, some)), typed).toEqual(ofFew);
      }
    }

    expect(alike).toBeGreaterThan(1_000);
    expect(cut).toBeGreaterThan(SPELLINGS);
  });

  it('shows every boundary as the database does, to the byte', async () => {
    await test.db.query(`update boundary set disputed = true, iso = 'BB-1', wikidata = 'Q0012', version = -3,
      population = 12345678901, stale = '{"reason": "a gap", "lat": 1.5, "lon": 2, "since": "2026-01-02T00:00:00.000Z"}'
      where id = 'r77'`);
    await test.db.query(`update boundary set country = null, wikidata = 'Q4294967296', lat = null where id = 'r78'`);
    const read = await createNameIndex(test.db, MOST).warm();
    const ids = (await test.db.query<{ id: string }>('select id from boundary')).map(({ id }) => id);
    const stored = await createBoundaries(test.db).byIds(ids);
    expect(stored.filter(({ boundary }) => boundary.parents.length > 1).length).toBeGreaterThan(1_000);
    const shown = read?.boundaries(['r0', ...ids]).map((one) => JSON.stringify(one));
    expect(shown).toEqual(stored.map(({ boundary }) => JSON.stringify(boundary)));
    // Texts of JSON do not tell a lost minus from a number that is not one.
    expect(read?.boundaries(ids)).toEqual(stored.map(({ boundary }) => boundary));
  });

  it('while they are read, few searches ask the database at once, and the others find them read', async () => {
    const index = createNameIndex(test.db, MOST);
    const revision = await index.present();
    let running = 0;
    let most = 0;
    const inMemory = await Promise.all(
      Array.from({ length: 12 }, () =>
        index.use(revision, async (found) => {
          most = Math.max(most, ++running);
          if (!found) await index.warm();
          running--;
          return found !== null;
        }),
      ),
    );
    expect(inMemory.map(Number)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(most).toBe(4);
  });

  it('searches the same from memory and from the database', async () => {
    const boundaries = createBoundaries(test.db);
    const index = createNameIndex(test.db, MOST);
    await index.warm();
    const random = generator(11);
    const some = await test.db.query<{ name: string }>('select name from boundary order by md5(name) limit $1', [
      Math.ceil(SPELLINGS / 2),
    ]);
    for (const { name } of some) {
      const at = Math.floor(random() * name.length);
      const q = random() < 0.5 ? `${name.slice(0, at)}x${name.slice(at + 1)}` : `${name}, ${defined(some[0]).name}`;
      const services = { db: test.db, boundaries };
      const search = { q, limit: 10 };
      expect(await searchBoundaries({ ...services, names: index }, search), q).toEqual(
        await searchBoundaries(services, search),
      );
    }
  });

  it('compares at most 64 letters and one text with names by likeness, whatever is asked', async () => {
    const index = createNameIndex(test.db, MOST);
    await index.warm();
    const compared: string[] = [];
    const counting: NameIndex = {
      ...index,
      use: (revision, work) =>
        index.use(revision, (read) => {
          const similar: Names['similar'] = (query, stepOf) => {
            if (query.ascii !== null) compared.push(query.ascii);
            return (read as Names).similar(query, stepOf);
          };
          return work({ ...(read as Names), similar });
        }),
    };
    const counts: number[] = [];
    for (const q of [
      'map of sabruxbe villexbe ruxvillesa bexvillesan kml',
      'map of the map border of the sabrux - bex/villexsa# (ruxvil',
      'ruxvillexbe cuonty, sabxvillesan',
      'saxb ru be',
      'sabexru',
    ]) {
      compared.length = 0;
      await searchBoundaries({ db: test.db, boundaries: createBoundaries(test.db), names: counting }, { q, limit: 10 });
      const letters = compared.slice(0, -1).reduce((sum, text) => sum + Math.max(16, text.length), 0);
      expect(letters, q).toBeLessThan(64);
      counts.push(compared.length);
    }
    expect(Math.max(...counts)).toBe(4);
  });

  it('completes the same from memory and from the database', async () => {
    const boundaries = createBoundaries(test.db);
    const index = createNameIndex(test.db, MOST);
    await index.warm();
    for (const q of ['s', 'sa', 'San', 'bé', '中', '𠮷', '7000', 'r12', 'Q7', 'sa ', 'ru county']) {
      const search = { q, prefix: true, limit: 40 };
      const services = { db: test.db, boundaries };
      expect(await searchBoundaries({ ...services, names: index }, search), q).toEqual(
        await searchBoundaries(services, search),
      );
    }
  });

  it('once the names are in memory, a search asks the database nothing but the order of sources, once', async () => {
    const asked: string[] = [];
    const note = (sql: string): void => {
      if (sql !== loadQuery('data_revision')) asked.push(sql);
    };
    const query = ((sql: string, ...rest: []) => {
      note(sql);
      return test.db.query(sql, ...rest);
    }) as typeof test.db.query;
    const transaction: typeof test.db.transaction = (...rest) => {
      note('begin');
      return test.db.transaction(...rest);
    };
    const db = { ...test.db, query, transaction };
    const boundaries = createBoundaries(db);
    const index = createNameIndex(db, MOST);
    await index.warm();
    expect(asked.length).toBeGreaterThan(3);
    asked.length = 0;
    const { name } = only(await test.db.query<{ name: string }>("select name from boundary where id = 'r77'"));
    for (const q of [name, name.slice(0, 3), `${name.slice(0, -2)}xy`, `${name}, ${name}`, 'r12', '70003', 'nowhere']) {
      await boundaries.withSnapshot((reading) =>
        searchBoundaries({ db, boundaries: reading, names: index }, { q, limit: 10 }),
      );
    }
    // The order of the sources is read once for each revision.
    expect(asked).toEqual([loadQuery('source_order')]);
  });

  it('what is read ahead is bounded', async () => {
    const boundaries = createBoundaries(test.db, { bytes: 2_000_000 });
    const held = await createNameIndex(test.db, MOST).warm();
    await boundaries.readAhead(held?.ids() ?? []);
    const { documents } = boundaries.held().bytes;
    expect(documents).toBeGreaterThan(200_000);
    expect(documents).toBeLessThanOrEqual(800_000);
  });

  it('is bounded, and follows the data', async () => {
    const small = createNameIndex(test.db, 200_000);
    expect(await small.warm()).toBeNull();
    expect(small.held()).toEqual({ bytes: 0, names: 0 });
    const index = createNameIndex(test.db, MOST);
    const before = await index.warm();
    expect(before?.count).toBeGreaterThan(10_000);
    expect(index.held().bytes).toBeLessThan(150 * (before?.count ?? 0));
    expect(index.at(before?.revision ?? 0)).toBe(before);
    await test.db.query("update boundary set population = 5 where id = 'r1'");
    const after = await index.warm();
    expect(after?.revision).toBeGreaterThan(before?.revision ?? 0);
    expect(index.at(before?.revision ?? 0)).toBeNull();
  });
});
