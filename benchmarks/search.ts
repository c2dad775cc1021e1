import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { seeded as random } from '../src/bench/random.ts';
import type { Kind } from '../src/core/schemas.ts';
import { type Database, openDatabase } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { createBoundaries } from '../src/domain/boundaries/boundaries.ts';
import { readBoxes } from '../src/domain/boundaries/box_index.ts';
import { nameRows } from '../src/domain/names/names.ts';
import { createNameIndex } from '../src/domain/read_model/name_index.ts';
import type { Hit } from '../src/domain/search/hit.ts';
import { searchBoundaries } from '../src/domain/search/search.ts';
import { packBoxes } from '../workers/arcs/pack_boxes.ts';
import { BenchDatabase, server } from './import/native.ts';
import { compared, type Options, type Result } from './measure.ts';
import { countryCodes, SIDE, wordFrom } from './planet/world.ts';
import { FIELDS } from './rivals/naive_fields.ts';

const COUNTRIES = 224;
const CALLS = 800;
const WARM_UP = 40;
const MIB = 2 ** 20;
const SLICE = 20_000;

interface Named {
  readonly id: string;
  readonly name: string;
  readonly english: string | null;
  readonly level: number;
  readonly country: string;
  /** Nearest first. */
  readonly parents: readonly string[];
}

const KINDS: Readonly<Record<number, Kind>> = {
  2: 'country',
  4: 'state',
  6: 'county',
  8: 'municipality',
  10: 'neighbourhood',
};

/**
 * A generated world's boundaries without shapes: realistic numbers per level, with names built from the same syllables.
 */
function* namedWorld(countries: number): Generator<Named> {
  const next = random(1);
  let count = 0;
  const one = (level: number, country: string, parents: readonly string[]): Named => {
    const name = wordFrom(next);
    return {
      id: `r${++count}`,
      name,
      english: level < 10 ? `${name} ${wordFrom(next)}` : null,
      level,
      country,
      parents,
    };
  };
  for (const code of countryCodes().slice(0, countries)) {
    const country = one(2, code, []);
    yield country;
    for (let s = 0; s < 9; s++) {
      const state = one(4, code, [country.id]);
      yield state;
      for (let d = 0; d < 9; d++) {
        const district = one(6, code, [state.id, country.id]);
        yield district;
        for (let m = 0; m < (SIDE * SIDE) / 81; m++) {
          const municipality = one(8, code, [district.id, state.id, country.id]);
          yield municipality;
          const parents = [municipality.id, ...municipality.parents];
          if (m % 4 === 0) for (let p = 0; p < 4; p++) yield one(10, code, parents);
        }
      }
    }
  }
}

/** Inserts the boundaries, their names and parents into the tables that search reads. */
async function fill(db: Database, countries: number): Promise<Named[]> {
  await db.query(`insert into source (id, name, licence, attribution) values ('made', 'Made', 'CC0-1.0', 'made')`);
  const all = [...namedWorld(countries)];
  const next = random(2);
  for (let from = 0; from < all.length; from += SLICE) {
    const some = all.slice(from, from + SLICE);
    const boundaries = some.map(({ id, name, level, country }) => {
      const [x, y] = [Math.round(3.4e9 * next() - 1.7e9), Math.round(1.4e9 * next() - 7e8)];
      const countryCode = level === 2 ? country : null;
      return { id, name, kind: KINDS[level], level, country, countryCode, x, y };
    });
    await db.query(
      `insert into boundary (id, source, source_id, source_version, version, type, name, names, kind, kind_known,
         admin_level, country, countries, country_code, iso, wikidata, tags, subareas, other_names, codes, ways,
         west, south, east, north, lat, lon, area_km2, has_geometry, geometry_hash, ring_hash, meta_hash)
       select id, 'made', id, '1', 1, 'administrative', name, '{}', kind, true, level, country, array[country], "countryCode",
         "countryCode", null, '{}', '{}', '[]', '{}', '{}', x, y, x + 1000000, y + 1000000, y + 500000, x + 500000, 100, true,
         sha256(id::bytea), sha256(id::bytea), sha256(id::bytea)
       from jsonb_to_recordset($1::jsonb)
         as b (id text, name text, kind text, level integer, country text, "countryCode" text, x integer, y integer)`,
      [JSON.stringify(boundaries)],
    );
    const names = some.flatMap(({ id, name, english, level, country }) =>
      nameRows({
        ...{
          type: 'administrative',
          name,
          names: english ? { en: english } : {},
          otherNames: [],
          codes: [],
          iso: null,
        },
        ...{ countryCode: level === 2 ? country : null, wikidata: null, kind: KINDS[level], place: null },
        ...{ adminLevel: level, population: null, areaKm2: 100 },
      }).map((row) => ({ boundary_id: id, ...row })),
    );
    await db.query('insert into boundary_name select * from jsonb_populate_recordset(null::boundary_name, $1::jsonb)', [
      JSON.stringify(names),
    ]);
    const parents = some.flatMap(({ id, parents }) =>
      [...parents].reverse().map((parent, position) => ({ child: id, parent, share: 1, position })),
    );
    await db.query(
      'insert into boundary_parent select * from jsonb_populate_recordset(null::boundary_parent, $1::jsonb)',
      [JSON.stringify(parents)],
    );
    process.stderr.write(`\rsearch: ${from + some.length} boundaries`);
  }
  process.stderr.write('\n');
  await db.query('create index made_lower_name on boundary (lower(name) text_pattern_ops)');
  await db.query('vacuum analyze');
  return all;
}

/** The query of rivals/naive_search.ts. */
const NAIVE = `select ${FIELDS} from boundary b where lower(b.name) like lower($1) || '%'
  order by length(b.name), b.population desc nulls last limit 10`;

/**
 * Searches among as many boundaries as the planet has, one call at a time, in a native PostGIS: full names, prefixes,
 * names with a containing place, and misspelled names, each sent for the first time. Measures the in-memory index that
 * the server uses, our SQL statements (which must return the same), and for names and prefixes a naive prefix lookup on
 * the same table. Storing 1.7 million names takes three minutes.
 */
export async function benchSearch(_data: string, options: Options): Promise<Result[]> {
  const home = server();
  if (!home) {
    process.stderr.write('search: no native PostGIS is named\n');
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'boundary-search-'));
  const database = new BenchDatabase(home, 'search');
  await database.empty();
  const db = await openDatabase({ databaseUrl: database.url, dataDir: folder, deadlineMs: 600_000 });
  try {
    await migrate(db);
    const all = await fill(db, options.smoke ? 2 : COUNTRIES);
    const boundaries = createBoundaries(db);
    const index = createNameIndex(db, 256 * MIB);
    const started = performance.now();
    const held = await index.warm();
    if (!held) throw new Error('the names did not fit into memory');
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stderr.write(`search: ${held.count} names read in ${seconds} s\n`);
    const boxes = await readBoxes(db, async (all) => packBoxes(all), held.revision);
    if (boxes?.boundaries !== all.length) throw new Error('not every boundary has its box in memory');
    const memory = `names and places take ${megabytes(held.bytes)} in memory, boxes ${megabytes(boxes.bytes)}`;

    const byId = new Map(all.map((one) => [one.id, one]));
    const municipalities = all.filter(({ level }) => level === 8);
    const next = random(7);
    const any = (): Named => municipalities[Math.floor(municipalities.length * next())];
    const queries: Readonly<Record<string, () => string>> = {
      'a whole name': () => any().name,
      'the start of a name': () => any().name.slice(0, 4),
      'a name and its state': () => {
        const { name, parents } = any();
        return `${name}, ${byId.get(parents[1])?.name}`;
      },
      'a name with a typo': () => {
        const { name } = any();
        return `${name.slice(0, 3)}x${name.slice(4)}`;
      },
    };
    const ask = (q: string, names?: typeof index): Promise<Hit[]> =>
      searchBoundaries({ db, boundaries, names }, { q, limit: 10 });
    const results: Result[] = [];
    for (const [what, make] of Object.entries(queries)) {
      const qs = Array.from({ length: options.smoke ? 20 : CALLS + WARM_UP }, make);
      let same = true;
      for (const q of qs.slice(0, 20)) same &&= isDeepStrictEqual(await ask(q, index), await ask(q));
      // Queries used for the comparison are not repeated. The sides alternate; each query goes to one of them.
      const [inMemory, statements, naive]: [number[], number[], number[]] = [[], [], []];
      for (const [i, q] of qs.slice(options.smoke ? 0 : WARM_UP).entries()) {
        // The first side to run a query reads the rows of the matches.
        if (i % 2 === 0) inMemory.push(await timed(() => ask(q, index)));
        else statements.push(await timed(() => ask(q)));
        naive.push(await timed(() => db.query(NAIVE, [q])));
      }
      const name = `search among ${all.length} boundaries: ${what}`;
      const [mine, ours] = [latencyOf(inMemory), latencyOf(statements)];
      const note = `p95 ${mine.p95.toFixed(1)} ms; ${memory}`;
      results.push({ ...compared(name, mine, 'the same by statements', ours, same), note });
      if (what === 'a whole name' || what === 'the start of a name') {
        const theirs = latencyOf(naive);
        results.push({ ...compared(name, mine, 'naive prefix lookup', theirs, same), note });
      }
    }
    return results;
  } finally {
    await db.close();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** The p50 and p95 in milliseconds, and the spread: (maximum - minimum) / p50. */
function latencyOf(times: number[]): { median: number; p95: number; spread: number } {
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1];
  return { median, p95: times[Math.floor(0.95 * times.length)], spread: (times[times.length - 1] - times[0]) / median };
}
